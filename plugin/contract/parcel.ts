import type { Position } from '../../src/source.ts'
import type { SuitePlan } from '../../src/suite/plan/plan.ts'

/** What is known of a suite without reading its plan: enough to decide when it may run. */
export type SuiteUse = {
  /** It sends requests to the application under test. */
  app: boolean
  /** It sets the time, which all code of the thread sees. */
  clock: boolean
  /** It answers the application's outgoing requests, or checks them. */
  mocks: boolean
  /** It has snapshots, or had some. */
  snapshots: boolean
}

/** A suite as the main process sends it to the worker. */
export type SuiteParcel = {
  path: string
  /** Vitest's id of the test file. */
  id: string
  /** The plan as JSON text: it is read where and when the suite runs. */
  plan: string
  /** The other suites it names: node id (or file name, in a `call`) → file. */
  needs: ReadonlyMap<string, string>
  /** Files of the suites that must have ended before, however far away. */
  after: string[]
  uses: SuiteUse
}

/** A suite that could not be loaded. */
export type BrokenParcel = {
  path: string
  id: string
  error: { name: string; message: string; stack: string }
  /** The first mistake in the file, where that is what is wrong. */
  at?: Position
}

/** What the main process sends to the worker beside Vitest's own messages: a suite, or the files of those that an earlier thread of the run did not survive. */
export type ToWorker =
  | { kind: 'suite'; parcel: SuiteParcel | BrokenParcel }
  | { kind: 'dead'; paths: readonly string[] }

/** A plan with the suites it names: node id (or file name, in a `call`) and file. */
export type ReadPlan = { plan: SuitePlan; needs: [name: string, file: string][] }

/** What the id of the module that carries a suite's `ReadPlan` as JSON text ends with: suites in TypeScript import it. */
export const PLAN_QUERY = '?suitecase-plan'

/** Id of the module that carries the file of each node id. */
export const INDEX_MODULE = 'virtual:suitecase/suites'

/** True for a suite that sends requests to the application under test: without a `base_url` that is the one meant. */
export function usesApp(plan: SuitePlan): boolean {
  return plan.baseUrl === undefined || plan.usesGiven.includes('app_url')
}
