import { pickFields } from '../../json.ts'
import { countOf, formatMs, roundMs } from '../../text/units.ts'
import {
  computeSuccessRate,
  countSteps,
  decideStatus,
  findSpan,
  isExecuted,
  measureCovered,
} from '../count-steps.ts'
import { checkThresholds, type Thresholds } from './check-thresholds.ts'
import { compareBaseline, type Compared } from './compare-baseline.ts'
import type { RequestSummary, StepFigures, SuiteFigures } from './figures.ts'
import { averageMs, distributeRequests, rateSuite, summariseRequests } from './summarise-requests.ts'

/** Where a run took place and what it tested; unknown facts are left out. */
export type RunFacts = {
  project?: string
  commit?: string | undefined
  branch?: string | undefined
  environment?: string | undefined
  node?: string
  seed?: number | undefined
}

/** What the page reads when it opens. It reads the rest when that is shown. */
export type PageIndex = { run: RunFacts; report: PerformanceReport; suites: readonly SuiteFigures[] }

export type PerformanceOptions = {
  thresholds?: Thresholds | undefined
  baseline?: Compared | undefined
  /** Errors that belong to no step; any of them makes the run a failure. */
  errors?: readonly string[]
  concurrency?: number | undefined
  /** Start in ms since the epoch of a run in which no suite started. @default 0 */
  startTime?: number
}

/** Content of `performance.json`, as `performance.schema.json` describes it. */
export type PerformanceReport = ReturnType<typeof computePerformance>

/** Computes the performance report of a run from its suites' figures. */
export function computePerformance(
  suites: readonly SuiteFigures[],
  { thresholds, baseline, errors = [], concurrency, startTime = 0 }: PerformanceOptions = {},
) {
  const steps = suites.flatMap((suite) => suite.steps)
  // Suites that never started have the start time of the run or, for merged shards, of their merging.
  const started = suites
    .filter(({ duration_ms }) => duration_ms > 0)
    .map(({ start, duration_ms }) => ({ start, end: start + duration_ms }))
  const run = findSpan(started, startTime)
  const status = decideStatus(suites, errors.length > 0)
  const counts = countSteps(steps)
  const flaky = steps.filter((step) => step.flaky)
  const totals = {
    suites: suites.length,
    steps: steps.length,
    ...counts,
    steps_flaky: flaky.length,
    warnings: [...suites, ...steps].reduce((sum, { warnings = [] }) => sum + warnings.length, 0),
    success_rate: computeSuccessRate(counts, status),
  }
  const sent = listSent(steps)
  const times = sent.map(({ request_ms }) => request_ms).toReversed()
  const summary = summariseRequests(times, measureCovered(started))
  const slowest = sent.slice(0, 10).map(describeSlow)
  const judged = thresholds && checkThresholds({ summary, totals }, thresholds)
  // Missing a threshold fails the run, which is then not called acceptable.
  const isKept = judged?.every(({ passed }) => passed) !== false
  const compared = {
    summary,
    suites: suites.map(breakDownSuite),
    failed: listIds(steps.filter((step) => step.status === 'failure')),
    flaky: listIds(flaky),
  }
  return {
    // Increases when a field changes its meaning or disappears.
    version: 1,
    status: isKept ? status : 'failure',
    start_time: new Date(run.start).toISOString(),
    end_time: new Date(run.end).toISOString(),
    duration_ms: Math.round(run.end - run.start),
    ...(concurrency !== undefined && { concurrency }),
    totals,
    ...compared,
    distribution: distributeRequests(times),
    slowest,
    recommendations: recommend(times, summary, slowest[0]).filter(
      ({ level }) => level === 'warning' || isKept,
    ),
    ...(judged && { thresholds: judged }),
    ...(baseline && { baseline: compareBaseline(compared, baseline) }),
    ...(errors.length > 0 && { errors: [...errors] }),
  }
}

type SentStep = StepFigures & { request_ms: number }

/** Steps that sent a request, slowest first. */
function listSent(steps: readonly StepFigures[]): SentStep[] {
  const sent = steps.filter((step): step is SentStep => step.request_ms !== undefined)
  return sent.toSorted((a, b) => b.request_ms - a.request_ms)
}

function listIds(steps: readonly StepFigures[]): string[] {
  return [...new Set(steps.map((step) => step.qualified_step_id))]
}

function describeSlow(step: SentStep, index: number) {
  const { method = '', path = '', request_ms } = step
  const named = pickFields(step, ['step_name', 'iteration', 'qualified_step_id', 'status', 'status_code'])
  return { rank: index + 1, ...named, method, path, duration_ms: roundMs(request_ms) }
}

/** A row of the suite breakdown. Step times include waits and retries; request times are those of the last attempt. */
function breakDownSuite(suite: SuiteFigures) {
  const { duration_ms, steps, success_rate } = suite
  const times = listSent(steps).map(({ request_ms }) => request_ms)
  const { requests, average_ms, p95_ms } = summariseRequests(times.toReversed(), 0)
  return {
    ...pickFields(suite, ['node_id', 'suite_name', 'file_path', 'status', 'success_rate']),
    total_duration_ms: duration_ms,
    steps: steps.length,
    average_step_ms: averageMs(steps.filter(isExecuted).map((step) => step.duration_ms)) ?? 0,
    requests,
    ...(average_ms !== undefined && { average_request_ms: average_ms }),
    ...(p95_ms !== undefined && { p95_ms }),
    // A suite that did not run gets no rating.
    ...(suite.status !== 'skipped' && { rating: rateSuite(success_rate, p95_ms ?? 0) }),
  }
}

/** Recommends what to look at: requests over 2 s, an average over 1 s. If there is nothing, and all took at most 500 ms, calls that acceptable. */
function recommend(
  times: readonly number[],
  { average_ms: average = 0 }: RequestSummary,
  slowest?: ReturnType<typeof describeSlow>,
) {
  const warnings: string[] = []
  const over = times.filter((time) => time > 2000).length
  if (over > 0 && slowest) {
    const who = `\`${slowest.step_name}\` (${slowest.method} ${slowest.path}) with ${formatMs(slowest.duration_ms)}`
    warnings.push(`${countOf(over, 'request')} took longer than 2 s; the slowest is ${who}.`)
  }
  if (average > 1000) warnings.push(`The average request takes ${formatMs(average)}, longer than 1 s.`)
  if (warnings.length > 0) return warnings.map((message) => ({ level: 'warning' as const, message }))
  const message = 'Performance is acceptable: all requests took at most 500 ms.'
  return (times.at(-1) ?? Infinity) <= 500 ? [{ level: 'acceptable' as const, message }] : []
}
