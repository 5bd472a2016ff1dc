import type { JsonObject } from '../../../src/json.ts'
import type { Absence } from '../../../src/run/suite-run.ts'
import type { Position } from '../../../src/source.ts'

/** Something wrong with a suite that no test of it reports. */
export type SuiteProblem = {
  message: string
  at: Position
}

/** What one suite hands to the others once it has run. */
export type SuiteExports = {
  values: JsonObject
  /** Exports that are not there, or are of a step that failed, and why. */
  missing: ReadonlyMap<string, Absence>
  /** Why the suite did not run at all. */
  failure?: string
  /** What failed in a run that no test reports. */
  problems: readonly SuiteProblem[]
}
