import type { Json } from '../../../src/json.ts'
import type { RequestFields, StepInput, SuiteInput } from '../../../src/suite/schema/schema.ts'
import type { AssertInput } from '../../../src/suite/schema/schema-checks.ts'
import type { StandardSchema } from './functions/standard-schema.ts'
import type { OwnOperators, OwnScheme, Data, DataMap, RequestValues, ResponseValues } from './values.ts'

type FromRequest<Variables, Value> = Value | ((values: RequestValues<Variables>) => Value)

/** An object that can be waited for is none: functions give their value at once. */
type Plain = object & { readonly then?: never }

/** Data with functions in it at any depth. */
type Computed<Values> =
  | null
  | boolean
  | number
  | string
  | readonly Computed<Values>[]
  | { readonly [name: string]: Computed<Values> | undefined }
  | ((values: Values) => Data | Plain)

type ComputedMap<Values> =
  | { readonly [name: string]: Computed<Values> | undefined }
  | ((values: Values) => Plain)

type Condition<Values> = string | ((values: Values) => boolean)

/** The `request` of a step, where parts can be functions. */
export type RequestDefinition<Variables> = With<
  RequestFields,
  {
    readonly method?: FromRequest<Variables, string> | undefined
    readonly url: FromRequest<Variables, string>
    readonly params?: ComputedMap<RequestValues<Variables>> | undefined
    readonly headers?: ComputedMap<RequestValues<Variables>> | undefined
    readonly body?: Computed<RequestValues<Variables>> | undefined
    readonly form?: ComputedMap<RequestValues<Variables>> | undefined
    readonly multipart?: ComputedMap<RequestValues<Variables>> | undefined
    readonly file?: FromRequest<Variables, string> | undefined
    readonly graphql?:
      | (DeepReadonly<Omit<NonNullable<RequestFields['graphql']>, 'variables'>> & {
          readonly variables?: { readonly [name: string]: Computed<RequestValues<Variables>> | undefined }
        })
      | undefined
    readonly auth?: Auth<Variables>
  }
>

/** The `auth` of the format, where each setting can be a function. */
type Auth<Variables> =
  | Exclude<RequestFields['auth'], object>
  | Settings<Extract<RequestFields['auth'], object>, RequestValues<Variables>>
  // oxlint-disable-next-line typescript/no-redundant-type-constituents -- only a project that declares schemes has some
  | { [Name in OwnScheme]: { readonly [Own in Name]: Computed<RequestValues<Variables>> } }[OwnScheme]

type Settings<Value, Values> = Value extends object
  ? { readonly [Name in keyof Value]: Settings<Value[Name], Values> }
  : Value | ((values: Values) => Data)

/** A tree of checks on a value, with Standard Schemas, patterns and functions that give what is expected. */
type CheckTree<Values> =
  | null
  | boolean
  | number
  | string
  | RegExp
  | StandardSchema
  | readonly CheckTree<Values>[]
  | ({ readonly [name: string]: CheckTree<Values> | undefined } & OwnChecks<Values>)
  | Expected<Values>

/** What is expected, such as a variable, whose type nobody knows. */
type Expected<Values> = (values: Values) => Data | Json | undefined

type OwnChecks<Values> = {
  readonly [Name in keyof OwnOperators]: OwnOperators[Name] | Expected<Values>
}

/** A condition with the message it fails with. */
export type CustomCheck<Values> = {
  readonly name?: string | undefined
  readonly condition: Condition<Values>
  readonly message?: string | undefined
}

/** Targets whose operators are few and whose values are numbers. */
type NumberTarget = 'status_code' | 'response_time_ms' | 'duration_ms' | 'size_bytes'

type NamedChecks<Values> =
  | { readonly [name: string]: CheckTree<Values> | undefined }
  | ((values: Values) => Data)

/** The assertions of a step. */
export type AssertDefinition<Values, Body> = {
  readonly [Target in NumberTarget]?: Settings<AssertInput[Target], Values>
} & {
  readonly [Target in Exclude<keyof AssertInput, NumberTarget | 'headers' | 'cookies' | 'body' | 'custom'>]?:
    | CheckTree<Values>
    | undefined
} & {
  readonly headers?: NamedChecks<Values> | undefined
  readonly cookies?: NamedChecks<Values> | undefined
  readonly body?: StandardSchema<Body> | CheckTree<Values> | undefined
  readonly custom?: readonly CustomCheck<Values>[] | undefined
  readonly [
    path: `${'body' | 'headers' | 'cookies' | 'redirects' | 'events' | 'messages'}${'.' | '['}${string}`
  ]: CheckTree<Values> | undefined
}

/** Where a captured value comes from: a function, JMESPath over the response, or a value. */
type CaptureSource<Values, Value> =
  | ((values: Values) => Value)
  | string
  | number
  | boolean
  | readonly Data[]
  | { readonly path: string; readonly default?: Data; readonly optional?: boolean }
  | DataMap

type CaptureMap<Values, Captured> = {
  readonly [Name in keyof Captured]: CaptureSource<Values, Captured[Name]>
}

type BranchDefinition<Variables, Body> = {
  readonly assert?: AssertDefinition<ResponseValues<Variables, Body>, Body> | undefined
  readonly capture?: CaptureMap<ResponseValues<Variables, Body>, Record<string, Data>> | undefined
  readonly variables?: { readonly [name: string]: Computed<RequestValues<Variables>> } | undefined
}

type RetryDefinition<Variables, Body> =
  | number
  | string
  | (DeepReadonly<Omit<Extract<StepInput['retry'], object>, 'on' | 'until'>> & {
      readonly on?:
        | number
        | readonly (number | string)[]
        | Condition<ResponseValues<Variables, Body>>
        | undefined
      readonly until?: Condition<ResponseValues<Variables, Body>> | undefined
    })

/** Mocks as in YAML, and MSW's own request handlers. */
type MockDefinitions = readonly (DeepReadonly<NonNullable<StepInput['mocks']>[number]> | MswHandler)[]
type MswHandler = { readonly info: object; run(...values: never[]): unknown }

/** A step as `defineSuite` takes it: the keys of a step in a suite file, with functions where a value depends on the run. */
// oxlint-disable-next-line typescript/no-explicit-any -- without a schema the body has any shape
export type StepDefinition<Variables = object, Captured = Record<string, Data>, Body = any> = With<
  StepInput,
  {
    readonly request?: RequestDefinition<Variables> | undefined
    readonly assert?: AssertDefinition<ResponseValues<Variables, Body>, Body> | undefined
    readonly capture?: CaptureMap<ResponseValues<Variables, Body>, Captured> | undefined
    readonly scenarios?:
      | readonly {
          readonly name?: string | undefined
          readonly condition: Condition<ResponseValues<Variables, Body>>
          readonly then?: BranchDefinition<Variables, Body> | undefined
          readonly else?: BranchDefinition<Variables, Body> | undefined
        }[]
      | undefined
    readonly skip?:
      | boolean
      | Condition<RequestValues<Variables>>
      | { readonly when: boolean | Condition<RequestValues<Variables>>; readonly reason?: string | undefined }
      | undefined
    readonly variables?: { readonly [name: string]: Computed<RequestValues<Variables>> } | undefined
    readonly retry?: RetryDefinition<Variables, Body> | undefined
    readonly iterate?:
      | {
          readonly over:
            | readonly Data[]
            | FromRequest<Variables, string>
            | ((values: RequestValues<Variables>) => readonly Data[])
          readonly as: string
        }
      | { readonly range: string; readonly as: string }
      | undefined
    readonly mocks?: MockDefinitions | undefined
  }
>

/** What is said once for all steps; maps stay maps, since they are merged into those of the steps. */
type DefaultsDefinition<Variables> = {
  readonly headers?: ComputedFields<Variables> | null | undefined
  readonly params?: ComputedFields<Variables> | null | undefined
  readonly auth?: Auth<Variables> | null
  // oxlint-disable-next-line typescript/no-explicit-any -- the bodies of all steps
  readonly assert?: AssertDefinition<ResponseValues<Variables>, any> | null | undefined
}
type ComputedFields<Variables> = Exclude<
  ComputedMap<RequestValues<Variables>>,
  (...passed: never[]) => unknown
>

/** What a suite has beside its steps. */
export type SuiteHead<Variables = object> = With<
  Omit<SuiteInput, 'steps'>,
  {
    readonly variables?: (Variables & DataMap) | undefined
    readonly defaults?: DefaultsDefinition<Variables> | undefined
    // oxlint-disable-next-line typescript/no-explicit-any -- the bodies of all steps
    readonly retry?: RetryDefinition<Variables, any> | undefined
    readonly mocks?: MockDefinitions | undefined
    readonly setup?: readonly StepDefinition<Variables>[] | undefined
    readonly teardown?: readonly StepDefinition<Variables>[] | undefined
  }
>

/** A suite as `defineSuite` takes it: the keys of a suite file, with functions where a value depends on the run. */
export type SuiteDefinition<Variables = object> = SuiteHead<Variables> & {
  readonly steps: readonly StepDefinition<Variables>[]
}

/** What the format has, with some keys as they are here. */
type With<Format, Here> = DeepReadonly<Omit<Format, keyof Here>> & Here

/** Read-only all the way down to JSON, which has no end: it is data. */
type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? [Json] extends [Item]
    ? readonly Data[]
    : readonly DeepReadonly<Item>[]
  : Value extends object
    ? string extends keyof Value
      ? DataMap
      : { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value
