import type { Rating, SuiteBreakdown, SuiteFigures } from './performance-report.ts'
import { averageMs, pickPercentile, roundMs } from './summarise-requests.ts'

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

/** One row of the suite breakdown. Step times include waits and retries; request times are those of the last attempt. */
export function breakDownSuite(suite: SuiteFigures): SuiteBreakdown {
  const executed = suite.steps.filter(({ status }) => status === 'success' || status === 'failure')
  const times = listRequestTimes([suite])
  const average = averageMs(times)
  const p95 = pickPercentile(times, 0.95)
  return {
    node_id: suite.node_id,
    suite_name: suite.suite_name,
    file_path: suite.file_path,
    status: suite.status,
    total_duration_ms: suite.duration_ms,
    steps: suite.steps.length,
    average_step_ms: averageMs(executed.map((step) => step.duration_ms)) ?? 0,
    requests: times.length,
    ...(average === undefined ? {} : { average_request_ms: average }),
    ...(p95 === undefined ? {} : { p95_ms: roundMs(p95) }),
    success_rate: suite.success_rate,
    rating: rateSuite(suite.success_rate, p95 ?? 0),
  }
}

/** Request times of all executed steps in ms, ascending. */
export function listRequestTimes(suites: readonly SuiteFigures[]): number[] {
  return suites
    .flatMap((suite) => suite.steps.map((step) => step.request_ms))
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b)
}
