import { roundMs } from '../../text/units.ts'
import type { RequestSummary } from './figures.ts'

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

/** Summarises ascending request times in ms; `span` is the time in ms in which suites ran. */
export function summariseRequests(sorted: readonly number[], span: number): RequestSummary {
  if (sorted.length === 0) return { requests: 0 }
  const at = (share: number): number => roundMs(pickPercentile(sorted, share) as number)
  return {
    requests: sorted.length,
    average_ms: averageMs(sorted) as number,
    median_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    fastest_ms: at(0),
    slowest_ms: at(1),
    ...(span > 0 && { requests_per_second: roundMs(sorted.length / (span / 1000)) }),
  }
}

const buckets: readonly [label: string, from_ms: number, to_ms?: number][] = [
  ['0-100ms', 0, 100],
  ['100-500ms', 100, 500],
  ['500ms-1s', 500, 1000],
  ['1s-2s', 1000, 2000],
  ['2s+', 2000],
]

/** Counts request times in ms in half-open buckets. Percents are integers that add up to 100: rounding differences carry over to the next. */
export function distributeRequests(times: readonly number[]) {
  let seen = 0
  let shared = 0
  return buckets.map(([label, from_ms, to_ms]) => {
    const count = times.filter((time) => time >= from_ms && time < (to_ms ?? Infinity)).length
    seen += count
    const percent = Math.round((seen * 100) / (times.length || 1)) - shared
    shared += percent
    return Object.assign({ label, from_ms }, to_ms && { to_ms }, { count, percent })
  })
}

/** Requirements of each rating, best first: a success rate of at least `success` percent and a 95th percentile below `below` ms. */
export const ratings = [
  { rating: 'A', success: 100, below: 100 },
  { rating: 'B', success: 100, below: 500 },
  { rating: 'C', success: 95, below: 1000 },
  { rating: 'D', success: 80, below: 2000 },
] as const

export type Rating = (typeof ratings)[number]['rating'] | 'E'

/** Rates a suite by its success rate in percent and the 95th percentile of its request times in ms (0 if it sent none). */
export function rateSuite(successRate: number, p95: number): Rating {
  return ratings.find(({ success, below }) => successRate >= success && p95 < below)?.rating ?? 'E'
}
