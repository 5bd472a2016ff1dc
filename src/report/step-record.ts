import type { ResultWarning } from '../errors.ts'
import { isJsonObject, parseJson, pickFields, type JsonObject } from '../json.ts'
import { showInName } from '../run/fill-name.ts'
import type { StepResult, SuiteResult } from '../run/result.ts'
import { stringifySafely } from '../safe-json.ts'
import { cut } from '../text/show-value.ts'
import { isExecuted } from './count-steps.ts'
import type { StepFigures } from './performance/figures.ts'

/** A step's result on its way to the reporter: its text for result files, which is not parsed again, and what figures and terminal need. */
export type StepRecord = { figures: StepFigures; warnings?: readonly ResultWarning[]; text: string }

/** The result of a suite with its steps as records. */
export type RecordedSuite = Omit<SuiteResult, 'steps_results'> & { steps_results: readonly StepRecord[] }

/** Creates the record of a step. `text` is the JSON of `result`, if it already exists. */
export function recordStep(result: StepResult, text: string = serialiseStep(result)): StepRecord {
  const { warnings } = result
  return { figures: takeStepFigures(result), ...(warnings && { warnings }), text }
}

export function readStep({ text }: StepRecord): StepResult {
  return parseJson(text) as unknown as StepResult
}

/** JSON of a step, indented as in a suite's result file. */
export function serialiseStep(step: StepResult): string {
  return stringifySafely([[step]], 2).slice('[\n  [\n    '.length, -'\n  ]\n]'.length)
}

/** Figures of a step, without its warnings, which depend on those of earlier steps. */
function takeStepFigures(step: StepResult): StepFigures {
  const { request_details: request, response_details: response, start_time } = step
  const path = request && (URL.parse(request.full_url)?.pathname ?? request.full_url.replace(/[?#].*$/s, ''))
  return {
    ...pickFields(step, ['qualified_step_id', 'step_name', 'status', 'duration_ms', 'flaky', 'line']),
    ...(start_time !== undefined && { start: Date.parse(start_time) }),
    ...(isExecuted(step) && step.timings && { request_ms: step.timings.total }),
    ...(request && { method: request.method, path: path || '/' }),
    ...(response && { status_code: response.status_code }),
    ...(step.attempts && step.attempts.length > 1 && { attempts: step.attempts.length }),
    ...(step.iteration && { iteration: nameIteration(step.iteration) }),
    ...(step.error_message !== undefined && { error: shorten(step.error_message) }),
    ...(step.skip_reason !== undefined && { skip_reason: shorten(step.skip_reason) }),
    ...(step.failed_lines?.[0] !== undefined && { failed_line: step.failed_lines[0] }),
  }
}

/** Names an iteration by its loop value; for a map, by its `name` or `id`. */
function nameIteration({ index, ...loop }: JsonObject): string {
  const [[name, value] = ['', Number(index) + 1]] = Object.entries(loop)
  const told = isJsonObject(value) ? (value['name'] ?? value['id'] ?? value) : value
  return `${name}: ${showInName(told)}`
}

export function shorten(text: string): string {
  return cut(text.trim(), 600)
}
