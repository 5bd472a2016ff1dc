import type { Json } from '../../../src/json.ts'
import type { MockCall } from '../../../src/mock/mock.ts'
import type { Redirect, SocketMessage } from '../../../src/request/exchange.ts'

/** Data as authors write it: what JSON can hold, `as const` included. */
export type Data = null | boolean | number | string | readonly Data[] | DataMap
/** A map of data. Members that are `undefined` are left out. */
export type DataMap = { readonly [name: string]: Data | undefined }

/** The variables that a function sees: those known by type, and any other name. */
export type VariablesOf<Variables> = Readonly<Variables> & { readonly [name: string]: Json | undefined }

/** What a function receives before there is a response, in parts of the request and `skip`. All of it is frozen. */
export type RequestValues<Variables = object> = { readonly variables: VariablesOf<Variables> }

/** What a function receives once there is a response, in conditions, captures and expected values. All of it is frozen. */
// oxlint-disable-next-line typescript/no-explicit-any -- a body has the shape its author knows, unless a schema tells
export type ResponseValues<Variables = object, Body = any> = RequestValues<Variables> & {
  readonly status_code: number
  /** By name, in any case; `Object.keys` has them in lower case. A header sent several times is a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Values of the cookies that this response sets. */
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** The parsed JSON, or the text. */
  readonly body: Body
  /** Milliseconds. */
  readonly response_time: number
  readonly size_bytes: number
  /** Those that were followed. `target` is the URL that was requested next. */
  readonly redirects?: readonly Readonly<Redirect>[]
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Json
  }
  /** Calls of the application to mocked services during the step. */
  readonly mock_calls?: readonly Readonly<MockCall>[]
  /** For a `stream`: its events, and the milliseconds to the first one. */
  readonly events?: readonly StreamedEvent[]
  readonly first_event_ms?: number
  /** For a `websocket`: its messages in both directions. */
  readonly messages?: readonly (Timed & Readonly<Pick<SocketMessage, 'direction' | 'type'>>)[]
  readonly close_code?: number
  /** For a `burst`: all its responses. */
  readonly responses?: readonly (Pick<ResponseValues, 'status_code' | 'headers' | 'body' | 'size_bytes'> & {
    readonly response_time_ms: number
    readonly duration_ms: number
  })[]
}

// oxlint-disable-next-line typescript/no-explicit-any -- data has the shape its author knows
type Timed = { readonly data: any; readonly at_ms: number }

/** An event of a `stream`. */
export type StreamedEvent = Timed & { readonly event?: string; readonly id?: string }

/** Projects may declare members. `suitecase types` writes the declaration for the option `extend`. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- members are declared elsewhere
export interface Register {}

type Registered = Register extends { extension: infer Given } ? Given : object
type Part<Key extends string> = Registered extends Record<Key, infer Found> ? Found : object

type Operands = { any: Data; text: string; number: number; flag: boolean; list: readonly Data[] }
type OperandOf<Operator> = Operator extends { readonly operand: infer Kind extends keyof Operands }
  ? Operands[Kind] | `${string}{{${string}}}${string}`
  : Data

/** The project's own operators, with what they take. */
export type OwnOperators = {
  readonly [Name in keyof Part<'operators'>]?: OperandOf<Part<'operators'>[Name]>
}

/** Names of the project's own `auth` schemes. */
export type OwnScheme = keyof Part<'auth'>
