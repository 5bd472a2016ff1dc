import type { JsonObject } from '../../../src/json.ts'
import type { Absence } from '../../../src/run/suite-run.ts'
import type { Position } from '../../../src/source.ts'

/** A problem of a suite that none of its tests reports. */
export type SuiteProblem = {
  message: string
  at: Position
}

/** What a suite provides to others once it has run. */
export type SuiteExports = {
  values: JsonObject
  /** Exports that are missing or come from a failed step, and why. */
  missing: ReadonlyMap<string, Absence>
  /** Why the suite did not run at all. */
  failure?: string
  /** Failures that no test reports. */
  problems: readonly SuiteProblem[]
}
