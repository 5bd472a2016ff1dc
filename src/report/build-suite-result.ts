import type { JsonObject } from '../json.ts'
import type { ResultWarning } from '../errors.ts'
import type { SuiteResult } from '../run/result.ts'
import { defaultKeptBytes } from '../safe-json.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { keepLines } from '../secrets/star-out.ts'
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

const bounds = { maxBytes: defaultKeptBytes }

/**
 * Builds a suite's result, with fields in the order of result files. Its four counts add up to the number of steps. Hides
 * secrets in everything that belongs to the suite as a whole; its steps were redacted where they ran (`StepReporter`).
 */
export function buildSuiteResult(run: SuiteRecording, redactor: Redactor): RecordedSuite {
  const { error_message, tags, warnings, variables_captured = {}, available_variables = {} } = run
  const text = (value: string): string => redactor.redactText(value).toWellFormed()
  const { suite_yaml_content: yaml } = run
  const shown = error_message === undefined ? redactor.redactSource(yaml) : redactor.redactFile(yaml)
  const steps = run.steps.map(({ figures }) => figures)
  const status = decideStatus(steps, error_message !== undefined)
  const counts = countSteps(steps)
  const { start, end } = findTimes(run)
  redactor.learn(variables_captured)
  redactor.learn(available_variables)
  return {
    node_id: run.node_id,
    suite_name: text(run.suite_name),
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
    variables_captured: redactor.redactJson(variables_captured, bounds),
    available_variables: redactor.redactJson(available_variables, bounds),
    suite_yaml_content: keepLines(yaml, shown).toWellFormed(),
    ...(tags?.length ? { tags: tags.map(text) } : {}),
    // That of a suite that did not load quotes its lines.
    ...(error_message !== undefined && {
      error_message: redactor.redactSource(error_message).toWellFormed(),
    }),
    ...(warnings?.length
      ? { warnings: warnings.map((each) => Object.assign({}, each, { message: text(each.message) })) }
      : {}),
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
