import { looksSecret } from './secret-names.ts'

// Shorter cookies are mostly settings (`theme=dark`). Shorter credentials are searched with their scheme.
const shortestPart = 8

/**
 * Lists the parts of a secret value that are secret by themselves: the credentials after a scheme (`Bearer
 * x`) and the password in Basic ones (RFC 7617); or else the whole value, the values of cookies (RFC 6265),
 * what follows an unknown scheme (`SSWS x`), and long parts of a URL, as a server receives its path alone.
 */
export function listSecretParts(value: string): string[] {
  const [, scheme = '', credentials = ''] = /^([a-z][\w-]*)\s+(\S.*)$/is.exec(value.trim()) ?? []
  if (credentials.length >= shortestPart && /^(?:bearer|basic|digest|token|apikey)$/i.test(scheme))
    return /basic/i.test(scheme) ? [credentials, ...decodeBasic(credentials)] : [credentials]
  // Longer than `address` allows and with a digit, but not a name with a version: `customer-service-v2`.
  const segments = /^https?:\/\//i.test(value) ? value.split(/[/?#&=]/).slice(3) : []
  const parts = segments.filter((part) => /^(?=.{13})(?!(?:[a-z]{2,12}[._-])+v?\d{1,4}$).*\d/i.test(part))
  if (looksSecret(credentials) && !/\s/.test(credentials)) parts.push(credentials)
  return [value, ...listCookieValues(value), ...parts]
}

/** The length of what is public at the start of a header's value or of a part of it: a scheme, or the name of the first parameter or cookie. */
export function measureOpen(part: string, value: string, name: string): number {
  const [header] = /(?:cookie|authorization)(?![\w-])/i.exec(name) ?? []
  if (header === undefined) return 0
  // An `=` at the end is padding of base64.
  const whole = /cookie/i.test(header)
    ? /^[\w!#$%&'*.^`|~+-]+=(?!=|$)/
    : /^[a-z][\w-]*\s+(?=\S)(?:[a-z_-]+=(?!=|$)"?)?/i
  return (part === value ? whole : /^[a-z_-]+="/i).exec(part)?.[0].length ?? 0
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
    .filter((pair) => pair.includes('=') && !/^\s*(?:path|domain|expires|max-age|samesite)=/i.test(pair))
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    .filter((text) => text.length >= shortestPart)
}
