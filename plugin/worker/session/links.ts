import type { SuitePlan } from '../../../src/suite/plan/plan.ts'

/** How a suite reaches the others that it names, and the application under test. */
export type Links = {
  /** Node id (or file name, in a `call`) → a function that loads that suite's plan and links. */
  plans: ReadonlyMap<string, () => Promise<LinkedPlan>>
  /** The application under test. */
  app?: AppLink | undefined
}

/** The plan of a suite, with its links. */
export type LinkedPlan = { plan: SuitePlan; links: Links; path: string }

/** How to get the application under test. */
export type AppLink = {
  /** Imports its module. Resolves to the default export. */
  load: () => Promise<unknown>
  /** One for all suites, or a new one for each. */
  per: 'run' | 'suite'
}
