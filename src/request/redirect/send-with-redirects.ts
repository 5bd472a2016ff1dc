import { setTimeout } from 'node:timers/promises'
import type { Connection } from '../transport/connection.ts'
import type { ConnectionPool } from '../transport/connection-pool.ts'
import type { Redirect, RequestLimits, RequestSpec, SentRequest } from '../exchange.ts'
import { findHeader } from '../find-header.ts'
import { addCookies, followRedirect, readLocation } from './follow-redirect.ts'
import type { Stop } from '../transport/progress.ts'
import type { SendOptions } from '../send-options.ts'
import { sendOnce } from '../transport/send-once.ts'
import type { HopOutcome, HopRequest } from '../transport/send-once.ts'
import { splitTarget } from '../split-target.ts'
import type { Watch } from '../transport/exchange-deadline.ts'

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
  let outcome = await sendHop(hop, context)
  const warnings = await keepCookies(hop, outcome, context)
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
    outcome = await sendHop(hop, context)
    warnings.push(...(await keepCookies(hop, outcome, context)))
  }
}

async function sendHop(hop: HopRequest, { pool, options, limits, watch }: HopContext): Promise<HopOutcome> {
  const [origin] = splitTarget(hop.url)
  const connection = pool.acquire(origin, options.insecure ?? false)
  if (connection.freeSince > 0 && !connection.kept) await probe(connection)
  const outcome = await sendOnce(connection, hop, { limits, onStart: watch.onStop })
  const unsent = connection.unsentWrites > 0
  if (outcome.error !== undefined && unsent && outcome.progress.phase === 'head') {
    outcome.progress.phase = 'send'
  }
  connection.kept ||= announcesKeepAlive(outcome)
  // An answer that came before the whole request was taken leaves the rest of it in the socket.
  if (outcome.error !== undefined || unsent) pool.drop(connection)
  else pool.release(connection)
  return outcome
}

function announcesKeepAlive({ head }: HopOutcome): boolean {
  return head !== undefined && findHeader(head.headers, 'connection')?.toLowerCase() === 'keep-alive'
}

/** Milliseconds a server that did not announce to keep a connection has for closing it. */
const quietTime = 5

/**
 * Waits, once per connection, whether the server closes it right after its answer without having said so: a request
 * sent into that moment would be lost, as none is sent twice. After the wait a closed one is opened anew.
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
