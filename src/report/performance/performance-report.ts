import type { ResultWarning } from '../../errors.ts'
import type { ResultStatus } from '../../run/result.ts'

/** Format of `performance.json`; goes up when a field changes its meaning or disappears. */
export const performanceVersion = 1

/** What the figures need to know of one step; small, because it is kept for every step of a run. */
export type StepFigures = {
  qualified_step_id: string
  step_name: string
  status: ResultStatus
  duration_ms: number
  /** Milliseconds since the epoch; absent when the step did not run. */
  start?: number
  /** Of the last attempt; absent when nothing was sent. */
  request_ms?: number
  method?: string
  path?: string
  status_code?: number
  /** More than one when the step was retried. */
  attempts?: number
  flaky?: true
  /** What tells this result of an iterated step from the others, such as `user: ada`. */
  iteration?: string
  /** What went wrong, shortened. */
  error?: string
  skip_reason?: string
  warnings?: ResultWarning[]
  /** 1-based line of the step in its file, and of the first thing in it that failed. */
  line?: number
  failed_line?: number
}

/** What the figures need to know of one suite. */
export type SuiteFigures = {
  node_id: string
  suite_name: string
  file_path: string
  priority: string
  tags: readonly string[]
  status: ResultStatus
  start: number
  duration_ms: number
  success_rate: number
  /** What went wrong with the suite as a whole, shortened. */
  error?: string
  warnings?: ResultWarning[]
  seed?: number
  steps: StepFigures[]
}

/** Request times in ms, two decimals. All but `requests` are absent when no request was sent. */
export type RequestSummary = {
  requests: number
  average_ms?: number
  median_ms?: number
  p95_ms?: number
  p99_ms?: number
  fastest_ms?: number
  slowest_ms?: number
  requests_per_second?: number
}

/** Requests that took at least `from_ms` and less than `to_ms` (absent: no upper end). Percents are integers that add up to 100. */
export type Bucket = { label: string; from_ms: number; to_ms?: number; count: number; percent: number }

export type Rating = 'A' | 'B' | 'C' | 'D' | 'E'

export type SuiteBreakdown = {
  node_id: string
  suite_name: string
  file_path: string
  status: ResultStatus
  total_duration_ms: number
  steps: number
  average_step_ms: number
  requests: number
  average_request_ms?: number
  p95_ms?: number
  success_rate: number
  rating: Rating
}

export type SlowRequest = {
  rank: number
  step_name: string
  qualified_step_id: string
  method: string
  /** Without the query. */
  path: string
  duration_ms: number
  status: ResultStatus
  status_code?: number
}

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
  newly_failed?: string[]
  newly_flaky?: string[]
  suites: (Change & { node_id: string })[]
}

export type Totals = {
  suites: number
  steps: number
  steps_successful: number
  steps_failed: number
  steps_skipped: number
  steps_not_run: number
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
