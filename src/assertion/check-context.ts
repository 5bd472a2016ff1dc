import type { SelectMarkup } from '../request/markup/markup.ts'
import type { Namespaces } from '../request/markup/languages.ts'
import { makeMap, readOwn, type Json, type JsonObject } from '../json.ts'
import { allFields } from '../path/exchange-fields.ts'
import type { EngineErrorCode } from '../interpolation/errors.ts'
import type { ExpressionEngine } from '../interpolation/variables/scope.ts'
import type { Check } from './check.ts'
import { readCookies } from './read-cookies.ts'
import type { Contract, Schemas } from './json-schema/load-schemas.ts'
import type { ResolvedLimits } from '../limits.ts'

/** The response and its request, as assertions, captures and scenarios see them. */
export type ResponseContext = {
  status_code: number
  /** Lower-case names, null prototype; a header sent several times is a list. */
  headers: Record<string, string | string[]>
  /** Parsed JSON or text; `''` when the body is empty. */
  body: Json
  bodyText: string
  /** Why the body cannot be read as JSON although it should be: position and excerpt. */
  bodyError?: string
  /** Selects from the body as XML or HTML. */
  markup?: SelectMarkup
  /** Prefixes of XPath, if they are not those of the suite that sent the request. */
  namespaces?: Namespaces
  response_time_ms: number
  duration_ms: number
  size_bytes: number
  /** The redirects that were followed, as `{status_code, url, …}`. */
  redirects?: JsonObject[]
  /** The calls of the application during the step, if mocks watch them and the step asks for them. */
  mock_calls?: JsonObject[]
  /** The events of a stream, and the time of the first one in ms. */
  events?: JsonObject[]
  first_event_ms?: number
  /** The responses of a burst, as `{status_code, headers, body, …}`. */
  responses?: JsonObject[]
  /** The messages of a WebSocket, and the one that `expect` is about. */
  messages?: JsonObject[]
  message?: Json
  close_code?: number
  /** Header names are lower-case here, too. */
  request: { method: string; url: string; headers: Record<string, string | string[]>; body: Json }
}

/** Why a condition cannot be judged: it reads the body of the response, which could not be parsed. */
export function explainUnreadable(condition: string, { bodyError }: ResponseContext): string | undefined {
  return /(?<!\brequest\??\.)\bbody\b/.test(condition) ? bodyError : undefined
}

/** The fields of a response: those that it always has, and those of its kind, such as `events`. */
export function readFields(context: ResponseContext): JsonObject {
  const fields: JsonObject = Object.create(null) as JsonObject
  const cookies = Object.entries(readCookies(context.headers)).map(
    ([name, { value = '' }]) => [name, value] as const,
  )
  for (const name of allFields) {
    const value = name === 'cookies' ? makeMap(cookies) : readOwn(context, name)
    if (value !== undefined) fields[name] = value
  }
  return fields
}

/** The outcome of a condition: its result, what is doubtful in it, and what it read. */
export type ConditionVerdict = {
  passed: boolean
  value: string
  error?: string
  /** Set if it threw an error or reached a limit; `value` is the message. */
  failure?: EngineErrorCode
  /** What is doubtful in it, as a verb and object: "reads `body.pge`, which is not there". */
  doubt?: string | undefined
  showReads?: () => string | undefined
}

/** The functions and settings of a run that checks, captures and scenarios need. */
export type CheckTools = {
  /** Fills in `{{…}}`; throws an Error whose message becomes the check's failure. */
  interpolate: (value: Json) => Json
  /** Evaluates a JavaScript condition. */
  condition(source: string): ConditionVerdict
  /** Tests a pattern with a time limit; throws when the limit is reached. */
  test: ExpressionEngine['test']
  /** Compiled schemas of the `schema` checks, from `loadSchemas`. */
  schemas?: Schemas | undefined
  /** What the OpenAPI documents of the step say of the response, by their names. */
  contracts?: ReadonlyMap<Json, Contract> | undefined
  /** How many responses of a burst pass all of these checks. */
  countResponses?: (where: readonly Check[]) => number
  /** Judges like flow-test-engine: `5` equals `'5'`, what a capture misses is null, all matching scenarios run. */
  isLenient?: boolean
  limits: ResolvedLimits
}
