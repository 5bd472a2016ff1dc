import type { PlacedMessage } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/json.ts'
import type { Absence } from '../../../src/run/suite-run.ts'

/** What a suite provides to others once it has run. */
export type SuiteExports = {
  values: JsonObject
  /** Exports that are missing or come from a failed step, and why. */
  missing: ReadonlyMap<string, Absence>
  /** Why the suite did not run at all. */
  failure?: string
  /** Failures that no test reports. */
  problems: readonly PlacedMessage[]
}
