import type { SuitePlan } from '../src/suite/plan.ts'
import type { ImportModule } from './messages.ts'

/** Imports that only a test module can make, because they go through Vitest's module graph. */
export type Links = {
  import: ImportModule
  /** Node id (or file name, in a `call`) → the module with that suite's plan. */
  plans: Record<string, () => Promise<{ default: LinkedPlan }>>
  /** The application under test. */
  app?: () => Promise<{ default: unknown }>
}

/** A suite's plan with the imports it needs in turn. */
export type LinkedPlan = { plan: SuitePlan; links: Links }
