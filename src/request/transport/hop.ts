import type { Dispatcher } from 'undici'
import { pairLines, type BodyReader } from '../exchange.ts'
import type { HeaderLines, RequestSpec, ResponseHead, SentRequest } from '../exchange.ts'
import { RequestProblem } from '../request-problem.ts'
import { closedCodes, readErrorCode } from '../render/describe-failure.ts'
import type { BodyHold } from './body-budget.ts'
import { countSent, passOnAnswer } from './pass-on.ts'
import { Progress } from './progress.ts'

export type HopContext = {
  bodyLimit: number
  reader?: BodyReader | undefined
  hold?: BodyHold | undefined
  readBlocked?: (() => number) | undefined
}

/** For how many ms the event loop was blocked or bodies had to wait. */
export function sumBlocked({ readBlocked, hold }: Pick<HopContext, 'readBlocked' | 'hold'>): number {
  return (readBlocked?.() ?? 0) + (hold?.readWaited() ?? 0)
}

/** A request on one connection, and its result. undici holds on to it, so it must not refer to the step. */
export class Hop extends Progress implements Dispatcher.DispatchHandler {
  readonly request: SentRequest
  /** Resolves when the response is complete or has failed, and its suite has its turn. */
  readonly passedOn: Promise<void>
  /** When the response was complete or failed, and for how many ms the event loop was blocked until then. */
  settled: { at: number; blocked: number } | undefined
  head: ResponseHead | undefined
  received = 0
  error: Error | undefined
  /** True if the body was not read to its end: the reader had enough, or was told that it was cut. */
  isCut = false
  /** Why the connection ended while the body was received, which undici would take for the end of the body. */
  lost: Error | undefined
  readonly #context: HopContext
  #reader: BodyReader | undefined
  #chunks: Uint8Array[] = []
  #informational = 0
  #resolve: (() => void) | undefined

  constructor(request: SentRequest, context: HopContext) {
    super()
    this.request = request
    this.#context = context
    this.#reader = context.reader
    this.passedOn = new Promise((resolve) => (this.#resolve = resolve))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Over HTTP/2, undici sends a request again that the server refused unprocessed (RFC 9113, 8.7).
    if (this.sentHead !== '') return controller.abort(new Error('a request is never sent twice'))
    this.phase = 'head'
    if (this.#resolve && this.sentAt === undefined) countSent()
    this.sentAt = performance.now()
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    ...[, statusText = '']: [headers: unknown, statusText?: string]
  ): void {
    if (this.#resolve === undefined) return
    if (statusCode < 100) return this.settle(new RequestProblem(`status ${statusCode}`, 'INVALID_HTTP'))
    if (statusCode < 200) {
      this.#informational += 1
      if (this.#informational <= MOST_INFORMATIONAL) return
      const message = `the server sent more than ${MOST_INFORMATIONAL} informational (1xx) responses`
      return this.settle(new RequestProblem(message, 'TOO_MANY_INFORMATIONAL'))
    }
    this.phase = 'body'
    this.headAt = performance.now()
    // HTTP/2 connections are not observed.
    const httpVersion = this.firstByteAt === undefined ? '2.0' : this.httpVersion
    this.firstByteAt ??= this.headAt
    const headers = readHeaders(controller.rawHeaders)
    this.head = { statusCode, statusText, httpVersion, headers }
    if (this.#reader?.begin(this.head) === false) this.#reader = undefined
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.received += chunk.byteLength
    if (this.#resolve === undefined) return
    const { bodyLimit, hold } = this.#context
    if (this.received > bodyLimit) return this.settle(stopAtBodyLimit(bodyLimit))
    this.#chunks.push(chunk)
    if (this.#reader?.take(chunk)) this.settle(undefined, true)
    else hold?.take(chunk.byteLength, controller)
  }

  onResponseEnd(): void {
    if (this.#resolve === undefined) return
    if (this.lost) {
      // undici may have begun to connect again.
      this.phase = 'body'
      return this.settle(this.lost)
    }
    this.endedAt = performance.now()
    this.#reader?.end()
    this.settle()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (!('code' in error) || error.code !== 'UND_ERR_HEADERS_OVERFLOW') return this.settle(error)
    const message = `the response head, or its trailers, is larger than ${MOST_HEAD} bytes`
    this.settle(new RequestProblem(message, 'HEAD_TOO_LARGE'))
  }

  /** Ends the hop; only the first call counts. */
  settle(reason?: Error, isEnough = false): void {
    const resolve = this.#resolve
    if (resolve === undefined) return
    this.#resolve = undefined
    // The reader of a body decides what its end means, unless the run itself is being aborted.
    const isAborted = reason !== undefined && 'code' in reason && reason.code === 'ABORTED'
    const isTold = !!this.head && !!this.#reader && reason !== undefined && !isAborted
    if (isTold) this.#reader?.end(reason)
    else this.error = reason
    this.isCut = isTold || isEnough
    this.settled = { at: performance.now(), blocked: sumBlocked(this.#context) }
    if (this.isCut) this.endedAt = this.settled.at
    if (this.sentAt === undefined) resolve()
    else passOnAnswer(this.received, resolve)
  }

  /** Returns the body as received, before content decoding, and lets go of its chunks. */
  takeBody(): Uint8Array {
    const body = Buffer.concat(this.#chunks)
    // If kept, the chunks could double the memory used while decoding.
    this.#chunks = []
    return body
  }

  /** The request with its header lines as written to the socket, or as built if nothing was written. */
  readSent(): SentRequest {
    if (this.sentHead === '') return this.request
    const lines = this.sentHead.slice(0, -4).split('\r\n').slice(1)
    return { ...this.request, headers: lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]) }
  }

  /** True if a kept-alive connection closed before the first byte of a response. */
  wasClosedUnanswered(): boolean {
    if (this.error === undefined || this.connectStartedAt !== undefined) return false
    return this.firstByteAt === undefined && closedCodes.has(readErrorCode(this.error, this.phase))
  }
}

/** Header lines as undici hands them over: as bytes from HTTP/1.1, as an object from HTTP/2. */
function readHeaders(raw: Dispatcher.DispatchController['rawHeaders']): HeaderLines {
  if (Array.isArray(raw)) return pairLines(raw.map((part) => part.toString('latin1')))
  return Object.entries(raw ?? {}).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
}

export const MOST_HEAD = 65_536

const MOST_INFORMATIONAL = 1000

export function stopAtBodyLimit(limit: number): RequestProblem {
  const message = `the response body is larger than ${limit} bytes`
  return new RequestProblem(message, 'BODY_TOO_LARGE', 'The option `limits.body` raises the limit')
}

export function stopAtTimeout({ timeout, timeoutName: name = 'timeout' }: RequestSpec): RequestProblem {
  const hint =
    name === 'timeout'
      ? 'Raise `timeout` for this request, in the suite or in the plugin options, if the response may take longer; a response without an end needs a `stream` with `until` or `events`'
      : `Raise \`${name}\` if the response may take longer`
  return new RequestProblem(`the limit \`${name}\` of ${timeout} ms was reached`, 'TIMEOUT', hint)
}
