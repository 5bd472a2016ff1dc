import type { JsonObject } from '../json.ts'
import type { ResultWarning } from '../errors.ts'
import type { SuiteResult } from '../run/result.ts'
import { defaultKeptBytes } from '../safe-json.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { computeSuccessRate, countSteps, decideStatus, findSpan, type Span } from './count-steps.ts'
import type { RecordedSuite, StepRecord } from './step-record.ts'

type Known = 'node_id' | 'suite_name' | 'file_path' | 'priority' | 'suite_yaml_content'

/** What is known about a suite when it has ended, in whatever way. */
export type SuiteRecording = Pick<SuiteResult, Known | 'seed'> & {
  tags?: readonly string[] | undefined
  /** UTC, ISO 8601. @default the start of the first step, or of the run if nothing started */
  start_time?: string
  /** Start of the run, UTC, ISO 8601. */
  run_start?: string
  /** @default from the start to the end of the last step */
  duration_ms?: number
  steps: readonly StepRecord[]
  variables_captured?: JsonObject | undefined
  available_variables?: JsonObject | undefined
  error_message?: string | undefined
  warnings?: readonly ResultWarning[] | undefined
}

/** Builds a suite's result, with fields in the order of result files. Its four counts add up to the number of steps. */
export function buildSuiteResult(run: SuiteRecording): RecordedSuite {
  const steps = run.steps.map(({ figures }) => figures)
  const status = decideStatus(steps, run.error_message !== undefined)
  const counts = countSteps(steps)
  const { start, end } = findTimes(run)
  return {
    node_id: run.node_id,
    suite_name: run.suite_name,
    file_path: run.file_path,
    priority: run.priority,
    start_time: new Date(start).toISOString(),
    end_time: new Date(end).toISOString(),
    duration_ms: end - start,
    status,
    steps_executed: counts.steps_successful + counts.steps_failed,
    ...counts,
    success_rate: computeSuccessRate(counts, status),
    steps_results: run.steps,
    variables_captured: run.variables_captured ?? {},
    available_variables: run.available_variables ?? {},
    suite_yaml_content: run.suite_yaml_content,
    ...(run.tags?.length ? { tags: [...run.tags] } : {}),
    ...(run.error_message === undefined ? {} : { error_message: run.error_message }),
    ...(run.warnings?.length ? { warnings: [...run.warnings] } : {}),
    ...(run.seed === undefined ? {} : { seed: run.seed }),
  }
}

function findTimes({ start_time, run_start, duration_ms, steps }: SuiteRecording): Span {
  const parts = steps.flatMap(({ figures: { start, duration_ms: ms } }) =>
    start === undefined ? [] : { start, end: start + ms },
  )
  const span = findSpan(parts, Date.parse(start_time ?? run_start ?? '1970-01-01T00:00:00Z'))
  const start = start_time === undefined ? span.start : Date.parse(start_time)
  return {
    start,
    end: duration_ms === undefined ? Math.max(start, span.end) : start + Math.max(0, Math.round(duration_ms)),
  }
}

const bounds = { maxBytes: defaultKeptBytes }

/** Hides secrets in everything that belongs to a suite as a whole. Its steps are redacted where they run (`StepReporter`), and later only checked for secrets learnt since. */
export function redactSuite(run: SuiteRecording, redactor: Redactor): SuiteRecording {
  const json = (value: JsonObject | undefined): JsonObject | undefined =>
    value && redactor.redactJson(value, bounds)
  const text = (value: string): string => redactor.redactText(value).toWellFormed()
  // The error message of a suite that did not load quotes its lines.
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
