import type { RequestPhase, Timings } from '../exchange.ts'

/** What is known about a request while it is on its way; socket, wire and handler write into it. All times are `performance.now()`. */
export type Progress = {
  phase: RequestPhase
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
  /** Of the answer. */
  httpVersion: string
}

/** Begins the record of one request on one connection. */
export function startProgress(): Progress {
  return { phase: 'send', startedAt: performance.now(), sentHead: '', httpVersion: '1.1' }
}

/** Durations in ms of the phases that happened, `total` of the exchange that began at `startedAt`. Whether a pause of the event loop delayed the answer cannot be told, so it is only noted. */
export function readTimings(
  progress: Partial<Progress>,
  { startedAt, readBlocked }: { startedAt: number; readBlocked: () => number },
): Timings {
  const blocked = readBlocked()
  const timings: Timings = { ...(blocked > 0 && { blocked }), total: performance.now() - startedAt }
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
