import type { Json } from '../../../src/json.ts'
import type { RequestFields, StepInput, SuiteInput } from '../../../src/suite/schema/schema.ts'
import type { AssertInput } from '../../../src/suite/schema/schema-checks.ts'
import type { operatorTable } from '../../../src/assertion/operators/operators.ts'
import type { TargetOf } from '../../../src/assertion/targets.ts'
import type { StandardSchema } from './functions/standard-schema.ts'
import type {
  OwnOperators,
  OwnScheme,
  Data,
  DataMap,
  RequestValues,
  ResponseValues,
  StreamedEvent,
} from './values.ts'

type Scalar = null | boolean | number | bigint | string

/** What a function returns: a value, or a promise of it. */
type Later<Value> = Value | Promise<Value>

type Given<Values, Value> = Value | ((values: Values) => Later<Value>)

/** Any object but a thenable. */
type Plain = object & { readonly then?: never }

/** Data that may contain functions at any depth. */
type Computed<Values> =
  | Scalar
  | readonly Computed<Values>[]
  | ComputedFields<Values>
  | ((values: Values) => Later<bigint | Data | Plain>)

type ComputedFields<Values> = { readonly [name: string]: Computed<Values> | undefined }

/** Fields that may be functions, or a function or template that gives all of them; null for none. */
type Fields<Values, Field = ComputedFields<Values>> =
  | Field
  | string
  | ((values: Values) => Later<Plain | null>)

type Condition<Values> = string | ((values: Values) => Later<boolean>)

/** The `request` of a step, parts of which may be functions. */
export type RequestDefinition<Values> = With<
  RequestFields,
  Record<'method' | 'file', Given<Values, string>> &
    Record<'params' | 'headers' | 'form', Fields<Values>> & {
      multipart: Fields<Values, { readonly [name: string]: Parts<Values> | undefined }>
      body: Computed<Values>
      graphql: With<NonNullable<RequestFields['graphql']>, { variables: ComputedFields<Values> }>
      auth: Auth<Values>
    },
  { readonly url: Given<Values, string> }
>

/** A field of a multipart form: values, files or functions. */
type Parts<Values> = Part<Values> | readonly Part<Values>[]
type Part<Values> =
  | Scalar
  | ((values: Values) => Later<bigint | Data | Plain>)
  | (Optional<Record<'file' | 'type', Given<Values, string>>> & {
      readonly filename?: Given<Values, string> | null
      readonly value?: Computed<Values>
    })

/** The `auth` of the format, each setting of which may be a function. */
type Auth<Values> =
  | Exclude<RequestFields['auth'], object>
  | Written<Extract<RequestFields['auth'], object>, (values: Values) => Later<Data | Json>>
  // oxlint-disable-next-line typescript/no-redundant-type-constituents -- only a project that declares schemes has some
  | { [Name in OwnScheme]: { readonly [Own in Name]: Computed<Values> } }[OwnScheme]

/** A tree of checks on a value, in which Standard Schemas, patterns and functions may give the expected values. */
type CheckTree<Values> =
  | Scalar
  | RegExp
  | StandardSchema
  | readonly CheckTree<Values>[]
  | (CheckFields<Values> & {
      readonly [Name in keyof typeof operatorTable]?: CheckTree<Values> | undefined
    } & {
      readonly [Name in keyof OwnOperators]: OwnOperators[Name] | Expected<Values>
    })
  | Expected<Values>

// A mapped type: TypeScript loses an index signature that it intersects while it resolves it.
type CheckFields<Values> = { readonly [Name in string]: CheckTree<Values> | undefined }

/** A function that returns an expected value. Its type is unknown, as for a variable. */
type Expected<Values> = (values: Values) => Later<Data | Json | undefined>

type CustomCheck<Values> = Optional<{ name: string; message: string }> & { condition: Condition<Values> }

/** Targets with few operators, whose values are numbers. */
type NumberTarget = TargetOf<'status' | 'count' | 'time'>

/** Targets whose parts have names that are not paths. */
type NamedTarget = TargetOf<'headers' | 'cookies' | 'selectors'>

/** Targets that may be followed by a path or an operator in a flat key. */
type FlatTarget = Exclude<keyof AssertInput, TargetOf<'selectors' | 'responses' | 'custom' | 'openapi'>>

/** How many responses of a burst must pass some checks. */
type ResponsesCheck<Values> = {
  readonly where: AssertDefinition<Values, unknown>
  readonly count: Written<NonNullable<AssertInput['responses']>[number]['count'], Expected<Values>>
}

/** The assertions of a step. */
export type AssertDefinition<Values, Body> = Written<Pick<AssertInput, NumberTarget>, Expected<Values>> &
  Optional<
    Record<
      Exclude<keyof AssertInput, NumberTarget | NamedTarget | 'body' | 'responses' | 'custom' | 'openapi'>,
      CheckTree<Values>
    > &
      Record<NamedTarget, CheckFields<Values> | null> & {
        body: StandardSchema<Body> | CheckTree<Values>
        responses: readonly ResponsesCheck<Values>[]
        custom: readonly CustomCheck<Values>[]
        openapi: string | null
      }
  > & {
    readonly [path: `${FlatTarget}${'.' | '['}${string}`]: CheckTree<Values> | undefined
  }

/** Where captured values come from: functions, JMESPath over the response, or values. */
type CaptureMap<Values, Captured> = {
  readonly [Name in keyof Captured]:
    | ((values: Values) => Later<Captured[Name] & (bigint | Data | Plain)>)
    | Exclude<Scalar, null>
    | readonly Data[]
    | Written<Extract<NonNullable<StepInput['capture']>[string], { optional?: unknown }>>
    | DataMap
}

type BranchDefinition<Variables, Body> = Optional<{
  assert: AssertDefinition<ResponseValues<Variables, Body>, Body>
  capture: CaptureMap<ResponseValues<Variables, Body>, Record<string, Data | Json>>
  variables: ComputedFields<RequestValues<Variables>>
}>

type ScenarioDefinition<Variables, Body> = Optional<
  { name: string } & Record<'then' | 'else', BranchDefinition<Variables, Body>>
> & { readonly condition: Condition<ResponseValues<Variables, Body>> }

type SkipDefinition<Values> =
  | boolean
  | Condition<Values>
  | (Optional<{ reason: string }> & { readonly when: boolean | Condition<Values> })

type IterateDefinition<Values> = { readonly as: string } & (
  | { readonly over: Given<Values, readonly (Data | Json)[] | string> }
  | { readonly range: string }
)

type RetryDefinition<Values> =
  | Written<Exclude<StepInput['retry'], object>>
  | With<
      Extract<StepInput['retry'], object>,
      { on: number | readonly (number | string)[] | Condition<Values>; until: Condition<Values> }
    >

/** Mocks as in YAML, or MSW's own request handlers. */
type MockDefinitions = readonly (Written<NonNullable<StepInput['mocks']>[number]> | MswHandler)[]
type MswHandler = { readonly info: object; run(...values: never[]): unknown }

/** A step as `defineSuite` takes it: the keys of a step in a suite file, with functions where a value depends on the run. */
// oxlint-disable-next-line typescript/no-explicit-any -- without a schema the body has any shape
export type StepDefinition<Variables = object, Captured = Record<string, Data | Json>, Body = any> = With<
  StepInput,
  {
    request: RequestDefinition<RequestValues<Variables>>
    assert: AssertDefinition<ResponseValues<Variables, Body>, Body>
    capture: CaptureMap<ResponseValues<Variables, Body>, Captured>
    scenarios: readonly ScenarioDefinition<Variables, Body>[]
    skip: SkipDefinition<RequestValues<Variables>>
    variables: ComputedFields<RequestValues<Variables>>
    retry: RetryDefinition<ResponseValues<Variables, Body>>
    stream: With<
      NonNullable<StepInput['stream']>,
      { until: string | ((values: RequestValues<Variables> & { readonly event: StreamedEvent }) => boolean) }
    >
    iterate: IterateDefinition<RequestValues<Variables>>
    call: With<NonNullable<StepInput['call']>, { variables: ComputedFields<RequestValues<Variables>> }>
    mocks: MockDefinitions
  },
  { readonly name: Name }
>

/** Keeps names literal. Otherwise TypeScript compares all steps to infer the type of a list, for minutes. */
type Name = (string & {}) | Lowercase<string>

/** Settings for all steps. Maps stay maps, since they are merged into those of the steps. */
type DefaultsDefinition<Variables> = Optional<
  Record<'headers' | 'params', ComputedFields<RequestValues<Variables>> | null> & {
    auth: Auth<RequestValues<Variables>> | null
    // oxlint-disable-next-line typescript/no-explicit-any -- the bodies of all steps
    assert: AssertDefinition<ResponseValues<Variables>, any> | null
  }
>

/** What a suite has apart from its steps. */
export type SuiteHead<Variables = object> = With<
  Omit<SuiteInput, 'steps' | 'exports'>,
  Record<'setup' | 'teardown', readonly StepDefinition<Variables>[]> & {
    variables: Variables & DataMap
    defaults: DefaultsDefinition<Variables>
    retry: RetryDefinition<ResponseValues<Variables>>
    mocks: MockDefinitions
  }
>

/** A suite as `defineSuite` takes it: the keys of a suite file, with functions where a value depends on the run. */
export type SuiteDefinition<Variables = object> = SuiteHead<Variables> & {
  readonly steps: readonly StepDefinition<Variables>[]
}

/** The format, with the optional keys of `Here` and the required ones of `Needed` in place of its own. */
type With<Format, Here, Needed = unknown> = Written<Omit<Format, keyof Here | keyof Needed>> &
  Optional<Here> &
  Needed

type Optional<Members> = { readonly [Name in keyof Members]?: Members[Name] | undefined }

/** What the format accepts, read-only, with `Data` for JSON. `Fn` may stand in for strings and numbers. */
type Written<Value, Fn = never> = Value extends readonly (infer Item)[]
  ? [Json] extends [Item]
    ? readonly Data[]
    : readonly Written<Item, Fn>[]
  : Value extends object
    ? string extends keyof Value
      ? DataMap
      : { readonly [Key in keyof Value]: Written<Value[Key], Fn> }
    : Value | (string extends Value ? Fn : number extends Value ? Fn : never)
