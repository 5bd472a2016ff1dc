import type { Dispatcher } from 'undici'
import type { Connection } from './connection.ts'
import type { BodyHold } from './body-budget.ts'
import { findHeader, pairLines, splitTarget } from '../exchange.ts'
import type { BodyReader, RequestLimits, ResponseHead, SentRequest, Stop } from '../exchange.ts'
import { startProgress, type Progress } from './progress.ts'

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

/** What bounds an answer, reads it while it comes, and counts what it holds in memory. */
export type Receiving = {
  limits: RequestLimits
  reader?: BodyReader | undefined
  hold?: BodyHold | undefined
}

/** Sends a request on a connection, exactly once, and waits for its whole answer; `onStart` receives the way to end it early. */
export function sendOnce(
  connection: Connection,
  request: SentRequest,
  context: Receiving & { onStart(stop: (reason: Stop) => void): void },
): Promise<HopOutcome> {
  return new Promise((resolve) => {
    const handler = new Hop(request, context, (outcome) => {
      if (outcome.error !== undefined || outcome.isCut) connection.discard()
      resolve(outcome)
    })
    connection.progress = handler.progress
    context.onStart(handler.progress.stop)
    connection.client.dispatch(toDispatch(request, connection), handler)
  })
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
  readonly progress: Progress
  readonly #request: SentRequest
  readonly #resolve: (outcome: HopOutcome) => void
  readonly #chunks: Uint8Array[] = []
  readonly #hold: BodyHold | undefined
  #reader: BodyReader | undefined
  #started = false
  #settled = false
  #received = 0
  #head: ResponseHead | undefined

  constructor(
    request: SentRequest,
    { limits, reader, hold }: Receiving,
    resolve: (outcome: HopOutcome) => void,
  ) {
    this.#request = request
    this.#reader = reader
    this.#hold = hold
    this.#resolve = resolve
    this.progress = startProgress(limits, (reason) => this.#settle(reason))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#started) return controller.abort(new Error('a request is never sent twice'))
    this.#started = true
    this.progress.phase = 'head'
    this.progress.expectsHead = true
    this.progress.sentAt = performance.now()
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number): void {
    if (statusCode < 200 || this.#settled) return
    const { progress } = this
    const { statusLine } = progress
    progress.phase = 'body'
    progress.headAt = performance.now()
    progress.expectsHead = false
    // HTTP/2 has no head that could be watched.
    progress.firstByteAt ??= progress.headAt
    const headers = pairLines((controller.rawHeaders as Buffer[]).map((part) => part.toString('latin1')))
    this.#head = {
      statusCode,
      statusText: statusLine.slice(13),
      httpVersion: statusLine === '' ? '2.0' : statusLine.slice(5, 8),
      headers,
    }
    if (this.#reader?.begin(this.#head) === false) this.#reader = undefined
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.byteLength
    const { body } = this.progress.limits
    if (this.#settled) return
    if (this.#received > body) return this.progress.stop(createBodyStop(body))
    this.#chunks.push(chunk)
    if (this.#reader?.take(chunk)) this.#settle(undefined, true)
    else this.#hold?.take(chunk.byteLength, controller)
  }

  onResponseEnd(): void {
    this.progress.endedAt = performance.now()
    if (this.#isCut()) return this.#settle(lengthMismatch)
    if (!this.#settled) this.#reader?.end()
    this.#settle()
  }

  /** A stream of HTTP/2 that its server cancels ends for undici like one that is complete. */
  #isCut(): boolean {
    const { httpVersion, statusCode, headers = [] } = this.#head ?? {}
    if (httpVersion !== '2.0' || this.#request.method === 'HEAD' || statusCode === 204 || statusCode === 304)
      return false
    return Number(findHeader(headers, 'content-length') ?? 0) > this.#received
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isBodiless(error)) this.onResponseEnd()
    else this.#settle(error)
  }

  /** 204 and 304 end with their head, whatever it announces (RFC 9112, 6.3); undici misses the bytes. */
  #isBodiless(error: Error): boolean {
    const { code } = error as NodeJS.ErrnoException
    const status = this.#head?.statusCode
    return (status === 204 || status === 304) && code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  }

  #settle(reason?: Error | Stop, isEnough = false): void {
    if (this.#settled) return
    this.#settled = true
    // The socket keeps what was noted while it was opened, and with it would keep the whole step.
    this.progress.stop = () => {}
    // What ends a body that is read while it comes is up to its reader, unless the run itself is to end.
    const isAborted = reason !== undefined && 'code' in reason && reason.code === 'ABORTED'
    const isTold = this.#head && this.#reader && reason !== undefined && !isAborted
    if (isTold) this.#reader?.end(reason)
    const error = isTold ? undefined : reason
    const outcome: HopOutcome = {
      sent: readSent(this.#request, this.progress.sentHead),
      progress: this.progress,
      raw: error === undefined ? Buffer.concat(this.#chunks) : new Uint8Array(),
      received: this.#received,
    }
    // They may pin up to twice the limit while the body is decoded.
    this.#chunks.length = 0
    if (isTold || isEnough) {
      this.progress.endedAt = performance.now()
      outcome.isCut = true
    }
    if (this.#head !== undefined) outcome.head = this.#head
    if (error !== undefined) outcome.error = error
    this.#resolve(outcome)
  }
}

const lengthMismatch = Object.assign(new Error('the body is shorter than announced'), {
  code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
})

/** The reason to end a response whose body is too large. */
export function createBodyStop(limit: number): Stop {
  return {
    code: 'BODY_TOO_LARGE',
    message: `the response body is larger than ${limit} bytes`,
    hint: 'The option `limits.body` raises the limit',
  }
}

/** The request with its header lines as written to the socket; as built if nothing was written. */
function readSent({ method, url, headers, body }: SentRequest, sentHead: string): SentRequest {
  return { method, url, headers: sentHead === '' ? headers : parseHead(sentHead), body }
}

function parseHead(head: string): [string, string][] {
  return head
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    })
}
