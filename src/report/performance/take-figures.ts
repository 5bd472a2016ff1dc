import { isJsonObject, type JsonObject } from '../../json.ts'
import { isSaidAtLoad, type ResultWarning } from '../../errors.ts'
import { showInName } from '../../run/fill-name.ts'
import type { StepResult, SuiteResult } from '../../run/result.ts'
import { cut } from '../../text/show-value.ts'
import { isExecuted } from '../count-steps.ts'
import type { StepFigures, SuiteFigures } from './performance-report.ts'

/** Characters of a message that the figures keep. */
const longest = 600

/** Keeps of a suite's result what the figures need. */
export function takeFigures(suite: SuiteResult): SuiteFigures {
  return {
    node_id: suite.node_id,
    suite_name: suite.suite_name,
    file_path: suite.file_path,
    priority: suite.priority,
    tags: suite.tags ?? [],
    status: suite.status,
    start: hasStarted(suite) ? Date.parse(suite.start_time) : 0,
    duration_ms: suite.duration_ms,
    success_rate: suite.success_rate,
    ...(suite.error_message === undefined ? {} : { error: shorten(suite.error_message) }),
    ...(suite.warnings && { warnings: takeWarnings(suite.warnings) }),
    ...(suite.seed === undefined ? {} : { seed: suite.seed }),
    steps: takeSteps(suite),
  }
}

/** A suite that did not load or never had its turn has the time of the run. */
function hasStarted({ duration_ms, steps_results }: SuiteResult): boolean {
  return duration_ms > 0 || steps_results.some(({ start_time }) => start_time !== undefined)
}

/** A warning that several steps have, or that loading the suite gave already, appears once. */
function takeSteps({ steps_results, warnings: atLoad = [] }: SuiteResult): StepFigures[] {
  const said = new Set(takeWarnings(atLoad).map((one) => JSON.stringify(one)))
  return steps_results.map((step) => {
    const figures = takeStepFigures(step)
    const own = takeWarnings((step.warnings ?? []).filter((one) => !isSaidAtLoad(one, atLoad)))
    const warnings = own.filter((one) => !said.has(JSON.stringify(one)))
    for (const one of warnings) said.add(JSON.stringify(one))
    if (warnings.length > 0) figures.warnings = warnings
    return figures
  })
}

function takeStepFigures(step: StepResult): StepFigures {
  const { request_details: request, response_details: response } = step
  return {
    qualified_step_id: step.qualified_step_id,
    step_name: step.step_name,
    status: step.status,
    duration_ms: step.duration_ms,
    ...(step.start_time === undefined ? {} : { start: Date.parse(step.start_time) }),
    ...(isExecuted(step) && step.timings ? { request_ms: step.timings.total } : {}),
    ...(request ? { method: request.method, path: takePath(request.full_url) } : {}),
    ...(response ? { status_code: response.status_code } : {}),
    ...(step.attempts && step.attempts.length > 1 ? { attempts: step.attempts.length } : {}),
    ...(step.flaky && { flaky: true }),
    ...(step.iteration && { iteration: nameIteration(step.iteration) }),
    ...(step.error_message === undefined ? {} : { error: shorten(step.error_message) }),
    ...(step.skip_reason === undefined ? {} : { skip_reason: shorten(step.skip_reason) }),
    ...(step.line === undefined ? {} : { line: step.line }),
    ...(step.failed_lines?.[0] === undefined ? {} : { failed_line: step.failed_lines[0] }),
  }
}

function takeWarnings(warnings: readonly ResultWarning[]): ResultWarning[] {
  return warnings.map(({ message, line }) => ({
    message: shorten(message),
    ...(line !== undefined && { line }),
  }))
}

/** The value of a loop; of a map its name or id. */
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

function shorten(text: string): string {
  return cut(text.trim(), longest)
}
