import type { ExpressionEngine } from '../interpolation/variables/scope.ts'
import type { Json, JsonObject } from '../json.ts'
import type { RequestClient } from '../request/send-request.ts'
import type { RetryPlan } from '../suite/plan/plan.ts'

/** How suites run: the plugin's options as the core needs them, times in ms. */
export type RunSettings = {
  variables: JsonObject
  timeout: number
  followRedirects: boolean | number
  onFailure: 'skip-dependents' | 'stop' | 'continue'
  unresolved: 'literal' | 'error'
  retry?: RetryPlan | undefined
  /** Characters of an interpolated text. */
  interpolationLimit: number
  /** Absolute folders that a file name from a value may lead into, besides the suite's own. @default none */
  files?: readonly string[] | undefined
  /** Bytes of a file that is sent. @default the limit of bodies, 50 MB */
  fileLimit?: number | undefined
  /** ms a path of a capture or condition may take. @default 1000 */
  pathLimit?: number | undefined
  /** ms an `each` check may take. @default 10000 */
  eachLimit?: number | undefined
  /** Absolute folder of bodies that are saved. */
  savedFolder: string
  /** ms a whole suite may take. */
  suiteLimit: number
  /** Secret names, beside those that are by default and those of the suite: no other origin gets their values. */
  redact?: readonly (string | RegExp)[]
}

/** Code of the user's own that runs beside suites; what it throws says where. */
export type Hooks = {
  /** Gives the request to send. */
  beforeEach?(context: { step: JsonObject; request: JsonObject; variables: JsonObject }): Promise<Json>
  afterEach?(context: JsonObject): Promise<void>
  beforeSuite?(context: JsonObject): Promise<void>
  afterSuite?(context: JsonObject): Promise<void>
}

/** What one worker shares between the suites it runs. */
export type RunEnvironment = {
  settings: RunSettings
  client: RequestClient
  engine: ExpressionEngine
  env: Record<string, string | undefined>
  hooks?: Hooks
  /** Told the `auth` of each request, filled in: its secrets may stand under any name elsewhere. */
  onAuth?: (auth: Json) => void
}
