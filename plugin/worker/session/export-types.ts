import type { JsonObject } from '../../../src/json.ts'
import type { Position } from '../../../src/source.ts'

/** Something wrong with a suite that no test of it reports. */
export type SuiteProblem = {
  message: string
  at: Position
}

/** What one suite hands to the others once it has run. */
export type SuiteExports = {
  values: JsonObject
  /** Exports that are not there: name → the step that should have given it, in words. */
  missing: ReadonlyMap<string, string>
  /** Why the suite did not run at all. */
  failure?: string
  /** What failed in a run that no test reports. */
  problems: readonly SuiteProblem[]
}
