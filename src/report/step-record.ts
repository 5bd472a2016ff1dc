import type { ResultWarning } from '../errors.ts'
import { parseJson } from '../json.ts'
import type { StepResult, SuiteResult } from '../run/result.ts'
import { stringifySafely } from '../safe-json.ts'
import type { StepFigures } from './performance/performance-report.ts'
import { takeStepFigures } from './performance/take-step-figures.ts'

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
