import { formatBytes } from '../../text/units.ts'
import { findHeader, splitTarget, type ConnectionNote, type HeaderLines } from '../exchange.ts'
import type { ReceivedResponse, SentRequest } from '../exchange.ts'
import { quotePrintf, quoteShell, readTypeable } from '../quote-shell.ts'

/** Bytes; Linux limits one argument of a program to 128 KiB. */
const longestArgument = 100_000

/** Headers curl adds by itself; they are switched off if the request did not have them. */
const curlDefaults = ['Accept', 'User-Agent', 'Content-Type', 'Expect']

export type CurlOptions = {
  keep?: number
  /** Path of the file the body was read from, relative to where the command is run. */
  file?: string | undefined
  /** Size of the whole body in bytes, if only its start is available. */
  bytes?: number | undefined
  /** Header lines that a short command does without. @default none: the same bytes are sent */
  usual?: ReadonlySet<string> | undefined
  connection?: ConnectionNote | undefined
}

/** Writes a curl command for a POSIX shell that sends the same bytes, or a comment if the body was not kept. */
export function renderCurl(
  sent: SentRequest,
  { keep = Infinity, file, bytes = sent.body?.byteLength ?? 0, usual, connection = {} }: CurlOptions = {},
): string {
  const { url, body } = sent
  const isShort = usual !== undefined
  const names = new Set(sent.headers.map(([name]) => name.toLowerCase()))
  const headers = sent.headers.filter((line) => !usual?.has(line.join(': ')))
  const words = ['curl', ...listOptions({ ...sent, headers }, connection, isShort), quoteShell(url)]
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    const isCurls = key === 'content-length' || (key === 'host' && url.split('/')[2] === value)
    if (!isCurls) words.push('-H', quoteHeader(name, value))
  }
  const hasBody = body !== undefined || names.has('content-length')
  for (const name of curlDefaults) {
    const matters = name === 'Expect' ? hasBody && !isShort : hasBody || name !== 'Content-Type'
    if (matters && !names.has(name.toLowerCase())) words.push('-H', `'${name}:'`)
  }
  if (!hasBody) return words.join(' ')
  const data = body ?? new Uint8Array()
  const isCut = bytes > keep || bytes > data.byteLength
  const advice = isShort
    ? 'the result file has it as `curl_command`, within `limits.reportBody`'
    : 'raise `limits.reportBody` to have it'
  // If cut, a command could be pasted and would send something else.
  if (isCut && file === undefined) return `# left out: the command is ${formatBytes(bytes)} long; ${advice}`
  if (isCut) return [...words, '--data-binary', quoteShell(`@${file}`)].join(' ')
  const text = readTypeable(data)
  if (text !== undefined && data.byteLength <= longestArgument)
    return [...words, '--data-raw', quoteShell(text)].join(' ')
  const printed = text === undefined ? quotePrintf(data) : `%s ${quoteShell(text)}`
  return `printf ${printed} | ${words.join(' ')} --data-binary @-`
}

function listOptions(
  { method, url, headers, body }: SentRequest,
  { proxy, insecure, http2 }: ConnectionNote,
  isShort: boolean,
): string[] {
  const options = isShort ? [] : ['-q']
  // By default, curl expands brackets and resolves dots.
  if (/[[\]{}]/.test(url)) options.push('--globoff')
  if (/\/(\.|%2e){1,2}(\/|\?|$)/i.test(url)) options.push('--path-as-is')
  if (!['identity', undefined].includes(findHeader(headers, 'accept-encoding'))) options.push('--compressed')
  const isPlain = body === undefined && (method === 'GET' || method === 'HEAD')
  if (!isPlain) options.push('-X', /^[A-Z]+$/.test(method) ? method : quoteShell(method))
  else if (method === 'HEAD') options.push('--head')
  if (http2) options.push('--http2')
  else if (url.startsWith('https:') && !isShort) options.push('--http1.1')
  if (insecure) options.push('--insecure')
  if (proxy !== undefined) options.push('--proxy', quoteShell(`http://${proxy}`))
  return options
}

function quoteHeader(name: string, value: string): string {
  // To curl, `Name:` means "do not send" and `Name;` means "send empty".
  if (value.trim() === '') return quoteShell(`${name};`)
  if (/^[ -~]*$/.test(name + value)) return quoteShell(`${name}: ${value}`)
  const bytes = Buffer.from(`${name}: ${value}`, 'latin1')
  const text = readTypeable(bytes)
  return text === undefined ? `"$(printf ${quotePrintf(bytes)})"` : quoteShell(text)
}

/** The request as sent over the wire; `body` is the text to show for its body. */
export function renderRawRequest(
  { method, url, headers }: SentRequest,
  body: string,
  { http2 }: ConnectionNote = {},
): string {
  return renderRaw(`${method} ${splitTarget(url)[1]} HTTP/${http2 ? '2.0' : '1.1'}`, headers, body)
}

export function renderRawResponse(
  { httpVersion, statusCode, statusText, headers }: Omit<ReceivedResponse, 'body' | 'transferBytes'>,
  body: string,
): string {
  return renderRaw(`HTTP/${httpVersion} ${statusCode} ${statusText}`, headers, body)
}

function renderRaw(start: string, headers: HeaderLines, body: string): string {
  return [start, ...headers.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n')
}
