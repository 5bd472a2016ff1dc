import { isSaidAtLoad, type ResultWarning } from '../../errors.ts'
import type { RecordedSuite } from '../step-record.ts'
import type { SuiteFigures } from './performance-report.ts'
import { pickFields, shorten } from './take-step-figures.ts'

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
