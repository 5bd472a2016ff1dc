import type { JsonObject } from '../json.ts'

/** The cookies that a response sets (RFC 6265, 5.2), by name: value and attributes, such as `http_only`. */
export function readCookies(headers: Record<string, string | string[]>): Record<string, JsonObject> {
  const cookies = Object.create(null) as Record<string, JsonObject>
  for (const line of [headers['set-cookie'] ?? []].flat()) {
    const [first = '', ...attributes] = line.split(';')
    const [name, value] = splitPair(first)
    if (name === '' || !first.includes('=')) continue
    const cookie: JsonObject = Object.assign(Object.create(null) as JsonObject, { value })
    for (const attribute of attributes) {
      const [key, written] = splitPair(attribute)
      if (key === '') continue
      const known = key.toLowerCase().replace('httponly', 'http_only').replace('samesite', 'same_site')
      const read = known === 'max-age' && /^-?\d+$/.test(written) ? Number(written) : written
      cookie[known.replaceAll('-', '_')] = FLAGS.has(known) || read
    }
    for (const flag of FLAGS) cookie[flag] ??= false
    cookies[name] = Object.assign(cookie, { value })
  }
  return cookies
}

const FLAGS: ReadonlySet<string> = new Set(['http_only', 'secure', 'partitioned'])

function splitPair(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  return at === -1 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}
