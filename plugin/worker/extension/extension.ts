import type { Json, JsonObject } from '../../../src/json.ts'
import type { JsonType } from '../../../src/text/show-value.ts'

export type { Json, JsonObject }

/** What kind of operand an operator takes. */
export type ExtensionOperand = 'any' | 'text' | 'number' | 'flag' | 'list'

/** An operator of your own, used in checks like the built-in ones. */
export type ExtensionOperator = {
  /** What it checks, in words, for messages and the schema. */
  about: string
  /** @default 'any' */
  operand?: ExtensionOperand
  /** Types of values it accepts. A value of another type fails the check. @default all */
  takes?: readonly JsonType[]
  /** `true` passes. A string fails the check and says why. `false` fails it with a text made from `about`. */
  judge(actual: Json, operand: Json): boolean | string
}

type Step = { id: string; name: string }

/** What `beforeEach` receives. Changes to `request` are sent. */
export type BeforeEachContext = { step: Step; request: JsonObject; variables: JsonObject }

/** What `afterEach` receives: the request as it was sent, and its response. */
export type AfterEachContext = {
  step: Step
  request: { method: string; url: string; headers: Record<string, string | string[]>; body: Json }
  response: {
    status_code: number
    headers: Record<string, string | string[]>
    body: Json
    duration_ms: number
  }
}

/** What `beforeSuite` and `afterSuite` receive. */
export type SuiteContext = { suite: { node_id: string; name: string; file: string }; variables: JsonObject }

/** The request that an `auth` scheme changes before it is sent: its `headers`, and the query in its `url`. */
export type AuthRequest = {
  readonly method: string
  url: string
  /** By lower-case name. */
  headers: Record<string, string>
  /** The bytes that will be sent, for signing. */
  readonly body: Uint8Array | undefined
}

type Hook<Context> = (context: Context) => void | Promise<void>

/** What the module of the option `extend` exports. */
export type Extension = {
  /** Callable in expressions and conditions. They take and return JSON data, and may be asynchronous. */
  functions?: Record<string, (...passed: never[]) => unknown>
  operators?: Record<string, ExtensionOperator>
  /** Schemes for `auth`. They receive the settings given in the suite. */
  auth?: Record<string, (request: AuthRequest, settings: Json) => void | Promise<void>>
  /** Called before each request is sent. */
  beforeEach?: Hook<BeforeEachContext>
  /** Called after each response, before it is checked. */
  afterEach?: Hook<AfterEachContext>
  beforeSuite?: Hook<SuiteContext>
  afterSuite?: Hook<SuiteContext>
}

/** Types the default export of the module of the option `extend`. */
export function defineExtension<const Given extends Extension>(extension: Given): Given {
  return extension
}
