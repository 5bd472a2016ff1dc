import { isJsonObject, pickFields, type JsonObject } from '../../json.ts'
import { showInName } from '../../run/fill-name.ts'
import type { StepResult } from '../../run/result.ts'
import { cut } from '../../text/show-value.ts'
import { isExecuted } from '../count-steps.ts'
import type { StepFigures } from './performance-report.ts'

/** Maximum characters of a message in the figures. */
const longest = 600

/** Extracts the figures of a step's result, except its warnings, which depend on those of earlier steps. */
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

export function shorten(text: string): string {
  return cut(text.trim(), longest)
}
