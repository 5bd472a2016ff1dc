import type { Rating } from './performance-report.ts'

/** What each rating asks for, best first: a success rate in percent of at least `success`, a 95th percentile below `below` ms. */
export const ratings: readonly { rating: Rating; success: number; below: number }[] = [
  { rating: 'A', success: 100, below: 100 },
  { rating: 'B', success: 100, below: 500 },
  { rating: 'C', success: 95, below: 1000 },
  { rating: 'D', success: 80, below: 2000 },
]

/** Rates a suite by its success rate in percent and the 95th percentile of its request times in ms (0 when it sent none). */
export function rateSuite(successRate: number, p95: number): Rating {
  return ratings.find(({ success, below }) => successRate >= success && p95 < below)?.rating ?? 'E'
}
