import type { JsonObject } from '../../../src/json.ts'
import type { Position } from '../../../src/source.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'

/** The way from a suite to the others it names, and to the application under test. */
export type Links = {
  /** Node id (or file name, in a `call`) → that suite's plan and links. */
  plans: ReadonlyMap<string, () => Promise<LinkedPlan>>
  /** The application under test. */
  app?: AppLink | undefined
}

/** A suite's plan with its links in turn. */
export type LinkedPlan = { plan: SuitePlan; links: Links; path: string }

/** How to get the application under test. */
export type AppLink = {
  /** Imports its module and gives the default export. */
  load: () => Promise<unknown>
  /** One for all suites, or a fresh one for each. */
  per: 'run' | 'suite'
}

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
