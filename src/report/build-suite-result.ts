import type { JsonObject } from '../json.ts'
import type { ResultStatus, StepResult, SuiteResult } from '../run/result.ts'
import type { ResultWarning } from '../errors.ts'
import { defaultKeptBytes } from '../safe-json.ts'
import type { Redactor } from '../secrets/redactor.ts'

/** What is known of a suite when it has ended, in whatever way. */
export type SuiteRecording = {
  node_id: string
  suite_name: string
  file_path: string
  priority: string
  tags?: readonly string[] | undefined
  /** UTC, ISO 8601; default: the start of the first step, or of the run when nothing started. */
  start_time?: string
  /** When the run started, UTC, ISO 8601. */
  run_start?: string
  /** Default: from the start to the end of the last step. */
  duration_ms?: number
  steps: readonly StepResult[]
  variables_captured?: JsonObject | undefined
  available_variables?: JsonObject | undefined
  suite_yaml_content: string
  error_message?: string | undefined
  warnings?: readonly ResultWarning[] | undefined
  seed?: number
}

/** Counts the steps and puts a suite's result together, fields in the order of result files. The four counts add up to the number of steps. */
export function buildSuiteResult(run: SuiteRecording): SuiteResult {
  const { steps } = run
  const count = (status: ResultStatus): number => steps.filter((step) => step.status === status).length
  const counts = { success: count('success'), failure: count('failure'), skipped: count('skipped') }
  const notRun = steps.length - counts.success - counts.failure - counts.skipped
  const status = decideStatus(run, notRun)
  const { start, end } = findSpan(run)
  return {
    node_id: run.node_id,
    suite_name: run.suite_name,
    file_path: run.file_path,
    priority: run.priority,
    start_time: new Date(start).toISOString(),
    end_time: new Date(end).toISOString(),
    duration_ms: Math.round(end - start),
    status,
    steps_executed: counts.success + counts.failure,
    steps_successful: counts.success,
    steps_failed: counts.failure,
    steps_skipped: counts.skipped,
    steps_not_run: notRun,
    success_rate: computeSuccessRate({ successful: counts.success, failed: counts.failure, status }),
    steps_results: [...steps],
    variables_captured:
      run.variables_captured ??
      Object.fromEntries(steps.flatMap((step) => Object.entries(step.captured_variables))),
    available_variables: run.available_variables ?? steps.findLast(hasStarted)?.available_variables ?? {},
    suite_yaml_content: run.suite_yaml_content,
    ...(run.tags?.length ? { tags: [...run.tags] } : {}),
    ...(run.error_message === undefined ? {} : { error_message: run.error_message }),
    ...(run.warnings?.length ? { warnings: [...run.warnings] } : {}),
    ...(run.seed === undefined ? {} : { seed: run.seed }),
  }
}

export type SuccessCounts = { successful: number; failed: number; status: ResultStatus }

/** Percentage of successful among executed steps, two decimals. Nothing failed is 100, unless nothing ran in a suite that is not green either: that is 0. */
export function computeSuccessRate({ successful, failed, status }: SuccessCounts): number {
  const executed = successful + failed
  if (executed === 0) return status === 'failure' || status === 'not_run' ? 0 : 100
  const rate = Math.round((successful / executed) * 10_000) / 100
  // 100 means that nothing failed.
  return failed > 0 ? Math.min(rate, 99.99) : rate
}

function decideStatus({ steps, error_message }: SuiteRecording, notRun: number): ResultStatus {
  if (error_message !== undefined || steps.some((step) => step.status === 'failure')) return 'failure'
  if (notRun > 0) return 'not_run'
  return steps.every((step) => step.status === 'skipped') ? 'skipped' : 'success'
}

function hasStarted(step: StepResult): boolean {
  return step.status === 'success' || step.status === 'failure'
}

function findSpan({ start_time, run_start, duration_ms, steps }: SuiteRecording): {
  start: number
  end: number
} {
  const begins = steps.map((step) => Date.parse(step.start_time ?? '')).filter((time) => !Number.isNaN(time))
  const ends = steps.map((step) => Date.parse(step.start_time ?? '') + step.duration_ms)
  const known = Date.parse(start_time ?? '')
  const first = begins[0] ?? (run_start === undefined ? 0 : Date.parse(run_start))
  const start = Number.isNaN(known) ? begins.reduce((a, b) => Math.min(a, b), first) : known
  if (duration_ms !== undefined) return { start, end: start + Math.max(0, duration_ms) }
  return { start, end: ends.filter((time) => !Number.isNaN(time)).reduce((a, b) => Math.max(a, b), start) }
}

const bounds = { maxBytes: defaultKeptBytes }

/** Hides secrets in all that belongs to a suite as a whole; its steps are redacted where they run (`prepareStep`) and only checked for values that became known later. */
export function redactSuite(run: SuiteRecording, redactor: Redactor): SuiteRecording {
  const json = (value: JsonObject | undefined): JsonObject | undefined =>
    value && redactor.redactJson(value, bounds)
  const text = (value: string): string => redactor.redactText(value).toWellFormed()
  // The message of a suite that did not load shows lines of it.
  const source = (value: string): string => redactor.redactSource(value).toWellFormed()
  if (run.variables_captured) redactor.learn(run.variables_captured)
  if (run.available_variables) redactor.learn(run.available_variables)
  return {
    ...run,
    suite_name: text(run.suite_name),
    suite_yaml_content:
      run.error_message === undefined
        ? source(run.suite_yaml_content)
        : redactor.redactFile(run.suite_yaml_content).toWellFormed(),
    tags: run.tags?.map(text),
    variables_captured: json(run.variables_captured),
    available_variables: json(run.available_variables),
    error_message: run.error_message === undefined ? undefined : source(run.error_message),
    warnings: run.warnings?.map((warning) => ({ ...warning, message: text(warning.message) })),
  }
}
