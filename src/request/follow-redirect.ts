import { findHeader } from './exchange.ts'
import type { ConnectionSettings, ResponseHead, SentRequest } from './exchange.ts'
import { RequestProblem } from './request-problem.ts'
import { searchFor, type Secret, type SecretSearch } from '../secrets/secret-search.ts'

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Headers with credentials, never sent to another origin. `isSecretName` adds more. */
const credentialNames =
  /^(authorization|cookie2?|proxy-authorization)$|token|secret|passw|credential|session|signature|api-?key|(^|[-_])auth(entication|orization)?([-_]|$)/i

/** Headers dropped along with the body (Fetch, HTTP-redirect fetch, step 12). */
const bodyHeaders = /^(content-(type|length|encoding|language|location)|digest|content-digest|repr-digest)$/i

export type RedirectRules = {
  isSecretName?: (name: string) => boolean
  secretValues?: () => readonly (string | Secret)[]
}

export function readLocation({ statusCode, headers }: ResponseHead): string | undefined {
  return redirectStatuses.has(statusCode) ? findHeader(headers, 'location') : undefined
}

/** Makes the request after a redirect (Fetch, HTTP-redirect fetch). Throws a RequestProblem if refused. */
export function followRedirect(
  request: SentRequest,
  { statusCode, location }: { statusCode: number; location: string },
  rules: RedirectRules,
): { next: SentRequest; crossOrigin: boolean } {
  const target = resolveLocation(location, request.url)
  const crossOrigin = target.origin !== new URL(request.url).origin
  const next = changeMethod(request, statusCode)
  if (crossOrigin) {
    const search = searchFor(rules.secretValues?.() ?? [])
    next.headers = next.headers.filter(
      ([name, value]) =>
        name.toLowerCase() !== 'host' &&
        !credentialNames.test(name) &&
        !rules.isSecretName?.(name) &&
        !containsSecret(value, search),
    )
    if (next.body !== undefined && containsSecret(Buffer.from(next.body).toString('latin1'), search))
      throw refuse(`the target ${target.origin} is another origin and the body holds a secret`)
  }
  next.url = target.origin + target.pathname + target.search
  return { next, crossOrigin }
}

function resolveLocation(location: string, base: string): URL {
  // Servers write locations in UTF-8, but headers are read as latin-1.
  const utf8 = Buffer.from(location, 'latin1').toString('utf8')
  const text = utf8.includes('\ufffd') ? location : utf8
  const url = URL.parse(text, base)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refuse(`the location \`${text}\` is not an http or https URL`)
  if (url.username !== '' || url.password !== '')
    throw refuse(`the location for ${url.host} contains a user name or password`)
  return url
}

/** 303 leads to a GET, and so do 301 and 302 after a POST; 307 and 308 repeat the request. */
function changeMethod(request: SentRequest, statusCode: number): SentRequest {
  const { method, url, headers } = request
  const becomesGet = statusCode === 303 ? method !== 'GET' && method !== 'HEAD' : method === 'POST'
  if (statusCode > 303 || !becomesGet) return { ...request }
  return { method: 'GET', url, headers: headers.filter(([name]) => !bodyHeaders.test(name)) }
}

/** True if bytes, given as latin-1, contain a secret in any spelling, read as latin-1 or as UTF-8. */
function containsSecret(text: string, search: SecretSearch): boolean {
  return search.find(text).length > 0 || search.find(Buffer.from(text, 'latin1').toString('utf8')).length > 0
}

/** Connection settings for another origin: not those for this server, and not the client certificate. */
export function connectElsewhere(connection: ConnectionSettings | undefined): ConnectionSettings | undefined {
  if (connection === undefined) return undefined
  const { http2: _http2, tls, ...rest } = connection
  return tls?.ca === undefined ? rest : { ...rest, tls: { ca: tls.ca } }
}

/** True if method, URL and cookies are the same, so that the redirect would be too. */
export function isSameRequest(one: SentRequest, other: SentRequest): boolean {
  if (one.method !== other.method || one.url !== other.url) return false
  return findHeader(one.headers, 'cookie') === findHeader(other.headers, 'cookie')
}

export function stopLoop(trail: readonly SentRequest[], keepsCookies: boolean): RequestProblem {
  const path = trail.slice(-10).map(({ url }) => url)
  const ofTime = 'use `follow_redirects: false` and `retry`'
  const hint = keepsCookies
    ? `If time is to end them, ${ofTime}`
    : `If a cookie is to end them, set \`cookies: true\` in the suite; if time is, ${ofTime}`
  return new RequestProblem(`the redirects form a cycle: ${path.join(' → ')}`, 'REDIRECT_LOOP', hint)
}

export function stopRedirects(limit: number): RequestProblem {
  const message = `the server redirected more than ${limit === 1 ? 'once' : `${limit} times`}`
  return new RequestProblem(message, 'TOO_MANY_REDIRECTS', 'The option `follow_redirects` sets the limit')
}

function refuse(message: string): RequestProblem {
  const hint = 'With `follow_redirects: false` the step checks the redirect itself'
  return new RequestProblem(message, 'REDIRECT_REFUSED', hint)
}
