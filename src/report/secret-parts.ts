// Cookie values shorter than this are more often settings (`theme=dark`) than secrets.
const shortestCookie = 8

/**
 * Lists what in a secret value is secret by itself: the whole, the credentials behind a scheme (`Bearer x`), user's password
 * of Basic credentials (RFC 7617), and the values of cookies (RFC 6265).
 */
export function listSecretParts(value: string): string[] {
  const scheme = /^(?:bearer|basic|digest|token|apikey)\s+(\S.*)$/is.exec(value)
  if (scheme?.[1] === undefined) return [value, ...listCookieValues(value)]
  const credentials = scheme[1].trim()
  return /^basic/i.test(value) ? [value, credentials, ...decodeBasic(credentials)] : [value, credentials]
}

function decodeBasic(credentials: string): string[] {
  if (!/^[\w+/=-]+$/.test(credentials)) return []
  const text = Buffer.from(credentials, 'base64').toString()
  const colon = text.indexOf(':')
  return colon === -1 ? [] : [text, text.slice(colon + 1)]
}

function listCookieValues(value: string): string[] {
  if (!/^[\w!#$%&'*.^`|~+-]+=/.test(value)) return []
  return value
    .split(';')
    .filter((pair) => !/^\s*(?:path|domain|expires|max-age|samesite)=/i.test(pair))
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    .filter((text) => text.length >= shortestCookie)
}
