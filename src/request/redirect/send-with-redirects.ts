import { addJarCookies, type CookieJar } from '../cookies.ts'
import { findHeader } from '../exchange.ts'
import type {
  AuthContext,
  AuthRequest,
  BodyReader,
  ConnectionSettings,
  Exchange,
  Redirect,
  RequestLimits,
  RequestPhase,
  RequestSpec,
  ResponseHead,
  SentRequest,
  Stop,
  Token,
} from '../exchange.ts'
import type { BodyHold } from '../transport/body-budget.ts'
import type { ConnectionPool } from '../transport/connection-pool.ts'
import { sendHop, type HopContext } from '../transport/send-hop.ts'
import type { HopOutcome } from '../transport/send-once.ts'
import { followRedirect, readLocation, type RedirectRules } from './follow-redirect.ts'
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

/** The requests of an exchange: the first as sent, the last with its outcome, and why it ended early. */
export type Journey = {
  sent?: SentRequest
  hop: SentRequest
  outcome?: HopOutcome
  redirects: Redirect[]
  authRequests: AuthRequest[]
  /** Why a redirect was not followed, or no credentials were to be had. */
  stop?: { phase: RequestPhase; error: Stop }
}

/** Sends a request with its credentials, and the ones its redirects ask for. */
export async function sendWithRedirects(spec: RequestSpec, context: JourneyContext): Promise<Journey> {
  const { method, url, headers, body, maxRedirects } = spec
  let request: SentRequest = body === undefined ? { method, url, headers } : { method, url, headers, body }
  let { auth } = spec
  const journey: Journey = { hop: request, redirects: [], authRequests: [] }
  const trail: SentRequest[] = []
  for (;;) {
    journey.hop = await addJarCookies(request, spec.withoutJar ? undefined : context.options.cookies)
    if (trail.some((earlier) => isSameHop(earlier, journey.hop))) {
      return stopJourney(journey, 'redirect', createLoopStop(journey, context.options))
    }
    trail.push(journey.hop)
    const problem = await sendAuthorized(journey, { spec, auth, context })
    if (problem !== undefined) return stopJourney(journey, 'auth', problem)
    const { outcome, hop } = journey
    const location = maxRedirects > 0 && !outcome?.error ? readLocation(outcome?.head) : undefined
    if (location === undefined || outcome?.head === undefined) return journey
    if (journey.redirects.length === maxRedirects) {
      return stopJourney(journey, 'redirect', createLimitStop(maxRedirects))
    }
    const followed = followRedirect(request, outcome.head, context.options)
    if ('stop' in followed) return stopJourney(journey, 'redirect', followed.stop)
    const { statusCode } = outcome.head
    const cookies = readSetCookies(outcome.head).map((line) => line.split('=')[0]?.trim() ?? '')
    journey.redirects.push({
      status_code: statusCode,
      method: hop.method,
      url: hop.url,
      location,
      ...(cookies.length > 0 && { set_cookies: cookies }),
    })
    request = followed.next
    if (followed.crossOrigin) {
      auth = undefined
      context.settings = withoutIdentity(context.settings)
    }
  }
}

function stopJourney(journey: Journey, phase: RequestPhase, error: Stop): Journey {
  return { ...journey, stop: { phase, error } }
}

type Authorized = { spec: RequestSpec; auth: RequestSpec['auth']; context: JourneyContext }

/** Sends the hop, with credentials if there are any to be given, and once more if the answer asks for other ones. */
async function sendAuthorized(
  journey: Journey,
  { spec, auth, context }: Authorized,
): Promise<Stop | undefined> {
  if (auth !== undefined) {
    const authorized = await authorize(journey, { spec, auth, context })
    if ('code' in authorized) return authorized
    journey.hop = authorized
  }
  const send = async (): Promise<void> => {
    journey.outcome = await sendHop(journey.hop, context)
    context.warnings.push(...(await keepCookies(journey.hop, journey.outcome, context)))
  }
  const startedAt = performance.now()
  await send()
  const head = journey.outcome?.error === undefined ? journey.outcome?.head : undefined
  const next = head && auth?.answer?.(journey.hop, head)
  if (typeof next === 'string') context.warnings.push(next)
  else if (head !== undefined && next !== undefined) {
    const { method, url } = journey.hop
    const duration_ms = roundMs(performance.now() - startedAt)
    journey.authRequests.push({ method, url, status_code: head.statusCode, duration_ms })
    journey.hop = next
    await send()
  }
  if (journey.outcome !== undefined) journey.sent ??= journey.outcome.sent
  return undefined
}

async function authorize(
  { hop, authRequests }: Journey,
  { spec, auth, context }: Authorized,
): Promise<SentRequest | Stop> {
  const { options, watch, send } = context
  const authContext: AuthContext = {
    send,
    tokens: options.tokens ?? new Map(),
    timeout: spec.timeout,
    record: (exchange) => authRequests.push(summarise(exchange)),
  }
  try {
    const stopped = new Promise<Stop>((resolve) => watch.onStop(resolve))
    return await Promise.race([auth?.authorize(hop, authContext) ?? hop, stopped])
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error as unknown as Stop
    throw error
  }
}

function summarise({ request: { method, url }, response, timings }: Exchange): AuthRequest {
  return {
    method,
    url,
    ...(response && { status_code: response.statusCode }),
    duration_ms: roundMs(timings.total),
  }
}

/** A client certificate is a credential too. */
function withoutIdentity({ tls, ...settings }: ConnectionSettings): ConnectionSettings {
  return tls?.ca === undefined ? settings : { ...settings, tls: { ca: tls.ca } }
}

async function keepCookies(
  hop: SentRequest,
  outcome: HopOutcome,
  { options }: JourneyContext,
): Promise<string[]> {
  if (options.cookies === undefined || outcome.head === undefined) return []
  return options.cookies.store(hop.url, readSetCookies(outcome.head))
}

function readSetCookies({ headers }: ResponseHead): string[] {
  return headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value)
}

/** A request that was sent before with the same cookies would get the same redirect. */
function isSameHop(one: SentRequest, other: SentRequest): boolean {
  if (one.method !== other.method || one.url !== other.url) return false
  return findHeader(one.headers, 'cookie') === findHeader(other.headers, 'cookie')
}

function createLoopStop({ redirects, hop, outcome }: Journey, { cookies }: JourneyContext['options']): Stop {
  const path = [...redirects.map((redirect) => redirect.url), hop.url].slice(-10).join(' → ')
  const isLost = !cookies && findHeader(outcome?.head?.headers ?? [], 'set-cookie') !== undefined
  const hint = 'They set a cookie: `cookies: true` in the suite sends it back'
  return {
    code: 'REDIRECT_LOOP',
    message: `the redirects form a cycle: ${path}`,
    ...(isLost && { hint }),
  }
}

function createLimitStop(limit: number): Stop {
  return {
    code: 'TOO_MANY_REDIRECTS',
    message: `the server redirected more than ${limit === 1 ? 'once' : `${limit} times`}`,
    hint: 'The option `follow_redirects` sets the limit',
  }
}
