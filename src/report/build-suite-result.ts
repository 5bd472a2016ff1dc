import { pickFields, type JsonObject } from '../json.ts'
import { isSaidAtLoad, type ResultWarning } from '../errors.ts'
import type { SuiteResult } from '../run/result.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { computeSuccessRate, countSteps, decideStatus, findSpan, type Span } from './count-steps.ts'
import type { SuiteFigures } from './performance/figures.ts'
import { shorten, type RecordedSuite, type StepRecord } from './step-record.ts'

type Known = 'node_id' | 'suite_name' | 'file_path' | 'priority' | 'suite_yaml_content'

/** What is known about a suite when it has ended, in whatever way. */
export type SuiteRecording = Pick<SuiteResult, Known | 'seed'> & {
  tags?: string[] | undefined
  /** UTC, ISO 8601. @default the start of the first step, or of the run if nothing started */
  start_time?: string
  /** @default from the start to the end of the last step */
  duration_ms?: number
  steps: readonly StepRecord[]
  variables_captured?: JsonObject | undefined
  available_variables?: JsonObject | undefined
  error_message?: string | undefined
  warnings?: ResultWarning[] | undefined
}

/** Builds a suite's result, with fields in the order of result files. Its four counts add up to the number of steps. `runStart` is for a suite that never started. */
export function buildSuiteResult(run: SuiteRecording, runStart: string, redactor: Redactor): RecordedSuite {
  const { error_message, tags, warnings, seed } = run
  const steps = run.steps.map(({ figures }) => figures)
  const status = decideStatus(steps, error_message !== undefined)
  const counts = countSteps(steps)
  const { start, end } = findTimes(run, runStart)
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
    ...(tags?.length && { tags }),
    // The error of a suite that did not load quotes lines of its file.
    ...(error_message !== undefined && { error_message: redactor.redactSource(error_message) }),
    ...(warnings?.length && { warnings }),
    ...(seed !== undefined && { seed }),
  }
}

function findTimes({ start_time, duration_ms, steps }: SuiteRecording, runStart: string): Span {
  const parts = steps.flatMap(({ figures: { start, duration_ms: ms } }) =>
    start === undefined ? [] : { start, end: start + ms },
  )
  const span = findSpan(parts, Date.parse(start_time ?? runStart))
  const start = start_time === undefined ? span.start : Date.parse(start_time)
  return {
    start,
    end: duration_ms === undefined ? Math.max(start, span.end) : start + Math.max(0, Math.round(duration_ms)),
  }
}

/** Extracts the figures of a suite's result. A warning shared by several steps, or already given when loading the suite, appears once. */
export function takeFigures(suite: RecordedSuite): SuiteFigures {
  const { warnings: atLoad = [], steps_results: steps, error_message: error } = suite
  const said = new Set(takeWarnings(atLoad).map((one) => JSON.stringify(one)))
  return {
    ...pickFields(suite, ['node_id', 'suite_name', 'file_path', 'priority', 'status', 'seed']),
    ...pickFields(suite, ['duration_ms', 'success_rate']),
    tags: suite.tags ?? [],
    start: Date.parse(suite.start_time),
    ...(error !== undefined && { error: shorten(error) }),
    ...(suite.warnings && { warnings: takeWarnings(suite.warnings) }),
    steps: steps.map(({ figures, warnings: all = [] }) => {
      const own = takeWarnings(all.filter((one) => !isSaidAtLoad(one, atLoad)))
      const warnings = own.filter((one) => !said.has(JSON.stringify(one)))
      for (const one of warnings) said.add(JSON.stringify(one))
      return warnings.length > 0 ? Object.assign({}, figures, { warnings }) : figures
    }),
  }
}

function takeWarnings(warnings: readonly ResultWarning[]): ResultWarning[] {
  return warnings.map(({ message, ...at }) => ({ message: shorten(message), ...at }))
}
