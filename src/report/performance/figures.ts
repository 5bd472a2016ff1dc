import type { StepResult, SuiteResult } from '../../run/result.ts'

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

type Outlined = 'node_id' | 'suite_name' | 'file_path' | 'priority' | 'status' | 'success_rate'

/** Figures of a suite and its steps. */
export type SuiteFigures = Pick<SuiteResult, Outlined | 'duration_ms' | 'warnings' | 'seed'> & {
  tags: readonly string[]
  start: number
  /** Why the suite failed as a whole, shortened. */
  error?: string
  steps: StepFigures[]
}

type Time = 'average_ms' | 'median_ms' | 'p95_ms' | 'p99_ms' | 'fastest_ms' | 'slowest_ms'

/** Request times in ms, two decimals. All but `requests` are absent if no request was sent. */
export type RequestSummary = { requests: number } & Partial<Record<Time | 'requests_per_second', number>>
