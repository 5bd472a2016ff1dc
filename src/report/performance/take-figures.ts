import { isSaidAtLoad, type ResultWarning } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { showInName } from '../../run/fill-name.ts'
import type { StepResult } from '../../run/result.ts'
import { cut } from '../../text/show-value.ts'
import { isExecuted } from '../count-steps.ts'
import type { RecordedSuite } from '../step-record.ts'
import type { StepFigures, SuiteFigures } from './performance-report.ts'

/** Extracts the figures of a suite's result. A warning shared by several steps, or already given when loading the suite, appears once. */
export function takeFigures(suite: RecordedSuite): SuiteFigures {
  const { warnings: atLoad = [], steps_results: steps, duration_ms, error_message: error } = suite
  const said = new Set(takeWarnings(atLoad).map((one) => JSON.stringify(one)))
  // A suite that never started has the start time of the run.
  const hasStarted = duration_ms > 0 || steps.some(({ figures }) => figures.start !== undefined)
  return {
    ...pickFields(suite, ['node_id', 'suite_name', 'file_path', 'priority', 'status', 'seed']),
    ...pickFields(suite, ['duration_ms', 'success_rate']),
    tags: suite.tags ?? [],
    start: hasStarted ? Date.parse(suite.start_time) : 0,
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

/** Maximum characters of a message in the figures. */
const longest = 600

/** Extracts the figures of a step's result. Not its warnings, which depend on those of earlier steps. */
export function takeStepFigures(step: StepResult): StepFigures {
  const { request_details: request, response_details: response } = step
  return {
    ...pickFields(step, ['qualified_step_id', 'step_name', 'status', 'duration_ms', 'flaky', 'line']),
    ...(step.start_time === undefined ? {} : { start: Date.parse(step.start_time) }),
    ...(isExecuted(step) && step.timings ? { request_ms: step.timings.total } : {}),
    ...(request ? { method: request.method, path: takePath(request.full_url) } : {}),
    ...(response ? { status_code: response.status_code } : {}),
    ...(step.attempts && step.attempts.length > 1 ? { attempts: step.attempts.length } : {}),
    ...(step.iteration && { iteration: nameIteration(step.iteration) }),
    ...(step.error_message === undefined ? {} : { error: shorten(step.error_message) }),
    ...(step.skip_reason === undefined ? {} : { skip_reason: shorten(step.skip_reason) }),
    ...(step.failed_lines?.[0] === undefined ? {} : { failed_line: step.failed_lines[0] }),
  }
}

/** Names an iteration by its loop value; for a map, by its `name` or `id`. */
function nameIteration({ index, ...loop }: JsonObject): string {
  const [[name, value] = ['', Number(index) + 1]] = Object.entries(loop)
  const told = isJsonObject(value) ? (value['name'] ?? value['id'] ?? value) : value
  return `${name}: ${showInName(told)}`
}

/** Path of a URL, without origin, query and fragment. */
export function takePath(url: string): string {
  const path = URL.parse(url)?.pathname ?? url.replace(/[?#].*$/s, '')
  return path === '' ? '/' : path
}

/** The named members that are defined. */
export function pickFields<T extends object, Name extends keyof T>(
  whole: T,
  names: readonly Name[],
): Pick<T, Name> {
  const there = names.filter((name) => whole[name] !== undefined)
  return Object.fromEntries(there.map((name) => [name, whole[name]])) as Pick<T, Name>
}

/** Shortens a message for the figures. */
function shorten(text: string): string {
  return cut(text.trim(), longest)
}
