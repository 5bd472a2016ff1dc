import { addJarCookies, type CookieJar } from '../cookies.ts'
import { findHeader, RequestStop } from '../exchange.ts'
import type {
  AuthContext,
  AuthRequest,
  BodyReader,
  ConnectionSettings,
  Exchange,
  RequestLimits,
  RequestSpec,
  ResponseHead,
  SentRequest,
  Stop,
  Token,
} from '../exchange.ts'
import { roundMs } from '../../text/units.ts'
import type { BodyHold } from '../transport/body-budget.ts'
import type { ConnectionPool } from '../transport/connection-pool.ts'
import { sendHop, type HopContext } from '../transport/send-hop.ts'
import type { HopOutcome } from '../transport/send-once.ts'
import { followRedirect, readLocation, type RedirectRules } from './follow-redirect.ts'

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
    const { code } = error as Partial<Stop>
    throw code === undefined ? error : new RequestStop('auth', error as Stop)
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
