import type { ExpressionEngine } from '../interpolation/variables/scope.ts'
import type { Json, JsonObject } from '../json.ts'
import type { RequestClient } from '../request/send-request.ts'
import type { BodyHold } from '../request/transport/body-budget.ts'
import type { RetryPlan } from '../suite/plan/plan.ts'
import type { ResolvedLimits } from '../limits.ts'

/** Settings for running suites: the plugin's options as the core needs them, times in ms. */
export type RunSettings = {
  variables: JsonObject
  timeout: number
  followRedirects: boolean | number
  onFailure: 'skip-dependents' | 'stop' | 'continue'
  unresolved: 'literal' | 'error'
  retry?: RetryPlan | undefined
  limits: ResolvedLimits
  /** Absolute folders that a file name from a value may point into, besides the suite's own. @default none */
  files?: readonly string[] | undefined
  /** Absolute folder for saved bodies. */
  savedFolder: string
  /** Secret names besides the default ones and the suite's; their values are not sent to other origins. */
  redact?: readonly (string | RegExp)[]
}

/** The user's own code that runs along with suites; its errors name the hook. Nothing waits for it once the signal aborts. */
export type Hooks = Partial<Record<'beforeEach' | 'afterEach' | 'beforeSuite' | 'afterSuite', Hook>>

/** `beforeEach` returns the request to send. */
export type Hook = (context: JsonObject, signal?: AbortSignal) => Promise<Json | undefined>

export type RunEnvironment = {
  settings: RunSettings
  client: RequestClient
  /** How many ms the event loop has been blocked so far: time limits of requests leave them out. @default 0 */
  readBlocked?: () => number
  hold?: BodyHold
  engine: ExpressionEngine
  env: Record<string, string | undefined>
  hooks?: Hooks
}
