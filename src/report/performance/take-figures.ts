import { isSaidAtLoad, type ResultWarning } from '../../errors.ts'
import type { RecordedSuite } from '../step-record.ts'
import type { StepFigures, SuiteFigures } from './performance-report.ts'
import { shorten } from './take-step-figures.ts'

/** Keeps of a suite's result what the figures need. */
export function takeFigures(suite: RecordedSuite): SuiteFigures {
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
function hasStarted({ duration_ms, steps_results }: RecordedSuite): boolean {
  return duration_ms > 0 || steps_results.some(({ figures }) => figures.start !== undefined)
}

/** A warning that several steps have, or that loading the suite gave already, appears once. */
function takeSteps({ steps_results, warnings: atLoad = [] }: RecordedSuite): StepFigures[] {
  const said = new Set(takeWarnings(atLoad).map((one) => JSON.stringify(one)))
  return steps_results.map(({ figures, warnings: all = [] }) => {
    const own = takeWarnings(all.filter((one) => !isSaidAtLoad(one, atLoad)))
    const warnings = own.filter((one) => !said.has(JSON.stringify(one)))
    for (const one of warnings) said.add(JSON.stringify(one))
    return warnings.length > 0 ? { ...figures, warnings } : figures
  })
}

function takeWarnings(warnings: readonly ResultWarning[]): ResultWarning[] {
  return warnings.map(({ message, line }) => ({
    message: shorten(message),
    ...(line !== undefined && { line }),
  }))
}
