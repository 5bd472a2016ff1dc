import { setTimeout } from 'node:timers/promises'
import type { Connection } from '../transport/connection.ts'
import type { CookieJar } from '../cookies.ts'
import type { ConnectionPool } from '../transport/connection-pool.ts'
import { findHeader, splitTarget } from '../exchange.ts'
import type { Redirect, RequestLimits, RequestSpec, SentRequest } from '../exchange.ts'
import { addCookies, followRedirect, readLocation } from './follow-redirect.ts'
import type { RedirectRules } from './follow-redirect.ts'
import { readErrorCode } from '../render/network-errors.ts'
import { isClosedCode } from '../render/describe-failure.ts'
import type { Stop } from '../transport/progress.ts'
import { maskCredentials } from '../transport/proxy.ts'
import { sendOnce } from '../transport/send-once.ts'
import type { HopOutcome, HopRequest } from '../transport/send-once.ts'
import type { Watch } from '../transport/exchange-deadline.ts'

/** How a request is sent, besides what it says. */
export type SendOptions = RedirectRules & {
  /** Connections to use; without it the request gets its own, closed afterwards. */
  pool?: ConnectionPool
  /** Limits that differ from the defaults. */
  limits?: Partial<RequestLimits>
  /** Ends the request at once, with the code `ABORTED`. */
  signal?: AbortSignal
  cookies?: CookieJar
  /** True takes any TLS certificate. */
  insecure?: boolean
}

/** What the requests of one exchange share. */
export type HopContext = { options: SendOptions; pool: ConnectionPool; limits: RequestLimits; watch: Watch }

/** The requests of an exchange: the first as sent, the last with its outcome, and why no further one followed. */
export type Journey = {
  sent: SentRequest
  hop: HopRequest
  outcome: HopOutcome
  redirects: Redirect[]
  warnings: string[]
  /** Why a redirect was not followed. */
  stop?: Stop
}

/** Sends a request and the ones its redirects ask for. */
export async function followHops(spec: RequestSpec, context: HopContext): Promise<Journey> {
  const { method, url, headers, body, maxRedirects } = spec
  let request: HopRequest = body === undefined ? { method, url, headers } : { method, url, headers, body }
  let hop = await addJarCookies(request, context)
  const warnings: string[] = []
  let outcome = await sendHop(hop, context, warnings)
  warnings.push(...(await keepCookies(hop, outcome, context)))
  const journey = { sent: outcome.sent, redirects: [] as Redirect[], warnings }
  const trail = [describeHop(hop)]
  for (;;) {
    const location = maxRedirects > 0 && outcome.error === undefined ? readLocation(outcome.head) : undefined
    if (location === undefined || outcome.head === undefined) return { ...journey, hop, outcome }
    if (journey.redirects.length === maxRedirects) {
      return { ...journey, hop, outcome, stop: createLimitStop(maxRedirects) }
    }
    const followed = followRedirect(request, outcome.head, context.options)
    if ('stop' in followed) return { ...journey, hop, outcome, stop: followed.stop }
    journey.redirects.push({
      statusCode: outcome.head.statusCode,
      method: hop.method,
      url: hop.url,
      location,
    })
    request = followed.next
    const next = await addJarCookies(request, context)
    const key = describeHop(next)
    if (trail.includes(key)) {
      return { ...journey, hop, outcome, stop: createLoopStop(journey.redirects, next.url) }
    }
    trail.push(key)
    hop = next
    outcome = await sendHop(hop, context, warnings)
    warnings.push(...(await keepCookies(hop, outcome, context)))
  }
}

/** May be sent again when a kept-alive connection breaks before the answer (RFC 9112, 9.3.1; RFC 9110, 9.2.2). */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'PUT', 'DELETE'])

async function sendHop(hop: HopRequest, context: HopContext, warnings: string[]): Promise<HopOutcome> {
  const mayRepeat = repeatable.has(hop.method)
  const outcome = await sendOnConnection(hop, context, mayRepeat ? undefined : 'sure')
  if (!mayRepeat || !wasClosedUnanswered(outcome)) return outcome
  warnings.push(
    `${hop.method} ${maskCredentials(hop.url)} was sent twice: the server closed the kept-alive connection before it answered, so the request went out again on a new one`,
  )
  return sendOnConnection(hop, context, 'fresh')
}

/** True for a request on a connection that was used before, which closed without one byte of an answer. */
function wasClosedUnanswered({ error, progress }: HopOutcome): boolean {
  if (error === undefined || progress.connectStartedAt !== undefined) return false
  return progress.firstByteAt === undefined && isClosedCode(readErrorCode(error, progress.phase))
}

async function sendOnConnection(
  hop: HopRequest,
  { pool, options, limits, watch }: HopContext,
  need: 'fresh' | 'sure' | undefined,
): Promise<HopOutcome> {
  const [origin] = splitTarget(hop.url)
  const connection = pool.acquire(origin, options.insecure ?? false, need)
  if (need === 'sure' && connection.freeSince > 0 && !connection.kept) await probe(connection)
  const outcome = await sendOnce(connection, hop, { limits, onStart: watch.onStop })
  const unsent = connection.unsentWrites > 0
  if (outcome.error !== undefined && unsent && outcome.progress.phase === 'head') {
    outcome.progress.phase = 'send'
  }
  connection.kept ||= readHeader(outcome, 'connection')?.toLowerCase() === 'keep-alive'
  const announced = /(?:^|[,\s])timeout=(\d+)/i.exec(readHeader(outcome, 'keep-alive') ?? '')?.[1]
  connection.keptFor = announced === undefined ? unannouncedTime : Number(announced) * 1000
  // An answer that came before the whole request was taken leaves the rest of it in the socket.
  if (outcome.error !== undefined || unsent) pool.drop(connection)
  else pool.release(connection)
  return outcome
}

function readHeader({ head }: HopOutcome, name: string): string | undefined {
  return head && findHeader(head.headers, name)
}

/** Milliseconds an idle connection is trusted with a request that must not be sent twice, unless the server announces others. */
const unannouncedTime = 1000

/** Milliseconds a server that did not announce to keep a connection has for closing it. */
const quietTime = 5

/**
 * Waits, once per connection, whether the server closes it right after its answer without having said so: a request
 * sent into that moment would be lost, if it must not be sent twice. After the wait a closed one is opened anew.
 */
async function probe(connection: Connection): Promise<void> {
  const rest = connection.freeSince + quietTime - performance.now()
  if (rest > 0) await setTimeout(rest)
  connection.kept = true
}

async function addJarCookies(request: HopRequest, { options }: HopContext): Promise<HopRequest> {
  if (options.cookies === undefined) return request
  return { ...request, headers: addCookies(request.headers, await options.cookies.header(request.url)) }
}

async function keepCookies(hop: HopRequest, outcome: HopOutcome, { options }: HopContext): Promise<string[]> {
  if (options.cookies === undefined || outcome.head === undefined) return []
  const lines = outcome.head.headers.filter(([name]) => name.toLowerCase() === 'set-cookie')
  return options.cookies.store(
    hop.url,
    lines.map(([, value]) => value),
  )
}

/** A request that was sent before with the same cookies would get the same redirect. */
function describeHop({ method, url, headers }: HopRequest): string {
  const cookies = headers.filter(([name]) => name.toLowerCase() === 'cookie')
  return JSON.stringify([method, url, cookies])
}

function createLoopStop(redirects: Redirect[], url: string): Stop {
  const path = [...redirects.map((redirect) => redirect.url), url].slice(-10).join(' → ')
  return { code: 'REDIRECT_LOOP', message: `the redirects go round in a circle: ${path}` }
}

function createLimitStop(limit: number): Stop {
  return {
    code: 'TOO_MANY_REDIRECTS',
    message: `the server redirected more than ${limit} times`,
    hint: 'The option `follow_redirects` sets the limit',
  }
}
