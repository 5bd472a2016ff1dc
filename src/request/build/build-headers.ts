import type { Json, JsonObject } from '../../json.ts'
import { BuildProblem, describeValue, readText } from '../build-problem.ts'
import type { Authorizer, HeaderLines } from '../exchange.ts'
import { version } from '../../version.ts'
import { traceHeaders } from '../trace.ts'

/** The usual methods; others are sent as they are written. */
export const methods: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE QUERY'.split(' '),
)

/** Method names and header names are tokens (RFC 9110, 5.6.2). */
export const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

/** Sent unless the author writes the header, or `null` for it. */
export const defaultHeaders: HeaderLines = [
  ['user-agent', `suitecase/${version}`],
  ['accept', '*/*'],
  ['accept-encoding', 'zstd' in process.versions ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br'],
]

/** Headers that frame the message: the client writes them itself, and a second one would let bytes be read as another request. */
const framing = new Set(['content-length', 'transfer-encoding', 'upgrade', 'keep-alive', 'expect'])
const single = new Set(['host', 'content-type', 'connection', 'authorization'])

/** The author's headers: lines in the case they were written, and what each lower-case name was given (`null` removes). */
export type AuthoredHeaders = { lines: [name: string, value: string][]; named: Map<string, string | null> }

/** Reads and checks the `headers` of a request. */
export function readHeaders(headers: JsonObject = {}): AuthoredHeaders {
  const authored: AuthoredHeaders = { lines: [], named: new Map() }
  for (const [name, value] of Object.entries(headers)) {
    checkName(name)
    const items = Array.isArray(value) ? value : [value]
    const key = name.toLowerCase()
    const before = authored.lines.length
    for (const item of items) {
      if (item !== null) authored.lines.push([name, readHeaderText(name, item)])
    }
    checkRepeats(key, authored, authored.lines.length - before)
    if (authored.named.has(key))
      throw invalidHeader(
        `The header \`${name}\` appears twice, in two spellings. For two lines write a list: \`${name}: [a, b]\``,
      )
    authored.named.set(key, authored.lines[before]?.[1] ?? null)
  }
  return authored
}

/** Adds what the author left out: defaults, the body's type; refuses lines that `auth` will write. */
export function completeHeaders(
  { lines, named }: AuthoredHeaders,
  contentType: string | undefined,
  auth: Authorizer | undefined,
): HeaderLines {
  const added: [string, string][] = []
  for (const [name, value] of [...defaultHeaders, ...traceHeaders()])
    if (!named.has(name)) added.push([name, value])
  if (contentType !== undefined && !named.has('content-type')) added.push(['content-type', contentType])
  for (const name of auth?.headers ?? []) {
    if (typeof named.get(name) === 'string') {
      throw invalidHeader(
        `Expected either \`auth\` or a header \`${name}\`, got both. Remove one of them (\`auth: none\` leaves out that of \`defaults\`)`,
      )
    }
  }
  return [...added, ...lines]
}

function checkName(name: string): void {
  if (!token.test(name)) {
    throw invalidHeader(
      `Expected the header name ${describeValue(name)} to be made of letters, digits and !#$%&'*+-.^_\`|~ only`,
    )
  }
  if (framing.has(name.toLowerCase())) {
    throw invalidHeader(
      `The header \`${name}\` cannot be set: the client writes it itself. Bodies are sent whole, with content-length`,
    )
  }
}

/** The text of one header line; refuses what could end it (line breaks, NUL). */
export function readHeaderText(name: string, value: Json): string {
  if (typeof value === 'object') {
    throw invalidHeader(
      `Expected the header \`${name}\` to be a text, number, boolean, null or a list of these, got ${describeValue(value)}`,
    )
  }
  const text = readText(value, `headers.${name}`)
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(text)) {
    const hint = /[\u0100-\uffff]/.test(text)
      ? 'to be in latin-1. Percent-encode it, or use base64'
      : 'to be without control characters (line breaks, NUL)'
    throw invalidHeader(`Expected the value of the header \`${name}\` ${hint}, got ${describeValue(text)}`)
  }
  return text
}

function checkRepeats(key: string, { named }: AuthoredHeaders, count: number): void {
  if (single.has(key) && (count > 1 || (count === 1 && typeof named.get(key) === 'string'))) {
    throw invalidHeader(`The header \`${key}\` can be sent only once, got it several times`)
  }
  if (key === 'host' && count === 0)
    throw invalidHeader('The header `host` cannot be left out: HTTP/1.1 needs it')
}

function invalidHeader(message: string): BuildProblem {
  return new BuildProblem('INVALID_HEADER', message)
}
