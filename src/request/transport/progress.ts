import type { ConnectionNote, RequestPhase, Timings } from '../exchange.ts'

export class Progress {
  phase: RequestPhase = 'connect'
  readonly startedAt = performance.now()
  connectStartedAt: number | undefined
  resolvedAt: number | undefined
  connectedAt: number | undefined
  securedAt: number | undefined
  sentAt: number | undefined
  firstByteAt: number | undefined
  headAt: number | undefined
  endedAt: number | undefined
  note: ConnectionNote | undefined
  sentHead = ''
  httpVersion = '1.1'
}

/** Durations in ms. `blocked` is only noted: whether a blocked event loop delayed the response is unknown. */
export function readTimings(progress: Progress | undefined, total: number, blocked = 0): Timings {
  const timings: Timings = { total }
  if (blocked > 0) timings.blocked = blocked
  if (progress === undefined) return timings
  const { connectStartedAt, resolvedAt, connectedAt, securedAt, sentAt, firstByteAt } = progress
  const dialledAt = resolvedAt ?? connectStartedAt
  if (connectStartedAt !== undefined && resolvedAt !== undefined) timings.dns = resolvedAt - connectStartedAt
  if (dialledAt !== undefined && connectedAt !== undefined) timings.connect = connectedAt - dialledAt
  if (connectedAt !== undefined && securedAt !== undefined) timings.tls = securedAt - connectedAt
  if (sentAt !== undefined && firstByteAt !== undefined) timings.ttfb = firstByteAt - sentAt
  const { headAt, endedAt } = progress
  if (headAt !== undefined && endedAt !== undefined) timings.download = endedAt - headAt
  return timings
}
