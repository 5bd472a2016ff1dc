import type { ResultStatus } from '../../run/result.ts'
import { computeSuccessRate } from '../build-suite-result.ts'
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
import { distributeRequests, roundMs, summariseRequests } from './summarise-requests.ts'

export type PerformanceOptions = {
  thresholds?: Thresholds
  baseline?: Parameters<typeof compareBaseline>[1]
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
  const span = findSpan(suites, startTime)
  const summary = summariseRequests(times, findRequestSpan(steps))
  const slowest = listSlowest(steps)
  const status = decideStatus(suites, errors)
  const totals = countTotals(suites, steps, status)
  const failed = listIds(steps, ({ status }) => status === 'failure')
  const flaky = listIds(steps, (step) => step.flaky === true)
  const breakdown = suites.map(breakDownSuite)
  return {
    version: performanceVersion,
    status,
    start_time: new Date(span.start).toISOString(),
    end_time: new Date(span.end).toISOString(),
    duration_ms: Math.round(span.end - span.start),
    ...(concurrency !== undefined && { concurrency }),
    totals,
    summary,
    distribution: distributeRequests(times),
    suites: breakdown,
    slowest,
    recommendations: recommend(times, summary, slowest[0]),
    ...(thresholds ? { thresholds: checkThresholds({ summary, totals }, thresholds) } : {}),
    ...(baseline
      ? { baseline: compareBaseline({ summary, suites: breakdown, failed, flaky }, baseline) }
      : {}),
    failed,
    flaky,
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
  }
}

function decideStatus(suites: readonly SuiteFigures[], errors: readonly string[]): ResultStatus {
  if (errors.length > 0 || suites.some((suite) => suite.status === 'failure')) return 'failure'
  if (suites.some((suite) => suite.status === 'not_run')) return 'not_run'
  return suites.every((suite) => suite.status === 'skipped') ? 'skipped' : 'success'
}

function countTotals(
  suites: readonly SuiteFigures[],
  steps: readonly StepFigures[],
  status: ResultStatus,
): Totals {
  const count = (wanted: ResultStatus): number => steps.filter((step) => step.status === wanted).length
  const [successful, failed] = [count('success'), count('failure')]
  return {
    suites: suites.length,
    steps: steps.length,
    steps_successful: successful,
    steps_failed: failed,
    steps_skipped: count('skipped'),
    steps_not_run: count('not_run'),
    steps_flaky: steps.filter(({ flaky }) => flaky).length,
    warnings: [...suites, ...steps].reduce((sum, { warnings = [] }) => sum + warnings.length, 0),
    success_rate: computeSuccessRate({ successful, failed, status }),
  }
}

function listIds(steps: readonly StepFigures[], matches: (step: StepFigures) => boolean): string[] {
  return [...new Set(steps.filter(matches).map((step) => step.qualified_step_id))]
}

function listSlowest(steps: readonly StepFigures[]): SlowRequest[] {
  return steps
    .filter((step) => step.request_ms !== undefined)
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
    ...(step.status_code === undefined ? {} : { status_code: step.status_code }),
  }
}

function findSpan(suites: readonly SuiteFigures[], startTime: number): { start: number; end: number } {
  // Suites that never started have 0.
  const started = suites.filter((suite) => suite.start > 0)
  const start = started.reduce((first, suite) => Math.min(first, suite.start), started[0]?.start ?? startTime)
  return {
    start,
    end: started.reduce((last, suite) => Math.max(last, suite.start + suite.duration_ms), start),
  }
}

function findRequestSpan(steps: readonly StepFigures[]): number {
  const sent = steps.filter((step) => step.request_ms !== undefined && step.start !== undefined)
  const start = sent.reduce((first, step) => Math.min(first, step.start as number), Infinity)
  const end = sent.reduce((last, step) => {
    return Math.max(last, (step.start as number) + Math.max(step.duration_ms, step.request_ms as number))
  }, -Infinity)
  return sent.length === 0 ? 0 : end - start
}
