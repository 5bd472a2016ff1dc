import type { StepResult, SuiteResult } from '../../run/result.ts'
import type { StepFigures, SuiteFigures } from './performance-report.ts'

/** Keeps of a suite's result what the figures need. */
export function takeFigures(suite: SuiteResult): SuiteFigures {
  return {
    node_id: suite.node_id,
    suite_name: suite.suite_name,
    file_path: suite.file_path,
    status: suite.status,
    start: Date.parse(suite.start_time),
    duration_ms: suite.duration_ms,
    success_rate: suite.success_rate,
    steps: suite.steps_results.map(takeStepFigures),
  }
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
  }
}

/** Path of a URL, without origin, query and fragment. */
export function takePath(url: string): string {
  const path = URL.parse(url)?.pathname ?? url.replace(/[?#].*$/s, '')
  return path === '' ? '/' : path
}
