import type { MessagePort } from 'node:worker_threads'
import type { Position } from '../../src/source.ts'
import type { SuitePlan } from '../../src/suite/plan/plan.ts'

/** What a suite, and those that may run inside it, use: enough to decide when it may run. */
export type SuiteUse = {
  /** Whether it sends requests to the application under test, or has mocks. */
  app: boolean
  /** Whether it sets the time, which affects all code of the thread. */
  clock: boolean
  /** Whether it answers the application's outgoing requests, or checks them. */
  mocks: boolean
  /** Whether it has snapshots, or a snapshot file from earlier runs. */
  snapshots: boolean
}

/** A suite as the main process sends it to the worker. */
export type SuiteParcel = {
  path: string
  /** The plan as JSON text, parsed only where and when the suite runs. */
  plan: string
  /** The other suites it names: node id (or file name, in a `call`) → file. */
  needs: ReadonlyMap<string, string>
  /** Files of the suites that must have ended before this one starts, indirect ones included. */
  after: string[]
  uses: SuiteUse
}

/** A suite that could not be loaded. */
export type BrokenParcel = {
  path: string
  error: { name: string; message: string; stack: string }
  /** Where the first mistake in the file is, if mistakes are the cause. */
  at?: Position
}

/** What the worker's thread is created with: a count that shows that it is not blocked, and where it gets its `Launch`. */
export type ThreadData = { beats: Int32Array; port: MessagePort }

/** What the worker's thread waits for before it loads anything. */
export type Launch = {
  env: Readonly<Record<string, string | undefined>>
  /** Folder in which compiled code is kept for the next run. */
  compiled: string | undefined
}

/** Our own messages to the worker: a suite, the files that were running when an earlier thread ended, or that the run is cancelled. */
export type ToWorker =
  | { kind: 'suite'; parcel: SuiteParcel | BrokenParcel }
  | { kind: 'dead'; paths: readonly string[] }
  | { kind: 'stop'; reason: string }

/** A plan, and the suites it names: node id (or file name, in a `call`) and file. */
export type ReadPlan = { plan: SuitePlan; needs: [name: string, file: string][] }

/** Suffix of the module that exports a suite's `ReadPlan` as JSON text, for suites in TypeScript. */
export const PLAN_QUERY = '?suitecase-plan'

/** Id of the module that exports the file of each node id. */
export const INDEX_MODULE = 'virtual:suitecase/suites'

/** True for a suite that uses the application under test: it has no `base_url`, or it reads `app_url`. */
export function usesApp(plan: SuitePlan): boolean {
  return plan.baseUrl === undefined || plan.usesGiven.includes('app_url')
}
