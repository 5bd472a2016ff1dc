import type { Json, JsonObject } from '../../src/json.ts'
import type { StepInput, SuiteInput } from '../../src/suite/schema.ts'

/** What a function in a suite is given: the variables, and once there is a response, its parts. */
export type StepValues<Variables = JsonObject> = {
  variables: Variables & Readonly<Record<string, Json | undefined>>
  status_code: number
  headers: Record<string, string | string[]>
  /** The parsed JSON, or the text. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a body has the shape the author knows
  body: any
  /** Milliseconds. */
  response_time: number
  request: { method: string; url: string; headers: Record<string, string>; body: Json }
}

/** A function in the place of a value; what it returns is data, never a template. */
export type Computed<Variables, Value> = (values: StepValues<Variables>) => Value

/** A schema of any library that follows Standard Schema (standardschema.dev): zod, valibot, arktype … */
export type StandardSchema = {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>
  }
}

/** What a Standard Schema answers. */
export type StandardResult = {
  readonly issues?:
    | readonly {
        readonly message: string
        readonly path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined
      }[]
    | undefined
}

/** A value, or a function that gives it, at any depth. */
export type Dynamic<Variables, Value> =
  | Computed<Variables, Value>
  | (Value extends readonly (infer Item)[]
      ? Dynamic<Variables, Item>[]
      : Value extends object
        ? { [Key in keyof Value]: Dynamic<Variables, Value[Key]> }
        : Value)

type Condition<Variables> = string | Computed<Variables, boolean>

/** A condition with the message it fails with. */
export type CustomCheck<Variables> = { name: string; condition: Condition<Variables>; message?: string }

/** The assertions of a step, where a body can be a Standard Schema and conditions can be functions. */
export type AssertDefinition<Variables> = {
  status_code?: Json
  headers?: { [name: string]: Json }
  body?: Json | StandardSchema
  response_time_ms?: Json
  custom?: CustomCheck<Variables>[]
  [flatPath: string]: Json | StandardSchema | CustomCheck<Variables>[] | undefined
}

type BranchDefinition<Variables> = {
  assert?: AssertDefinition<Variables>
  capture?: { [name: string]: Json | Computed<Variables, Json> }
  variables?: { [name: string]: Json | Computed<Variables, Json> }
}

/** A step as `defineSuite` takes it. */
export type StepDefinition<Variables = JsonObject> = Omit<
  StepInput,
  'request' | 'assert' | 'capture' | 'scenarios' | 'skip' | 'retry'
> & {
  request?: Dynamic<Variables, NonNullable<StepInput['request']>> extends infer Request
    ? Exclude<Request, Function>
    : never
  assert?: AssertDefinition<Variables>
  capture?: { [name: string]: Json | Computed<Variables, Json> }
  scenarios?: {
    name?: string
    condition: Condition<Variables>
    then?: BranchDefinition<Variables>
    else?: BranchDefinition<Variables>
  }[]
  skip?: boolean | Condition<Variables>
  retry?: Omit<NonNullable<StepInput['retry']>, 'on' | 'until'> & {
    on?: number[] | Condition<Variables>
    until?: Condition<Variables>
  }
}

/** A suite as `defineSuite` takes it: the keys of a suite file, with functions where a value depends on the run. */
export type SuiteDefinition<Variables = JsonObject> = Omit<
  SuiteInput,
  'variables' | 'steps' | 'setup' | 'teardown'
> & {
  variables?: Variables
  setup?: StepDefinition<Variables>[]
  steps: StepDefinition<Variables>[]
  teardown?: StepDefinition<Variables>[]
}
