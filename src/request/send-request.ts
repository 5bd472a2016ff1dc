import { createPool } from './transport/connection-pool.ts'
import { decodeContent } from './receive/decode-content.ts'
import { describeFailure } from './render/describe-failure.ts'
import { defaultLimits } from './exchange.ts'
import { findHeader } from './exchange.ts'
import type { Exchange, ReceivedResponse, RequestPhase, RequestSpec } from './exchange.ts'
import { followHops } from './redirect/send-with-redirects.ts'
import type { HopContext, Journey } from './redirect/send-with-redirects.ts'
import type { SendOptions } from './redirect/send-with-redirects.ts'
import { readTimings } from './transport/progress.ts'
import type { Stop } from './transport/progress.ts'
import { startWatch } from './transport/exchange-deadline.ts'

/** Sends a request exactly once, follows its redirects and hands back what came of it; never rejects for what a server does. */
export async function sendRequest(spec: RequestSpec, options: SendOptions = {}): Promise<Exchange> {
  const pool = options.pool ?? createPool()
  const watch = startWatch(spec.timeout, options.signal)
  const context: HopContext = { options, pool, watch, limits: { ...defaultLimits, ...options.limits } }
  try {
    return await finishExchange(await followHops(spec, context), context)
  } finally {
    watch.end()
    if (options.pool === undefined) await pool.close()
  }
}

async function finishExchange(journey: Journey, context: HopContext): Promise<Exchange> {
  const { outcome, hop, redirects, warnings } = journey
  const { body, stop } = await readBody(journey, context)
  const exchange: Exchange = {
    request: journey.sent,
    redirects,
    timings: readTimings(outcome.progress, context.watch.startedAt),
  }
  if (outcome.head !== undefined && journey.stop === undefined) {
    const response: ReceivedResponse = { ...outcome.head, body, transferBytes: outcome.received }
    exchange.response = response
  }
  if (stop !== undefined) {
    exchange.failure = describeFailure(
      {
        method: hop.method,
        url: hop.url,
        phase: stop.phase,
        elapsed: exchange.timings.total,
        received: outcome.received,
        announced: outcome.head && findHeader(outcome.head.headers, 'content-length'),
      },
      stop.error,
    )
  }
  if (warnings.length > 0) exchange.warnings = warnings
  return exchange
}

/** The decoded body, or why there is none: a broken body is handed on as an empty one. */
async function readBody(
  { outcome, stop }: Journey,
  { limits, watch }: HopContext,
): Promise<{ body: Uint8Array; stop?: { phase: RequestPhase; error: Error | Stop } }> {
  const body = new Uint8Array()
  if (stop !== undefined) return { body, stop: { phase: 'redirect', error: stop } }
  if (outcome.error !== undefined)
    return { body, stop: { phase: outcome.progress.phase, error: outcome.error } }
  const decoded = await decodeContent(outcome.raw, outcome.head?.headers ?? [], { limits, watch })
  const error = watch.stopped ?? (decoded instanceof Uint8Array ? undefined : decoded)
  if (error !== undefined) return { body, stop: { phase: 'decode', error } }
  return { body: decoded as Uint8Array }
}
