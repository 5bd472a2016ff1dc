import type { PlacedMessage } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/json.ts'
import type { Absence } from '../../../src/run/suite-run.ts'
import type { LinkedPlan } from '../session/links.ts'

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

/** A suite that another one reads, by its node id: with its plan, or why it could not be loaded. */
export type SuiteRead = { nodeId: string; linked: LinkedPlan | (Error & { path?: string }) }
