import { roundMs } from '../../text/units.ts'
import type { Bucket, RequestSummary } from './performance-report.ts'

const bounds: readonly Pick<Bucket, 'label' | 'from_ms' | 'to_ms'>[] = [
  { label: '0-100ms', from_ms: 0, to_ms: 100 },
  { label: '100-500ms', from_ms: 100, to_ms: 500 },
  { label: '500ms-1s', from_ms: 500, to_ms: 1000 },
  { label: '1s-2s', from_ms: 1000, to_ms: 2000 },
  { label: '2s+', from_ms: 2000 },
]

/** Nearest-rank percentile of ascending values: `sorted[ceil(n·p) - 1]`; undefined for no values. */
export function pickPercentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

/** Arithmetic mean, two decimals; undefined for no values. */
export function averageMs(values: readonly number[]): number | undefined {
  return values.length === 0
    ? undefined
    : roundMs(values.reduce((sum, value) => sum + value, 0) / values.length)
}

/** Summarises ascending request times in ms; `span` is the time in ms in which they were sent and answered. */
export function summariseRequests(sorted: readonly number[], span: number): RequestSummary {
  if (sorted.length === 0) return { requests: 0 }
  const at = (share: number): number => roundMs(pickPercentile(sorted, share) as number)
  return {
    requests: sorted.length,
    average_ms: averageMs(sorted) as number,
    median_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    fastest_ms: roundMs(sorted[0] as number),
    slowest_ms: roundMs(sorted.at(-1) as number),
    ...(span > 0 ? { requests_per_second: roundMs(sorted.length / (span / 1000)) } : {}),
  }
}

/** Counts request times in ms in half-open buckets [0,100) [100,500) [500,1000) [1000,2000) [2000,∞). */
export function distributeRequests(times: readonly number[]): Bucket[] {
  const counts = bounds.map(({ from_ms, to_ms = Infinity }) => {
    return times.filter((time) => time >= from_ms && time < to_ms).length
  })
  const percents = sharePercents(counts)
  return bounds.map((bound, index) =>
    Object.assign({}, bound, { count: counts[index] as number, percent: percents[index] as number }),
  )
}

/** Integer percents that add up to 100: what rounding takes from one goes to the next. All are 0 when there is nothing to share. */
export function sharePercents(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let seen = 0
  let shared = 0
  return counts.map((count) => {
    seen += count
    const percent = Math.round((seen * 100) / (total || 1)) - shared
    shared += percent
    return percent
  })
}
