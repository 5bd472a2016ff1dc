const MAX_CACHED = 1000
const names = new Map<string, string>()

/** Each word between hyphens with an initial capital and the rest in lower case: `X-OAuth2-Flow` → `X-Oauth2-Flow`. */
function normaliseHeaderName(name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  const normal = name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
  if (names.size < MAX_CACHED && name.length <= 64) names.set(name, normal)
  return normal
}

/** The headers with normalised names. Repeated ones are joined with `,`; of `Content-Type` the last counts. */
export function readHeaders(rawHeaders: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = normaliseHeaderName(rawHeaders[index] ?? '')
    const value = rawHeaders[index + 1] ?? ''
    const previous = name === 'Content-Type' ? undefined : headers.get(name)
    headers.set(name, previous === undefined ? value : `${previous},${value}`)
  }
  if (headers.get('Content-Type') === '') headers.delete('Content-Type')
  return headers
}
