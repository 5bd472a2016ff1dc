import { escapeControlInLines } from '../escape-control.ts'
import { stringifyJson, toText, type Json } from '../json.ts'
import { defaultHeaders } from '../request/build/build-headers.ts'
import { findHeader, type HeaderLines } from '../request/exchange.ts'
import { renderCurl } from '../request/render/render-request.ts'
import { decode } from '../run/attempt/describe-exchange.ts'
import type { Attempt } from '../run/result.ts'
import type { StepOutcome } from '../run/step-outcome.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { cut } from '../text/show-value.ts'
import { countOf } from '../text/units.ts'
import { cutContent, showContent, showLines, slack } from './show-content.ts'
import { defaultLimits } from '../limits.ts'

/** Maximum number of lines of a body, and of attempts, shown with a failure. */
const mostLines = 10

/** Maximum number of lines of a body with the reporter `verbose`. */
const mostLong = 100

/** Columns to fit JSON into; a line may have at most twice as many. */
const widest = 100

/** How much of an exchange to show. */
export type ShowOptions = {
  /** Also shows all headers, and bodies in full, up to 64 KiB. */
  isWhole?: boolean
  /** Shows more lines of bodies. */
  isLong?: boolean
  /** Also shows the request's body, if no command repeats it. */
  hasBody?: boolean
}

/** Renders an exchange for a terminal: request line, attempts, status, type and the first lines of the response; redacted, with control characters escaped. Undefined if nothing was sent. */
export function showExchange(
  { exchange, result }: StepOutcome,
  redactor: Redactor,
  { isWhole = false, isLong = false, hasBody = false }: ShowOptions = {},
): string | undefined {
  if (!exchange) return undefined
  const { request, response } = exchange
  const most = isWhole ? Infinity : isLong ? mostLong : mostLines
  const headers = (lines: HeaderLines): string[] =>
    isWhole ? showLines(lines, redactor).map(([name, value]) => `  ${name}: ${value}`) : []
  const sent = request.body && Buffer.from(request.body).toString('utf8')
  const lines = [
    `${request.method} ${redactor.redactSource(request.url)}`,
    ...headers(request.headers),
    ...(sent !== undefined && (hasBody || isWhole)
      ? listLines(result.request_details?.body ?? sent, redactor, most)
      : []),
    ...listAttempts(result.attempts ?? [], redactor),
    ...(result.redirects ?? []).map(
      ({ status_code, location }) =>
        `  redirected (${status_code}) to ${cut(redactor.redactSource(location), widest * 2)}`,
    ),
  ]
  // On the same line as the request, if nothing is between them.
  const arrow = lines.length === 1 ? `${lines.pop()} →` : '→'
  if (!response) return escapeControlInLines([...lines, `${arrow} no response`].join('\n'))
  const type = findHeader(response.headers, 'content-type')
  const { text, json } = decode(response)
  const messages = (result.response_details?.messages ?? []).map(
    ({ direction, data }) => `${direction === 'sent' ? '→' : '←'} ${toText(data)}`,
  )
  const status = `${response.statusCode} ${redactor.redactText(response.statusText)}`.trimEnd()
  return escapeControlInLines(
    [
      ...lines,
      `${arrow} ${status}${type === undefined ? '' : `, ${type}`}`,
      ...headers(response.headers),
      ...listLines(json === undefined ? text : json, redactor, most),
      ...listLines(messages.join('\n'), redactor, most),
    ].join('\n'),
  )
}

/** Header lines that requests have by default. */
const usual = new Set([...defaultHeaders, ['connection', 'keep-alive']].map((line) => line.join(': ')))

/** Maximum bytes of a body in a command. */
const mostSent = 4096

/** A short command that sends a request again, without default headers; undefined if none was sent. */
export function showCommand({ exchange, result }: StepOutcome, redactor: Redactor): string | undefined {
  if (!exchange) return undefined
  const { url, method, headers, body } = exchange.request
  const text = body && Buffer.from(body).toString('utf8')
  const content = showContent(headers, { bytes: body, text, limit: mostSent }, redactor)
  const sent = { method, url: redactor.redactSource(url), headers: content.lines, body: content.bytes }
  const { connection } = result
  const options = { usual, keep: mostSent, connection, file: exchange.file, bytes: content.whole }
  return escapeControlInLines(renderCurl(sent, options))
}

function listAttempts(attempts: readonly Attempt[], redactor: Redactor): string[] {
  const lines = attempts.map(({ attempt, status_code, error_message = 'no response' }) => {
    const [first = ''] = redactor.redactText(error_message).split('\n', 1)
    // Request and advice are shown once, outside the attempts.
    const why = first.replace(/^\S+ \S+ (failed .* \([A-Z]\w*\))(?:\. .*)?$/, '$1')
    return `  attempt ${attempt}: ${status_code ?? why}`
  })
  return cutLines(lines, mostLines, 'more attempt')
}

/** The first lines and how many follow. A single further line is shown, since its count would take as much room. */
export function cutLines(lines: string[], most: number, what: string): string[] {
  if (lines.length <= most + 1) return lines
  return [...lines.slice(0, most), `  … ${countOf(lines.length - most, what)}`]
}

/** The first lines of a body, indented. */
function listLines(body: Json, redactor: Redactor, most: number): string[] {
  if (body === '') return []
  const maxBytes = defaultLimits.reportBody
  const text =
    typeof body === 'string'
      ? cutContent(redactor.redactSource(body.slice(0, maxBytes + slack)), maxBytes, Buffer.byteLength(body))
      : layOut(redactor.redactJson(body, { maxBytes }), 0)
  if (text.includes('\0')) return ['  (not text)']
  const longest = most === Infinity ? most : widest * 2
  const lines = text.trimEnd().split('\n')
  return cutLines(
    lines.map((line) => `  ${cut(line, longest)}`),
    most,
    'more line',
  )
}

/** Formats JSON on as few lines as possible: short values stay on one line. */
function layOut(value: Json, depth: number): string {
  const line = stringifyJson(value)
  if (line.length + depth <= widest || typeof value !== 'object' || value === null) return line
  const items = Array.isArray(value)
    ? value.map((item) => layOut(item, depth + 2))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${layOut(item, depth + 2)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${fillRows(items, depth + 2)}\n${' '.repeat(depth)}${close}`
}

/** Puts items side by side as far as they fit. */
function fillRows(items: readonly string[], depth: number): string {
  const rows: string[] = []
  for (const [index, item] of items.entries()) {
    const last = rows.at(-1)
    const text = index < items.length - 1 ? `${item},` : item
    const isShort = last !== undefined && !last.includes('\n') && !item.includes('\n')
    if (isShort && depth + last.length + text.length < widest) rows[rows.length - 1] = `${last} ${text}`
    else rows.push(text)
  }
  return rows.map((row) => ' '.repeat(depth) + row).join('\n')
}
