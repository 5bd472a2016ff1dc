import type { RequestLimits, RequestPhase, Stop, Timings } from '../exchange.ts'

/** What is known about a request while it is on its way; socket, wire and handler write into it. All times are `performance.now()`. */
export type Progress = {
  phase: RequestPhase
  limits: RequestLimits
  startedAt: number
  connectStartedAt?: number
  resolvedAt?: number
  connectedAt?: number
  securedAt?: number
  sentAt?: number
  firstByteAt?: number
  headAt?: number
  endedAt?: number
  /** The request head as written to the socket. */
  sentHead: string
  /** First line of the response head that is being received. */
  statusLine: string
  inStatusLine: boolean
  headBytes: number
  lineLength: number
  /** Responses with a 1xx status that came so far. */
  informational: number
  /** True from the request's first byte to the last byte of the final response head. */
  expectsHead: boolean
  /** Ends the request; the first reason counts. */
  stop: (reason: Stop) => void
}

/** Begins the record of one request on one connection. */
export function startProgress(limits: RequestLimits, stop: (reason: Stop) => void): Progress {
  return {
    phase: 'send',
    limits,
    startedAt: performance.now(),
    sentHead: '',
    statusLine: '',
    inStatusLine: true,
    headBytes: 0,
    lineLength: 0,
    informational: 0,
    expectsHead: false,
    stop,
  }
}

/** Durations in ms of the phases that happened, as measured; the `total` of the exchange that began at `startedAt` is without the time the event loop stood still. */
export function readTimings(
  progress: Progress | undefined,
  { startedAt, readBlocked }: { startedAt: number; readBlocked: () => number },
): Timings {
  const elapsed = performance.now() - startedAt
  const blocked = Math.min(readBlocked(), elapsed)
  const timings: Timings = { ...(blocked > 0 && { blocked }), total: elapsed - blocked }
  if (progress === undefined) return timings
  const { connectStartedAt, resolvedAt, connectedAt, securedAt, sentAt, firstByteAt, headAt, endedAt } =
    progress
  const dialledAt = resolvedAt ?? connectStartedAt
  if (connectStartedAt !== undefined && resolvedAt !== undefined) timings.dns = resolvedAt - connectStartedAt
  if (dialledAt !== undefined && connectedAt !== undefined) timings.connect = connectedAt - dialledAt
  if (connectedAt !== undefined && securedAt !== undefined) timings.tls = securedAt - connectedAt
  if (sentAt !== undefined && firstByteAt !== undefined) timings.ttfb = firstByteAt - sentAt
  if (headAt !== undefined && endedAt !== undefined) timings.download = endedAt - headAt
  return timings
}
