import { addJarCookies, type CookieJar } from '../cookies.ts'
import {
  RequestStop,
  findHeader,
  type AuthContext,
  type AuthRequest,
  type BodyReader,
  type ConnectionSettings,
  type Exchange,
  type RequestLimits,
  type RequestSpec,
  type ResponseHead,
  type SentRequest,
  type Stop,
  type Token,
} from '../exchange.ts'
import type { BodyHold } from '../transport/body-budget.ts'
import type { ConnectionPool } from '../transport/connection.ts'
import { sendHop, type HopContext, type HopOutcome } from '../transport/send-hop.ts'
import { createSecretSearch, type SecretSearch } from '../../secrets/secret-search.ts'
import { roundMs } from '../../text/units.ts'

/** How a request is sent, besides what it says. */
export type SendOptions = RedirectRules &
  ConnectionSettings & {
    /** Connections to use; without it the request gets its own, closed afterwards. */
    pool?: ConnectionPool
    /** Limits that differ from the defaults. */
    limits?: Partial<RequestLimits>
    /** Counts what answers hold in memory. */
    hold?: BodyHold
    /** Ends the request at once, with the code `ABORTED`. */
    signal?: AbortSignal
    /** ms for which the event loop has stood still so far: time limits leave out what is added meanwhile. @default nothing is known of that */
    readBlocked?: () => number
    cookies?: CookieJar
    /** Reads the body of the last answer while it comes. */
    reader?: BodyReader
    /** Tokens that were fetched for earlier requests. */
    tokens?: Map<string, Promise<Token>>
  }

/** What the requests of one exchange share. */
export type JourneyContext = HopContext & { options: SendOptions; send: AuthContext['send'] }

/** The requests of an exchange: the last one with its outcome, and what is noted of those before it. */
export type Journey = { hop: SentRequest; outcome?: HopOutcome; exchange: Exchange }

/** Sends a request with its credentials, and the ones its redirects ask for; throws a RequestStop. */
export async function sendWithRedirects(
  spec: RequestSpec,
  journey: Journey,
  context: JourneyContext,
): Promise<void> {
  const { exchange } = journey
  const { redirects } = exchange
  let { request } = exchange
  let { auth } = spec
  const trail: SentRequest[] = []
  for (;;) {
    const hop = await addJarCookies(request, spec.withoutJar ? undefined : context.options.cookies)
    journey.hop = hop
    if (trail.some((earlier) => isSameHop(earlier, hop)))
      throw new RequestStop('redirect', describeLoop(journey, context))
    trail.push(hop)
    const { head, error, sent } = await sendAuthorized(journey, { ...spec, auth }, context)
    if (redirects.length === 0) exchange.request = sent
    const location = readLocation(error ? undefined : head)
    if (location === undefined || head === undefined || spec.maxRedirects === 0) return
    if (redirects.length === spec.maxRedirects)
      throw new RequestStop('redirect', describeLimit(spec.maxRedirects))
    const { next, crossOrigin } = followRedirect(request, head, context.options)
    const cookies = readSetCookies(head).map((line) => line.split('=')[0]?.trim() ?? '')
    redirects.push({
      status_code: head.statusCode,
      method: hop.method,
      url: hop.url,
      location,
      ...(cookies.length > 0 && { set_cookies: cookies }),
    })
    request = next
    if (crossOrigin) {
      auth = undefined
      context.settings = withoutIdentity(context.settings)
    }
  }
}

/** Sends the hop, with credentials if there are any to be given, and once more if the answer asks for other ones. */
async function sendAuthorized(
  journey: Journey,
  spec: { auth?: RequestSpec['auth'] | undefined; timeout: number },
  context: JourneyContext,
): Promise<HopOutcome> {
  const { auth } = spec
  if (auth !== undefined) journey.hop = await authorize(auth, { journey, context, timeout: spec.timeout })
  const startedAt = performance.now()
  const outcome = await sendAndKeepCookies(journey, context)
  const { head, error } = outcome
  const next = error || !head ? undefined : auth?.answer?.(journey.hop, head)
  if (typeof next === 'string') context.warnings.push(next)
  if (head === undefined || next === undefined || typeof next === 'string') return outcome
  const { method, url } = journey.hop
  const duration_ms = roundMs(performance.now() - startedAt)
  note(journey, { method, url, status_code: head.statusCode, duration_ms })
  journey.hop = next
  return sendAndKeepCookies(journey, context)
}

async function sendAndKeepCookies(journey: Journey, context: JourneyContext): Promise<HopOutcome> {
  const { hop } = journey
  const outcome = await sendHop(hop, context)
  journey.outcome = outcome
  if (outcome.head && context.options.cookies)
    context.warnings.push(...(await context.options.cookies.store(hop.url, readSetCookies(outcome.head))))
  return outcome
}

async function authorize(
  auth: NonNullable<RequestSpec['auth']>,
  { journey, context, timeout }: { journey: Journey; context: JourneyContext; timeout: number },
): Promise<SentRequest> {
  const stopped = new Promise<never>((_, reject) => context.watch.onStop(reject))
  const send: AuthContext['send'] = async (spec) => {
    const exchange = await context.send(spec)
    const { request, response, timings } = exchange
    note(journey, {
      method: request.method,
      url: request.url,
      ...(response && { status_code: response.statusCode }),
      duration_ms: roundMs(timings.total),
    })
    return exchange
  }
  const tokens = context.options.tokens ?? new Map()
  try {
    return await Promise.race([auth.authorize(journey.hop, { send, tokens, timeout }), stopped])
  } catch (error) {
    const isStop = typeof error === 'object' && error !== null && 'code' in error
    throw isStop ? new RequestStop('auth', error as Stop) : error
  }
}

function note({ exchange }: Journey, request: AuthRequest): void {
  exchange.authRequests = [...(exchange.authRequests ?? []), request]
}

/** A client certificate is a credential too. */
function withoutIdentity({ tls, ...settings }: ConnectionSettings): ConnectionSettings {
  return tls?.ca === undefined ? settings : { ...settings, tls: { ca: tls.ca } }
}

function readSetCookies({ headers }: ResponseHead): string[] {
  return headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value)
}

/** A request that was sent before with the same cookies would get the same redirect. */
function isSameHop(one: SentRequest, other: SentRequest): boolean {
  if (one.method !== other.method || one.url !== other.url) return false
  return findHeader(one.headers, 'cookie') === findHeader(other.headers, 'cookie')
}

function describeLoop({ exchange: { redirects }, hop, outcome }: Journey, { options }: JourneyContext): Stop {
  const path = [...redirects.map((redirect) => redirect.url), hop.url].slice(-10).join(' → ')
  const isLost = !options.cookies && findHeader(outcome?.head?.headers ?? [], 'set-cookie') !== undefined
  return {
    code: 'REDIRECT_LOOP',
    message: `the redirects form a cycle: ${path}`,
    hint: isLost ? 'They set a cookie: `cookies: true` in the suite sends it back' : undefined,
  }
}

function describeLimit(limit: number): Stop {
  return {
    code: 'TOO_MANY_REDIRECTS',
    message: `the server redirected more than ${limit === 1 ? 'once' : `${limit} times`}`,
    hint: 'The option `follow_redirects` sets the limit',
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Prove who sends a request, so no other origin gets them; besides them all names that are secret by the caller's rule. */
const credentialNames =
  /^(authorization|cookie2?|proxy-authorization)$|token|secret|passw|credential|session|signature|api-?key|(^|[-_])auth(entication|orization)?([-_]|$)/i

/** Describe a body that is no longer sent (Fetch, HTTP-redirect fetch, step 12). */
const bodyHeaders = /^(content-(type|length|encoding|language|location)|digest|content-digest|repr-digest)$/i

type RedirectRules = {
  /** Tells whether a header is secret by its name; asked when a redirect leaves the origin. */
  isSecretName?: (name: string) => boolean
  /** Lists the values that are secrets, wherever they are; asked when a redirect leaves the origin. */
  secretValues?: () => readonly string[]
}

/** The target of a redirect as its server wrote it; undefined when the response is none. */
function readLocation(head: ResponseHead | undefined): string | undefined {
  if (head === undefined || !redirectStatuses.has(head.statusCode)) return undefined
  return findHeader(head.headers, 'location')
}

/** The request that follows a redirect (https://fetch.spec.whatwg.org/#http-redirect-fetch); throws a RequestStop for one that is refused. */
function followRedirect(
  request: SentRequest,
  head: ResponseHead,
  rules: RedirectRules,
): { next: SentRequest; crossOrigin: boolean } {
  const target = resolveLocation(readLocation(head) ?? '', request.url)
  const crossOrigin = target.origin !== new URL(request.url).origin
  const next = changeMethod(request, head.statusCode)
  if (crossOrigin) {
    const search = createSecretSearch()
    for (const secret of rules.secretValues?.() ?? []) search.add(secret)
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
  // Servers write locations in UTF-8, headers are read as latin-1.
  const bytes = Buffer.from(location, 'latin1')
  const text = bytes.toString('utf8').includes('\ufffd') ? location : bytes.toString('utf8')
  const url = URL.parse(text, base)
  if (url === null) throw refuse(`the location \`${text}\` is not a URL`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse(`the location \`${text}\` is neither http nor https`)
  if (url.username !== '' || url.password !== '')
    throw refuse(`the location for ${url.host} contains a user name or password`)
  return url
}

/** 303 asks for a GET, and so do 301 and 302 after a POST; 307 and 308 repeat the request. */
function changeMethod(request: SentRequest, statusCode: number): SentRequest {
  const { method, url } = request
  const becomesGet =
    (statusCode === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((statusCode === 301 || statusCode === 302) && method === 'POST')
  if (!becomesGet) return { ...request }
  return { method: 'GET', url, headers: request.headers.filter(([name]) => !bodyHeaders.test(name)) }
}

/** Tells whether bytes, given as latin-1, hold a secret in any spelling: bodies are UTF-8, headers latin-1. */
function containsSecret(text: string, search: SecretSearch): boolean {
  return search.find(text).length > 0 || search.find(Buffer.from(text, 'latin1').toString('utf8')).length > 0
}

function refuse(message: string): RequestStop {
  return new RequestStop('redirect', { code: 'REDIRECT_REFUSED', message })
}
