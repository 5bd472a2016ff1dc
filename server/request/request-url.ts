import { isUtf8 } from 'node:buffer'
import { domainToUnicode } from 'node:url'
import { decodeEscapes } from './percent.ts'

const QUERY_UNSAFE = /[^A-Za-z0-9\-._~$!'()*+,;:&%=]/g
const PATH_UNSAFE = /[^A-Za-z0-9\-._~$!'()*+,;:/]/g
const PATH_PLAIN = /^[A-Za-z0-9\-._~$!'()*+,;:/]*$/
const QUERY_PLAIN = /^[A-Za-z0-9\-._~$!'()*+,;:&=]*$/
const UNRESERVED = new Set(
  Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~$!'()*+,;"),
)

/** What `url` is made of. */
export interface UrlParts {
  scheme: string
  /** The Host header, or the address listened on when there is none. */
  host: string
  path: string
  query: string
}

/** The `url` of an echo: scheme, host without its default port, path and query in the form httpbin (Werkzeug) shows. */
export function buildRequestUrl({ scheme, host, path, query }: UrlParts): string {
  const shownPath = PATH_PLAIN.test(path) ? path : showPath(path)
  const shownQuery = query === '' || QUERY_PLAIN.test(query) ? query : showQuery(query)
  return `${scheme}://${showHost(host, scheme)}${shownPath}${shownQuery === '' ? '' : `?${shownQuery}`}`
}

function showPath(path: string): string {
  return decodeReadable(Buffer.from(path, 'utf8').toString('latin1').replace(PATH_UNSAFE, escapeByte))
}

function showQuery(query: string): string {
  return decodeReadable(query.replace(QUERY_UNSAFE, escapeByte))
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** Decodes the escapes of unreserved characters and of valid UTF-8; all others stay. */
function decodeReadable(text: string): string {
  if (!text.includes('%')) return text
  const bytes = decodeEscapes(text, (byte) => byte < 0x80 && !UNRESERVED.has(byte))
  return isUtf8(bytes) ? bytes.toString('utf8') : decodeKeepingInvalid(bytes)
}

const UTF8_SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g

function decodeKeepingInvalid(bytes: Buffer): string {
  return bytes.toString('latin1').replace(UTF8_SEQUENCE, (sequence) => {
    const part = Buffer.from(sequence, 'latin1')
    return isUtf8(part) ? part.toString('utf8') : sequence.replace(/[^]/g, escapeByte)
  })
}

/** A host without a port that says nothing: the default one, none, or what is none. */
function showHost(host: string, scheme: string): string {
  const colon = host.indexOf(':', host.startsWith('[') ? host.indexOf(']') : 0)
  if (colon < 0) return showName(host)
  const text = host.slice(colon + 1)
  const port = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
  const isDefault = text === (scheme === 'https' ? '443' : '80')
  return showName(host.slice(0, colon)) + (isDefault || !(port <= 65_535) ? '' : `:${port}`)
}

function showName(name: string): string {
  return name.includes('xn--') ? domainToUnicode(name) || name : name
}
