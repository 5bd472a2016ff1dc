import type {
  Rating,
  Recommendation,
  RequestSummary,
  SlowRequest,
  SuiteBreakdown,
  SuiteFigures,
} from './performance-report.ts'
import { isExecuted } from '../count-steps.ts'
import { averageMs, summariseRequests } from './summarise-requests.ts'
import { formatMs } from '../../text/units.ts'

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
  const executed = suite.steps.filter(isExecuted)
  const { requests, average_ms, p95_ms } = summariseRequests(listRequestTimes([suite]), 0)
  return {
    node_id: suite.node_id,
    suite_name: suite.suite_name,
    file_path: suite.file_path,
    status: suite.status,
    total_duration_ms: suite.duration_ms,
    steps: suite.steps.length,
    average_step_ms: averageMs(executed.map((step) => step.duration_ms)) ?? 0,
    requests,
    ...(average_ms !== undefined && { average_request_ms: average_ms }),
    ...(p95_ms !== undefined && { p95_ms }),
    success_rate: suite.success_rate,
    rating: rateSuite(suite.success_rate, p95_ms ?? 0),
  }
}

/** Request times of all executed steps in ms, ascending. */
export function listRequestTimes(suites: readonly SuiteFigures[]): number[] {
  return suites
    .flatMap((suite) => suite.steps.map((step) => step.request_ms))
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b)
}

const slow = 2000
const slowAverage = 1000
const acceptable = 500

/** Says what to look at: requests over 2 s, an average over 1 s; or that all requests are acceptable (within 500 ms). Never both. */
export function recommend(
  times: readonly number[],
  summary: RequestSummary,
  slowest?: SlowRequest,
): Recommendation[] {
  const warnings: string[] = []
  const over = times.filter((time) => time > slow).length
  if (over > 0 && slowest) {
    const who = `\`${slowest.step_name}\` (${slowest.method} ${slowest.path}) with ${formatMs(slowest.duration_ms)}`
    const what = over === 1 ? '1 request took' : `${over} requests took`
    warnings.push(`${what} longer than 2 s; the slowest is ${who}.`)
  }
  const { average_ms: average = 0 } = summary
  if (average > slowAverage) warnings.push(`The average request takes ${formatMs(average)}, longer than 1 s.`)
  if (warnings.length > 0) return warnings.map((message) => ({ level: 'warning', message }))
  const isFast = times.length > 0 && times.every((time) => time <= acceptable)
  const message = 'Performance is acceptable: all requests took at most 500 ms.'
  return isFast ? [{ level: 'acceptable', message }] : []
}
