import type { SuitePlan } from '../../../src/suite/plan/plan.ts'

/** The plan of a suite, and ways to reach what it names. */
export type LinkedPlan = {
  path: string
  plan: SuitePlan
  /** Loads another suite by its node id, or by its file name in a `call`. Undefined for a name that no suite has. */
  open: (name: string) => Promise<LinkedPlan> | undefined
  app?: AppLink | undefined
}

export type AppLink = {
  /** Imports its module. Resolves to the default export. */
  load: () => Promise<unknown>
  /** One for all suites, or a new one for each. */
  per: 'run' | 'suite'
}
