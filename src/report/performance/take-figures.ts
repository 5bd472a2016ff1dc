import type { StepResult, SuiteResult } from '../../run/result.ts'
import { mergeWarnings } from '../merge-warnings.ts'
import type { StepFigures, SuiteFigures } from './performance-report.ts'

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
    ...(suite.error_message === undefined ? {} : { error: takeFirstLine(suite.error_message) }),
    ...takeWarnings(suite),
    steps: suite.steps_results.map(takeStepFigures),
  }
}

/** Warnings of a suite that the overview shows. */
const mostWarnings = 20

function takeWarnings({ warnings = [], steps_results }: SuiteResult): Pick<SuiteFigures, 'warnings'> {
  const merged = mergeWarnings(warnings, steps_results).slice(0, mostWarnings)
  return merged.length === 0
    ? {}
    : { warnings: merged.map(({ message, line }) => ({ message: takeFirstLine(message), line })) }
}

/** A suite that did not load or never had its turn has the time of the run. */
function hasStarted({ duration_ms, steps_results }: SuiteResult): boolean {
  return duration_ms > 0 || steps_results.some(({ start_time }) => start_time !== undefined)
}

function takeStepFigures(step: StepResult): StepFigures {
  const { request_details: request, response_details: response } = step
  const executed = step.status === 'success' || step.status === 'failure'
  return {
    qualified_step_id: step.qualified_step_id,
    step_name: step.step_name,
    status: step.status,
    duration_ms: step.duration_ms,
    ...(step.start_time === undefined ? {} : { start: Date.parse(step.start_time) }),
    ...(executed && step.timings ? { request_ms: step.timings.total } : {}),
    ...(request ? { method: request.method, path: takePath(request.full_url) } : {}),
    ...(response ? { status_code: response.status_code } : {}),
    ...(step.attempts && step.attempts.length > 1 ? { attempts: step.attempts.length } : {}),
    ...(step.iteration ? { iterated: true } : {}),
    ...(step.status === 'failure' && step.error_message !== undefined
      ? { error: takeFirstLine(step.error_message), ...takeLine(step) }
      : {}),
  }
}

/** Where to look for a failure: at the first check that failed, else at the step. */
function takeLine({ failed_lines, line }: StepResult): Pick<StepFigures, 'line'> {
  const at = failed_lines?.[0] ?? line
  return at === undefined ? {} : { line: at }
}

/** Path of a URL, without origin, query and fragment. */
export function takePath(url: string): string {
  const path = URL.parse(url)?.pathname ?? url.replace(/[?#].*$/s, '')
  return path === '' ? '/' : path
}

function takeFirstLine(text: string): string {
  const line = (/^.*$/m.exec(text.trimStart())?.[0] ?? '').trimEnd()
  return line.length > 240 ? `${line.slice(0, 239).toWellFormed()}…` : line
}
