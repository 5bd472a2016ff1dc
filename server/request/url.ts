import { unescape } from 'node:querystring'
import { domainToUnicode } from 'node:url'

/** A request target: its path decoded, its query as received, without the `?`. */
export interface RequestTarget {
  path: string
  query: string
}

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** Splits a request target (RFC 9112, 3.2). Drops the origin of an absolute target, and any fragment. */
export function parseTarget(url: string): RequestTarget {
  const [target = ''] = (url.startsWith('/') ? url : url.replace(ABSOLUTE, '')).split('#', 1)
  const [path = ''] = target.split('?', 1)
  // Bad escapes are kept, and bytes that are not UTF-8 become U+FFFD.
  return { path: unescape(path) || '/', query: target.slice(path.length + 1) }
}

/** A target as routers expect it: without origin, fragment, and unnecessary escapes in its path. */
export function normaliseTarget(url: string): string {
  if (/^\/[A-Za-z0-9\-._~$!'()*+,;:@&=/]*(?:\?[^#]*)?$/.test(url)) return url
  const { path, query } = parseTarget(url)
  const escaped = path.split('/').map(encodeURIComponent).join('/')
  return query === '' ? escaped : `${escaped}?${query}`
}

/** Path and query as httpbin (Werkzeug) shows them: escapes of unreserved characters and of valid UTF-8 are decoded. */
export function showTarget({ path, query }: RequestTarget): string {
  const shownPath = path.replace(/[^A-Za-z0-9\-._~$!'()*+,;:/\x80-\u{10ffff}]/gu, escapeByte)
  const shownQuery = query
    .replace(/[^A-Za-z0-9\-._~$!'()*+,;:&%=]/g, escapeByte)
    .replace(ESCAPES, decodeReadable)
  return query === '' ? shownPath : `${shownPath}?${shownQuery}`
}

/** Matches the escapes of one UTF-8 character, or of one byte. */
const ESCAPES =
  /%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}|%[\da-f]{2}/gi

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

function decodeReadable(escapes: string): string {
  try {
    const character = decodeURIComponent(escapes)
    return /[^\0-\x7f]|[A-Za-z0-9\-._~$!'()*+,;]/.test(character) ? character : escapes
  } catch {
    return escapes.toUpperCase()
  }
}

/** An origin as httpbin shows it: without an empty or default port. */
export function showOrigin(scheme: string, host: string): string {
  const [, name = '', port = ''] = /^(\[[^\]]*\][^:]*|[^:]*)(?::(.*))?$/s.exec(host) ?? []
  const shown = name.includes('xn--') ? domainToUnicode(name) || name : name
  const isDefault = port === (scheme === 'https' ? '443' : '80')
  const isPort = /^[0-9]{1,9}$/.test(port) && Number(port) <= 65_535
  return `${scheme}://${shown}${isPort && !isDefault ? `:${Number(port)}` : ''}`
}
