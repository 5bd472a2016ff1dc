import type { ResultStatus } from '../../run/result.ts'
import { computeSuccessRate, countSteps, decideStatus, findSpan, type Span } from '../count-steps.ts'
import { checkThresholds, type Thresholds } from './check-thresholds.ts'
import { compareBaseline } from './compare-baseline.ts'
import {
  type PerformanceReport,
  performanceVersion,
  type SlowRequest,
  type StepFigures,
  type SuiteFigures,
  type Totals,
} from './performance-report.ts'
import { breakDownSuite, listRequestTimes, recommend } from './rate-suite.ts'
import { roundMs } from '../../text/units.ts'
import { distributeRequests, summariseRequests } from './summarise-requests.ts'

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
  const times = listRequestTimes(suites)
  const steps = suites.flatMap((suite) => suite.steps)
  const { start, end } = findSpan(listRuns(suites), startTime)
  const sending = findSpan(listSendings(steps), 0)
  const summary = summariseRequests(times, sending.end - sending.start)
  const slowest = listSlowest(steps)
  const status = decideStatus(suites, errors.length > 0)
  const totals = countTotals(suites, steps, status)
  const failed = listIds(steps, ({ status }) => status === 'failure')
  const flaky = listIds(steps, (step) => step.flaky === true)
  const breakdown = suites.map(breakDownSuite)
  const judged = thresholds && checkThresholds({ summary, totals }, thresholds)
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
    // What misses a threshold is not acceptable.
    recommendations: recommend(times, summary, slowest[0]).filter(
      ({ level }) => level === 'warning' || judged?.every(({ passed }) => passed) !== false,
    ),
    ...(judged && { thresholds: judged }),
    ...(baseline
      ? { baseline: compareBaseline({ summary, suites: breakdown, failed, flaky }, baseline) }
      : {}),
    failed,
    flaky,
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
  }
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
    .map(toSlowRequest)
}

function toSlowRequest(step: StepFigures, index: number): SlowRequest {
  return {
    rank: index + 1,
    step_name: step.step_name,
    qualified_step_id: step.qualified_step_id,
    method: step.method ?? '',
    path: step.path ?? '',
    duration_ms: roundMs(step.request_ms as number),
    status: step.status,
    ...(step.status_code !== undefined && { status_code: step.status_code }),
  }
}

/** Suites that never started have 0. */
function listRuns(suites: readonly SuiteFigures[]): Span[] {
  return suites.flatMap(({ start, duration_ms: ms }) => (start > 0 ? { start, end: start + ms } : []))
}

function listSendings(steps: readonly StepFigures[]): Span[] {
  return steps.flatMap(({ start, duration_ms, request_ms: ms }) =>
    start === undefined || ms === undefined ? [] : { start, end: start + Math.max(duration_ms, ms) },
  )
}
