import { mask } from './secret-names.ts'

// Cookie values shorter than this are more often settings (`theme=dark`) than secrets.
const shortestCookie = 8

// Behind a scheme, shorter ones are searched for together with it.
const shortestCredentials = 8

/**
 * Lists what in a secret value is secret by itself: the credentials behind a scheme (`Bearer x`), user's password of Basic
 * credentials (RFC 7617), or else the whole and the values of cookies (RFC 6265).
 */
export function listSecretParts(value: string): string[] {
  const [, scheme = '', credentials] =
    /^(bearer|basic|digest|token|apikey)\s+(\S.*)$/is.exec(value.trim()) ?? []
  if (credentials !== undefined && credentials.length >= shortestCredentials)
    return /basic/i.test(scheme) ? [credentials, ...decodeBasic(credentials)] : [credentials]
  return [value, ...listCookieValues(value)]
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

/** Names of types and bounds, which checks expect of secret fields: no secrets. */
const harmless = /^(?:string|number|integer|boolean|object|array|null|(?:>|<|>=|<=) [\d.]+)$/

/** True for what `type` and `minLength` expect, also of a secret field. */
export function isHarmless(value: string): boolean {
  return harmless.test(value)
}

/** Names of checks that say nothing of the value they judge. */
const outside = /^(?:(?:min|max)_?length|length|type|exists|not_?empty)$/i

/** True for the name of a check whose operand is no secret, also of a secret field. */
export function isOutside(name: string): boolean {
  return outside.test(name)
}

/** True for values that name or compute the secret instead of being it. */
export function isReference(value: string): boolean {
  const text = value.trim().replace(/^(?:bearer|basic|digest|token)\s+/i, '')
  return (
    isTemplate(text) ||
    /^(?:true|false|null|~)$/.test(text) ||
    // A path with a function, filter or pipe.
    /^(?:[a-z_]+\([^\n]*\b(?:body|headers)\b|(?:body|headers)[.[][^\n]*(?:\[\?|\s\|\s|`))/.test(text) ||
    // A path ends with its text, or with its part of a YAML flow map.
    /^(?:body|headers|status_code|request|response|variables)(?:$|[.[][\w.[\]*@"'-]*(?:$|\s*[,}]))/.test(text)
  )
}

/** True for text that consists of `{{…}}` only (perhaps behind a scheme such as `Bearer`), is empty or is redacted already. */
export function isTemplate(value: string): boolean {
  const text = value.trim().replace(/^(?:bearer|basic|digest|token)\s+/i, '')
  return text === '' || text === mask || /^(?:\{\{(?:(?!\}\}).)*\}\}[\s:;,]*)+$/.test(text)
}
