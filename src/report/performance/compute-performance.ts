import type { ResultStatus } from '../../run/result.ts'
import { formatMs, roundMs } from '../../text/units.ts'
import { computeSuccessRate, countSteps, decideStatus, findSpan, isExecuted } from '../count-steps.ts'
import { checkThresholds, type Thresholds } from './check-thresholds.ts'
import { compareBaseline } from './compare-baseline.ts'
import {
  type PerformanceReport,
  performanceVersion,
  type Recommendation,
  type RequestSummary,
  type SlowRequest,
  type StepFigures,
  type SuiteBreakdown,
  type SuiteFigures,
  type Totals,
} from './performance-report.ts'
import { rateSuite } from './rate-suite.ts'
import { averageMs, distributeRequests, summariseRequests } from './summarise-requests.ts'

export type PerformanceOptions = {
  thresholds?: Thresholds | undefined
  baseline?: Parameters<typeof compareBaseline>[1] | undefined
  /** Errors that belong to no step; with any of them the run is a failure. */
  errors?: readonly string[]
  /** How many suites could be in flight at once. */
  concurrency?: number | undefined
  /** Start of a run in which no suite started, in ms. @default 0 */
  startTime?: number
}

const slowestShown = 10

/** Computes the performance report of a run from its suites' figures. */
export function computePerformance(
  suites: readonly SuiteFigures[],
  { thresholds, baseline, errors = [], concurrency, startTime = 0 }: PerformanceOptions = {},
): PerformanceReport {
  const steps = suites.flatMap((suite) => suite.steps)
  // Suites that never started have 0.
  const started = suites.filter((suite) => suite.start > 0)
  const { start, end } = findSpan(
    started.map((suite) => ({ start: suite.start, end: suite.start + suite.duration_ms })),
    startTime,
  )
  const times = listRequestTimes(steps)
  const summary = summariseRequests(times, measureSending(steps))
  const slowest = listSlowest(steps)
  const status = decideStatus(suites, errors.length > 0)
  const totals = countTotals(suites, steps, status)
  const failed = listIds(steps, ({ status }) => status === 'failure')
  const flaky = listIds(steps, (step) => step.flaky === true)
  const breakdown = suites.map(breakDownSuite)
  const judged = thresholds && checkThresholds({ summary, totals }, thresholds)
  // What misses a threshold is not acceptable.
  const isKept = judged?.every(({ passed }) => passed) !== false
  return {
    version: performanceVersion,
    status,
    start_time: new Date(start).toISOString(),
    end_time: new Date(end).toISOString(),
    duration_ms: Math.round(end - start),
    ...(concurrency !== undefined && { concurrency }),
    totals,
    summary,
    distribution: distributeRequests(times),
    suites: breakdown,
    slowest,
    recommendations: recommend(times, summary, slowest[0]).filter(
      ({ level }) => level === 'warning' || isKept,
    ),
    ...(judged && { thresholds: judged }),
    ...(baseline && { baseline: compareBaseline({ summary, suites: breakdown, failed, flaky }, baseline) }),
    failed,
    flaky,
    ...(errors.length > 0 && { errors: [...errors] }),
  }
}

/** Request times in ms, ascending. */
function listRequestTimes(steps: readonly StepFigures[]): number[] {
  return steps.flatMap((step) => step.request_ms ?? []).sort((a, b) => a - b)
}

/** The time in ms from the first request to the last answer. */
function measureSending(steps: readonly StepFigures[]): number {
  const sent = steps.flatMap(({ start, duration_ms, request_ms: ms }) =>
    start === undefined || ms === undefined ? [] : { start, end: start + Math.max(duration_ms, ms) },
  )
  const { start, end } = findSpan(sent, 0)
  return end - start
}

function countTotals(
  suites: readonly SuiteFigures[],
  steps: readonly StepFigures[],
  status: ResultStatus,
): Totals {
  const counts = countSteps(steps)
  return {
    suites: suites.length,
    steps: steps.length,
    ...counts,
    steps_flaky: steps.filter(({ flaky }) => flaky).length,
    warnings: [...suites, ...steps].reduce((sum, { warnings = [] }) => sum + warnings.length, 0),
    success_rate: computeSuccessRate(counts, status),
  }
}

function listIds(steps: readonly StepFigures[], matches: (step: StepFigures) => boolean): string[] {
  return [...new Set(steps.filter(matches).map((step) => step.qualified_step_id))]
}

function listSlowest(steps: readonly StepFigures[]): SlowRequest[] {
  return steps
    .filter(({ request_ms: ms }) => ms !== undefined)
    .sort((a, b) => (b.request_ms as number) - (a.request_ms as number))
    .slice(0, slowestShown)
    .map((step, index) => {
      const { step_name, qualified_step_id, method = '', path = '', status, status_code, request_ms } = step
      const duration_ms = roundMs(request_ms as number)
      const slow = { rank: index + 1, step_name, qualified_step_id, method, path, duration_ms, status }
      return status_code === undefined ? slow : Object.assign(slow, { status_code })
    })
}

/** One row of the suite breakdown. Step times include waits and retries; request times are those of the last attempt. */
function breakDownSuite(suite: SuiteFigures): SuiteBreakdown {
  const { requests, average_ms, p95_ms } = summariseRequests(listRequestTimes(suite.steps), 0)
  return {
    node_id: suite.node_id,
    suite_name: suite.suite_name,
    file_path: suite.file_path,
    status: suite.status,
    total_duration_ms: suite.duration_ms,
    steps: suite.steps.length,
    average_step_ms: averageMs(suite.steps.filter(isExecuted).map((step) => step.duration_ms)) ?? 0,
    requests,
    ...(average_ms !== undefined && { average_request_ms: average_ms }),
    ...(p95_ms !== undefined && { p95_ms }),
    success_rate: suite.success_rate,
    rating: rateSuite(suite.success_rate, p95_ms ?? 0),
  }
}

/** Says what to look at: requests over 2 s, an average over 1 s; or that all requests are acceptable (within 500 ms). Never both. */
function recommend(
  times: readonly number[],
  { average_ms: average = 0 }: RequestSummary,
  slowest?: SlowRequest,
): Recommendation[] {
  const warnings: string[] = []
  const over = times.filter((time) => time > 2000).length
  if (over > 0 && slowest) {
    const who = `\`${slowest.step_name}\` (${slowest.method} ${slowest.path}) with ${formatMs(slowest.duration_ms)}`
    const what = over === 1 ? '1 request took' : `${over} requests took`
    warnings.push(`${what} longer than 2 s; the slowest is ${who}.`)
  }
  if (average > 1000) warnings.push(`The average request takes ${formatMs(average)}, longer than 1 s.`)
  if (warnings.length > 0) return warnings.map((message) => ({ level: 'warning', message }))
  const message = 'Performance is acceptable: all requests took at most 500 ms.'
  return (times.at(-1) ?? Infinity) <= 500 ? [{ level: 'acceptable', message }] : []
}
