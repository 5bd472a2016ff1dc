import { splitTarget } from '../exchange.ts'
import type { ConnectionNote, ConnectionSettings, SentRequest } from '../exchange.ts'
import { closedCodes, readErrorCode } from '../render/describe-failure.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { Watch } from './exchange-deadline.ts'
import type { Route } from './open-socket.ts'
import { maskCredentials } from './proxy.ts'
import { sendOnce, type HopOutcome, type Receiving } from './send-once.ts'

/** What a single request is sent with; `warnings` takes what its author should know. */
export type HopContext = Receiving & {
  pool: ConnectionPool
  settings: ConnectionSettings
  watch: Watch
  warnings: string[]
  /** Set by each request. */
  note?: ConnectionNote | undefined
}

/** May be sent again when a kept-alive connection breaks before the answer (RFC 9112, 9.3.1; RFC 9110, 9.2.2). */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'PUT', 'DELETE'])

/** Sends a request on a kept-alive or new connection, once; twice if the first closed unanswered and the method allows it. */
export async function sendHop(hop: SentRequest, context: HopContext): Promise<HopOutcome> {
  const mayRepeat = repeatable.has(hop.method)
  const outcome = await sendOnConnection(hop, context, mayRepeat ? undefined : 'sure')
  if (!mayRepeat || !wasClosedUnanswered(outcome)) return outcome
  context.warnings.push(
    `${hop.method} ${maskCredentials(hop.url)} was sent twice: the server closed the kept-alive connection before it answered, so the request went out again on a new one`,
  )
  return sendOnConnection(hop, context, 'fresh')
}

/** True for a request on a connection that was used before, which closed without one byte of an answer. */
function wasClosedUnanswered({ error, progress }: HopOutcome): boolean {
  if (error === undefined || progress.connectStartedAt !== undefined) return false
  return progress.firstByteAt === undefined && closedCodes.has(readErrorCode(error, progress.phase))
}

async function sendOnConnection(
  hop: SentRequest,
  context: HopContext,
  need: 'fresh' | 'sure' | undefined,
): Promise<HopOutcome> {
  const { pool, settings, watch } = context
  const connection = pool.acquire(splitTarget(hop.url)[0], settings, need)
  const outcome = await sendOnce(connection, hop, { ...context, onStart: watch.onStop })
  const unsent = connection.unsentWrites > 0
  if (outcome.error !== undefined && unsent && outcome.progress.phase === 'head') {
    outcome.progress.phase = 'send'
  }
  context.note = describeRoute(connection.route)
  // An answer that came before the whole request was taken leaves the rest of it in the socket.
  if (outcome.error !== undefined || outcome.isCut || unsent) pool.drop(connection)
  else pool.release(connection)
  return outcome
}

function describeRoute({ protocol, proxy, insecure, http2 }: Route): ConnectionNote | undefined {
  const unverified = insecure && protocol === 'https:'
  if (proxy === undefined && !unverified && !http2) return undefined
  return {
    ...(proxy && { proxy: `${proxy.hostname}:${proxy.port}` }),
    ...(unverified && { insecure: true }),
    ...(http2 && { http2: true }),
  }
}
