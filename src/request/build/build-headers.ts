import { escapeControl } from '../../escape-control.ts'
import type { Json, JsonObject } from '../../json.ts'
import { RequestProblem, describeValue, readText } from '../request-problem.ts'
import type { Authorizer, HeaderLines } from '../exchange.ts'
import { version } from '../../version.ts'
import { traceHeaders } from '../trace.ts'
import type { BuiltBody } from './request-input.ts'

/** The common methods, accepted in any case; others are sent as written. */
export const methods: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE QUERY'.split(' '),
)

/** The syntax of the names of methods and headers (RFC 9110, 5.6.2). */
export const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

/** Sent by default. The author can replace each of them, or remove it with `null`. */
export const defaultHeaders: HeaderLines = [
  ['user-agent', `suitecase/${version}`],
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, deflate, br'],
]

/** Headers that delimit the message. Only the client writes them: a second one allows request smuggling. */
const framing = new Set(['content-length', 'transfer-encoding', 'upgrade', 'keep-alive', 'expect'])
const single = new Set(['host', 'content-type', 'connection', 'authorization'])

/** The author's headers: `lines` as written, and values by lower-case name (`null` removes a default). */
type AuthoredHeaders = { lines: [name: string, value: string][]; named: Map<string, string | null> }

/** Reads the `headers` of a request. Throws a RequestProblem if they are invalid. */
export function readHeaders(headers: JsonObject = {}): AuthoredHeaders {
  const authored: AuthoredHeaders = { lines: [], named: new Map() }
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    const items = (Array.isArray(value) ? value : [value]).filter((item) => item !== null)
    checkName(name, key, items.length + (authored.named.has(key) ? 1 : 0))
    if (authored.named.has(key))
      throw new RequestProblem(
        `The header \`${name}\` appears twice, in different spellings. To send it twice, write a list: \`${name}: [a, b]\``,
      )
    const texts = items.map((item) => readHeaderText(name, item))
    for (const text of texts) authored.lines.push([name, text])
    authored.named.set(key, texts[0] ?? null)
  }
  return authored
}

/** Adds defaults and the body's type to the author's headers. Throws for a header that `auth` will set. */
export function completeHeaders(
  { lines, named }: AuthoredHeaders,
  body?: Pick<BuiltBody, 'contentType'>,
  auth?: Authorizer,
): HeaderLines {
  const all: [string, string][] = []
  for (const [name, value] of [...defaultHeaders, ...traceHeaders()])
    if (!named.has(name)) all.push([name, value])
  // That of a multipart has the boundary.
  const replacesType = named.get('content-type') && /^\s*multipart\//i.test(body?.contentType ?? '')
  if (body && (replacesType || !named.has('content-type'))) all.push(['content-type', body.contentType])
  for (const name of auth?.headers ?? [])
    if (typeof named.get(name) === 'string')
      throw new RequestProblem(
        `Expected either \`auth\` or a header \`${name}\`, got both. Remove one of them (\`auth: none\` turns off the \`auth\` of \`defaults\`)`,
      )
  for (const line of lines) if (!replacesType || line[0].toLowerCase() !== 'content-type') all.push(line)
  return all
}

function checkName(name: string, key: string, count: number): void {
  if (!token.test(name))
    throw new RequestProblem(
      `Expected the header name ${describeValue(name)} to contain only letters, digits and !#$%&'*+-.^_\`|~`,
    )
  if (framing.has(key))
    throw new RequestProblem(
      `The header \`${name}\` cannot be set: the client writes it itself. Bodies are sent whole, with content-length`,
    )
  if (count > 1 && single.has(key))
    throw new RequestProblem(`The header \`${key}\` can be sent only once, but is given several times`)
  if (count === 0 && key === 'host')
    throw new RequestProblem('The header `host` cannot be left out: HTTP/1.1 needs it')
}

/** The value of a header as text. Throws if it has characters that could end the line (line breaks, NUL). */
export function readHeaderText(name: string, value: Json): string {
  if (typeof value === 'object')
    throw new RequestProblem(
      `Expected the header \`${name}\` to be a string, number, boolean, null or a list of these, got ${describeValue(value)}`,
    )
  const text = readText(value, `headers.${name}`)
  const odd = /[^\t\u0020-\u007e\u0080-\u00ff]/u.exec(text)
  if (!odd) return text
  // The message must not show the value: it may be a secret that is not known as such.
  const got = `\`${escapeControl(odd[0])}\` at character ${odd.index + 1}`
  throw new RequestProblem(
    `Expected the value of the header \`${name}\` to have only printable Latin-1 characters, got ${got}. Percent-encode it, or use base64`,
  )
}
