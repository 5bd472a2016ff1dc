import type { Dispatcher } from 'undici'
import {
  findHeader,
  pairLines,
  splitTarget,
  type BodyReader,
  type ConnectionNote,
  type ConnectionSettings,
  type RequestLimits,
  type ResponseHead,
  type SentRequest,
  type Stop,
} from '../exchange.ts'
import { closedCodes, readErrorCode } from '../render/describe-failure.ts'
import type { BodyHold } from './body-budget.ts'
import type { ConnectionPool } from './connection.ts'
import type { Connection } from './connection.ts'
import type { Watch } from './exchange-deadline.ts'
import type { Route } from './open-socket.ts'
import { startProgress, type Progress } from './progress.ts'
import { maskCredentials } from './proxy.ts'

/** What came of one request: a head and the whole raw body, or an error; an error in the body keeps the head. */
export type HopOutcome = {
  sent: SentRequest
  progress: Progress
  head?: ResponseHead
  /** The body as on the wire, before content decoding. */
  raw: Uint8Array
  received: number
  error?: Error | Stop
  /** True when the answer was left before its end: its reader had enough, or knows why there is no more. */
  isCut?: true
}

/** What a request is sent with: what bounds its answer, reads it while it comes, and counts what it holds in memory; `warnings` takes what its author should know. */
export type HopContext = {
  limits: RequestLimits
  reader?: BodyReader | undefined
  hold?: BodyHold | undefined
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
  const { pool, settings } = context
  const connection = pool.acquire(splitTarget(hop.url)[0], settings, need)
  const outcome = await new Promise<HopOutcome>((resolve) => {
    const handler = new Hop(hop, context, resolve)
    connection.progress = handler.progress
    context.watch.onStop((reason) => handler.settle(reason))
    connection.client.dispatch(toDispatch(hop, connection), handler)
  })
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

function toDispatch(
  { method, url, headers, body }: SentRequest,
  { route }: Connection,
): Dispatcher.DispatchOptions {
  const lines = headers.flat()
  // Through a proxy, http requests are sent in absolute form (RFC 9112, 3.2.2); https has its tunnel.
  const absolute = route.proxy !== undefined && route.protocol === 'http:'
  if (absolute && route.proxy?.authorization) lines.push('proxy-authorization', route.proxy.authorization)
  const path = absolute ? url : splitTarget(url)[1]
  return { method, path, headers: lines, body: body ?? null }
}

class Hop implements Dispatcher.DispatchHandler {
  readonly progress = startProgress()
  readonly #request: SentRequest
  readonly #limits: RequestLimits
  readonly #hold: BodyHold | undefined
  readonly #resolve: (outcome: HopOutcome) => void
  readonly #chunks: Uint8Array[] = []
  #reader: BodyReader | undefined
  #started = false
  #settled = false
  #informational = 0
  #received = 0
  #head: ResponseHead | undefined

  constructor(
    request: SentRequest,
    { limits, reader, hold }: HopContext,
    resolve: (outcome: HopOutcome) => void,
  ) {
    this.#request = request
    this.#limits = limits
    this.#reader = reader
    this.#hold = hold
    this.#resolve = resolve
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#started) return controller.abort(new Error('a request is never sent twice'))
    this.#started = true
    this.progress.phase = 'head'
    this.progress.sentAt = performance.now()
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    ...[, statusText = '']: [headers: unknown, statusText?: string]
  ): void {
    if (statusCode < 100) return this.settle({ code: 'INVALID_HTTP', message: `status ${statusCode}` })
    if (statusCode < 200) {
      if (++this.#informational > this.#limits.informational)
        this.settle(createLimitStop(this.#limits, 'informational'))
      return
    }
    if (this.#settled) return
    const { progress } = this
    progress.phase = 'body'
    progress.headAt = performance.now()
    // On HTTP/2 nobody watches the wire.
    const httpVersion = progress.firstByteAt === undefined ? '2.0' : progress.httpVersion
    progress.firstByteAt ??= progress.headAt
    const headers = pairLines((controller.rawHeaders as Buffer[]).map((part) => part.toString('latin1')))
    this.#head = { statusCode, statusText, httpVersion, headers }
    if (this.#reader?.begin(this.#head) === false) this.#reader = undefined
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.byteLength
    if (this.#settled) return
    if (this.#received > this.#limits.body) return this.settle(createLimitStop(this.#limits, 'body'))
    this.#chunks.push(chunk)
    if (this.#reader?.take(chunk)) this.settle(undefined, true)
    else this.#hold?.take(chunk.byteLength, controller)
  }

  onResponseEnd(): void {
    this.progress.endedAt = performance.now()
    if (this.#isCut()) return this.settle(lengthMismatch)
    if (!this.#settled) this.#reader?.end()
    this.settle()
  }

  /** A stream of HTTP/2 that its server cancels ends for undici like one that is complete. */
  #isCut(): boolean {
    const { httpVersion, statusCode, headers = [] } = this.#head ?? {}
    if (httpVersion !== '2.0' || this.#request.method === 'HEAD' || statusCode === 204 || statusCode === 304)
      return false
    return Number(findHeader(headers, 'content-length') ?? 0) > this.#received
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const { code } = error as NodeJS.ErrnoException
    const status = this.#head?.statusCode
    // 204 and 304 end with their head, whatever it announces (RFC 9112, 6.3); undici misses the bytes.
    if ((status === 204 || status === 304) && code === lengthMismatch.code) this.onResponseEnd()
    else this.settle(code === 'UND_ERR_HEADERS_OVERFLOW' ? createLimitStop(this.#limits, 'head') : error)
  }

  /** Hands over what came; the first reason counts. */
  settle(reason?: Error | Stop, isEnough = false): void {
    if (this.#settled) return
    this.#settled = true
    // What ends a body that is read while it comes is up to its reader, unless the run itself is to end.
    const isAborted = reason !== undefined && 'code' in reason && reason.code === 'ABORTED'
    const isTold = !!this.#head && !!this.#reader && reason !== undefined && !isAborted
    if (isTold) this.#reader?.end(reason)
    const error = isTold ? undefined : reason
    const isCut = isTold || isEnough
    if (isCut) this.progress.endedAt = performance.now()
    const outcome: HopOutcome = {
      sent: readSent(this.#request, this.progress.sentHead),
      progress: this.progress,
      ...(this.#head && { head: this.#head }),
      raw: error === undefined ? Buffer.concat(this.#chunks) : new Uint8Array(),
      received: this.#received,
      ...(error && { error }),
      ...(isCut && { isCut: true as const }),
    }
    // They may pin up to twice the limit while the body is decoded.
    this.#chunks.length = 0
    this.#resolve(outcome)
  }
}

const lengthMismatch = Object.assign(new Error('the body is shorter than announced'), {
  code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
})

/** The reason to end a response that is over a limit. */
export function createLimitStop(
  limits: RequestLimits,
  name: Exclude<keyof RequestLimits, 'encodings'>,
): Stop {
  const limit = limits[name]
  const [code, message] = {
    body: ['BODY_TOO_LARGE', `the response body is larger than ${limit} bytes`],
    head: ['HEAD_TOO_LARGE', `the response head, or its trailers, is larger than ${limit} bytes`],
    informational: [
      'TOO_MANY_INFORMATIONAL',
      `the server sent more than ${limit} informational (1xx) responses`,
    ],
  }[name] as [string, string]
  return { code, message, hint: `The option \`limits.${name}\` raises the limit` }
}

/** The request with its header lines as written to the socket; as built if nothing was written. */
function readSent({ method, url, headers, body }: SentRequest, sentHead: string): SentRequest {
  if (sentHead === '') return { method, url, headers, body }
  const lines = sentHead.trimEnd().split('\r\n').slice(1)
  return {
    method,
    url,
    headers: lines.map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
    body,
  }
}
