import type { JsonObject, ValuePath } from '../json.ts'

const known = new WeakSet<object>()

/** Marks headers with names in lower case: expressions can read them by names in any case. */
export function markHeaders<Headers extends object>(headers: Headers): Headers {
  known.add(headers)
  return headers
}

export function isHeaders(data: unknown): boolean {
  return known.has(data as object)
}

/** True if a part of a header is this text, but not the whole: `html` of `html, xml` or of `html; q=1`. */
export function isPartOfHeader(text: unknown, header: unknown): boolean {
  if (typeof text !== 'string' || typeof header !== 'string') return false
  const [sought, ...parts] = [text, ...header.split(/[,;]/)].map((one) => one.trim().toLowerCase())
  return sought !== '' && parts.length > 1 && parts.includes(sought as string)
}

/** `headers.Name` or `headers['Name']`, also of the request; or a string, inside which only the `${…}` of a template literal are searched. */
const HEADER_OR_TEXT =
  /(?<![\w$.])(?:request\??\.)?headers\s*(?:(?:\?\.)?\s*\[\s*(?:'[^'\\]*'|"[^"\\]*")\s*\]|\??\.\w+)|(['"`])(?:\\.|(?!\1)[^\\])*\1/gs

/**
 * Lower-cases the header names in an expression, as the responses and requests in `locals` have them, since case does not
 * matter (RFC 9110 5.1): `headers['Content-Type']`, `request.headers.Accept`. Offsets stay the same.
 */
export function lowerHeaderNames(source: string, locals: JsonObject | undefined): string {
  if (!locals || !source.includes('headers')) return source
  return source.replaceAll(HEADER_OR_TEXT, (found, quote: string | undefined) => {
    const root = found.startsWith('request') ? 'request' : 'headers'
    if (quote === undefined)
      return Object.hasOwn(locals, root)
        ? found.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
        : found
    return quote === '`'
      ? found.replaceAll(/(?<!\\)\$\{[^}]*\}/g, (inner) => lowerHeaderNames(inner, locals))
      : found
  })
}

/** The same for the path of a reference, such as `{{headers.Content-Type}}`. */
export function lowerHeaderKey(root: string, path: ValuePath, locals: JsonObject = {}): ValuePath {
  const at = root === 'headers' ? 0 : root === 'request' && path[0] === 'headers' ? 1 : -1
  if (at < 0 || !Object.hasOwn(locals, root)) return path
  return path.map((key, index) => (index === at ? String(key).toLowerCase() : key))
}
