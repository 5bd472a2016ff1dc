import { isUtf8 } from 'node:buffer'
import { domainToUnicode } from 'node:url'
import { decodeEscapes, decodePercent } from './fields.ts'

/** The parts of a request target. */
export interface Target {
  /** Decoded. */
  path: string
  /** As received, without `?`. */
  query: string
}

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** Splits a request target (RFC 9112, 3.2); of an absolute one the origin is left out, a fragment always. */
export function parseTarget(url: string): Target {
  const [target = ''] = (url.startsWith('/') ? url : url.replace(ABSOLUTE, '')).split('#', 1)
  const question = target.indexOf('?')
  if (question < 0) return { path: decodePercent(target) || '/', query: '' }
  return { path: decodePercent(target.slice(0, question)) || '/', query: target.slice(question + 1) }
}

const NORMAL_TARGET = /^\/[A-Za-z0-9\-._~$!'()*+,;:@&=/]*(?:\?[^#]*)?$/

/** Whether routers understand a target as it is. */
export function isNormalTarget(url: string): boolean {
  return NORMAL_TARGET.test(url)
}

/** A target without origin and fragment, in whose path nothing is escaped that need not be. */
export function normaliseTarget(url: string): string {
  const { path, query } = parseTarget(url)
  const escaped = path.split('/').map(encodeURIComponent).join('/')
  return query === '' ? escaped : `${escaped}?${query}`
}

const PATH_UNSAFE = /[^A-Za-z0-9\-._~$!'()*+,;:/]/g
const QUERY_UNSAFE = /[^A-Za-z0-9\-._~$!'()*+,;:&%=]/g
const UNRESERVED = /[A-Za-z0-9\-._~$!'()*+,;]/
const INVALID_UTF8 = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g

/**
 * The `url` of an echo in the form httpbin (Werkzeug) shows: host without its default port, path and query with the
 * escapes of unreserved characters and of valid UTF-8 decoded.
 */
export function buildRequestUrl(origin: { scheme: string; host: string }, { path, query }: Target): string {
  const pathBytes = /[^\0-~]/.test(path) ? Buffer.from(path, 'utf8').toString('latin1') : path
  const shownPath = decodeReadable(pathBytes.replace(PATH_UNSAFE, escapeByte))
  const shownQuery = query === '' ? '' : `?${decodeReadable(query.replace(QUERY_UNSAFE, escapeByte))}`
  return `${origin.scheme}://${showHost(origin)}${shownPath}${shownQuery}`
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

function decodeReadable(text: string): string {
  if (!text.includes('%')) return text
  const bytes = decodeEscapes(text, isReserved)
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return bytes.toString('latin1').replace(INVALID_UTF8, (sequence) => {
    const part = Buffer.from(sequence, 'latin1')
    return isUtf8(part) ? part.toString('utf8') : sequence.replace(/[^]/g, escapeByte)
  })
}

function isReserved(byte: number): boolean {
  return byte < 0x80 && !UNRESERVED.test(String.fromCharCode(byte))
}

/** A host without a port that says nothing: the default one, or none at all. */
function showHost({ scheme, host }: { scheme: string; host: string }): string {
  const [, name = '', port = ''] = /^(\[[^\]]*\][^:]*|[^:]*)(?::(.*))?$/s.exec(host) ?? []
  const shown = name.includes('xn--') ? domainToUnicode(name) || name : name
  const isDefault = port === (scheme === 'https' ? '443' : '80')
  return isDefault || !/^[0-9]{1,9}$/.test(port) || Number(port) > 65_535 ? shown : `${shown}:${Number(port)}`
}
