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
