import type { ResultStatus, StepResult, SuiteResult } from '../../run/result.ts'
import type { StepCounts } from '../count-steps.ts'

/** Format version of `performance.json`; increases when a field changes its meaning or disappears. */
export const performanceVersion = 1

/** Figures of a step. Small, because they are kept for every step of a run. */
export type StepFigures = Pick<
  StepResult,
  'qualified_step_id' | 'step_name' | 'status' | 'duration_ms' | 'flaky' | 'skip_reason' | 'warnings' | 'line'
> & {
  /** Milliseconds since the epoch; absent if the step did not run. */
  start?: number
  /** Request time of the last attempt; absent if nothing was sent. */
  request_ms?: number
  method?: string
  path?: string
  status_code?: number
  attempts?: number
  /** Tells an iteration of a step from the others, such as `user: ada`. */
  iteration?: string
  error?: string
  failed_line?: number
}

type Outlined = 'node_id' | 'suite_name' | 'file_path' | 'status' | 'success_rate'

export type SuiteFigures = Pick<SuiteResult, Outlined | 'priority' | 'duration_ms' | 'warnings' | 'seed'> & {
  tags: readonly string[]
  start: number
  /** Why the suite failed as a whole, shortened. */
  error?: string
  steps: StepFigures[]
}

type Time = 'average_ms' | 'median_ms' | 'p95_ms' | 'p99_ms' | 'fastest_ms' | 'slowest_ms'

/** Request times in ms, two decimals. All but `requests` are absent if no request was sent. */
export type RequestSummary = { requests: number } & Partial<Record<Time | 'requests_per_second', number>>

/** Requests that took at least `from_ms` and less than `to_ms` (absent: no upper end). Percents are integers that add up to 100. */
export type Bucket = { label: string; from_ms: number; to_ms?: number; count: number; percent: number }

export type Rating = 'A' | 'B' | 'C' | 'D' | 'E'

export type SuiteBreakdown = Pick<SuiteFigures, Outlined> & {
  total_duration_ms: number
  steps: number
  average_step_ms: number
  requests: number
  average_request_ms?: number
  p95_ms?: number
  rating?: Rating
}

/** A slow request; `path` has no query. */
export type SlowRequest = { rank: number; method: string; path: string } & Pick<
  StepFigures,
  'step_name' | 'iteration' | 'qualified_step_id' | 'status' | 'status_code' | 'duration_ms'
>

export type Recommendation = { level: 'warning' | 'acceptable'; message: string }

export type ThresholdResult = { metric: string; limit: number; actual?: number; passed: boolean }

export type FigureChange = {
  before_ms?: number
  now_ms?: number
  /** Change of the average request time, one decimal; absent for suites in only one of the runs. */
  change_percent?: number
}

/** Comparison of two runs; steps are named by qualified id. */
export type BaselineComparison = FigureChange & {
  newly_failed: string[]
  newly_flaky: string[]
  suites: (FigureChange & { node_id: string })[]
}

export type Totals = StepCounts & {
  suites: number
  steps: number
  /** Included in `steps_successful`. */
  steps_flaky: number
  warnings: number
  success_rate: number
}

/** Content of `performance.json`. */
export type PerformanceReport = {
  version: typeof performanceVersion
  status: ResultStatus
  start_time: string
  end_time: string
  duration_ms: number
  /** How many suites could run at the same time; more of them make responses slower. */
  concurrency?: number
  totals: Totals
  summary: RequestSummary
  distribution: Bucket[]
  suites: SuiteBreakdown[]
  slowest: SlowRequest[]
  recommendations: Recommendation[]
  thresholds?: ThresholdResult[]
  baseline?: BaselineComparison
  /** Qualified ids of failed steps and, in `flaky`, of flaky ones, for comparisons. */
  failed: string[]
  flaky: string[]
  /** Errors that belong to no step: unhandled rejections, dead workers. */
  errors?: string[]
}

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
