import type { ResultStatus, StepResult, SuiteResult } from '../../run/result.ts'
import type { StepCounts } from '../count-steps.ts'

/** Format of `performance.json`; goes up when a field changes its meaning or disappears. */
export const performanceVersion = 1

/** What the figures need to know of one step; small, because it is kept for every step of a run. */
export type StepFigures = Pick<
  StepResult,
  'qualified_step_id' | 'step_name' | 'status' | 'duration_ms' | 'flaky' | 'skip_reason' | 'warnings' | 'line'
> & {
  /** Milliseconds since the epoch; absent when the step did not run. */
  start?: number
  /** Of the last attempt; absent when nothing was sent. */
  request_ms?: number
  method?: string
  path?: string
  status_code?: number
  /** More than one when the step was retried. */
  attempts?: number
  /** What tells this result of an iterated step from the others, such as `user: ada`. */
  iteration?: string
  /** What went wrong, shortened. */
  error?: string
  /** 1-based line of the first thing in it that failed. */
  failed_line?: number
}

type Outlined = 'node_id' | 'suite_name' | 'file_path' | 'status' | 'success_rate'

/** What the figures need to know of one suite. */
export type SuiteFigures = Pick<SuiteResult, Outlined | 'priority' | 'duration_ms' | 'warnings' | 'seed'> & {
  tags: readonly string[]
  start: number
  /** What went wrong with the suite as a whole, shortened. */
  error?: string
  steps: StepFigures[]
}

type Time = 'average_ms' | 'median_ms' | 'p95_ms' | 'p99_ms' | 'fastest_ms' | 'slowest_ms'

/** Request times in ms, two decimals. All but `requests` are absent when no request was sent. */
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
  rating: Rating
}

/** Its path is without the query. */
export type SlowRequest = { rank: number; method: string; path: string } & Pick<
  StepFigures,
  'step_name' | 'qualified_step_id' | 'status' | 'status_code' | 'duration_ms'
>

export type Recommendation = { level: 'warning' | 'acceptable'; message: string }

export type ThresholdResult = { metric: string; limit: number; actual?: number; passed: boolean }

export type Change = {
  before_ms?: number
  now_ms?: number
  /** Of the average request time, one decimal; absent for suites that only one of the runs has. */
  change_percent?: number
}

/** Two runs; steps by their qualified id. */
export type BaselineComparison = Change & {
  newly_failed: string[]
  newly_flaky: string[]
  suites: (Change & { node_id: string })[]
}

export type Totals = StepCounts & {
  suites: number
  steps: number
  /** Of the successful ones. */
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
  /** How many suites could be in flight at once: answers are slower the more there are. */
  concurrency?: number
  totals: Totals
  summary: RequestSummary
  distribution: Bucket[]
  suites: SuiteBreakdown[]
  slowest: SlowRequest[]
  recommendations: Recommendation[]
  thresholds?: ThresholdResult[]
  baseline?: BaselineComparison
  /** Qualified ids of the steps that failed, and of those that were flaky, for comparisons. */
  failed: string[]
  flaky: string[]
  /** Errors that belong to no step: unhandled rejections, dead workers. */
  errors?: string[]
}

/** Where and of what a run was; what is not known is left out. */
export type RunFacts = {
  project?: string
  commit?: string | undefined
  branch?: string | undefined
  /** Name of the environment's file. */
  environment?: string | undefined
  node?: string
  seed?: number | undefined
}

/** What the page reads at once; the rest is read when it is shown. */
export type PageIndex = { run: RunFacts; report: PerformanceReport; suites: readonly SuiteFigures[] }
