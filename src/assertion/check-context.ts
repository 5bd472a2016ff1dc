import type { SelectMarkup } from '../request/markup/markup.ts'
import type { Namespaces } from '../request/markup/languages.ts'
import { makeMap, readOwn, type Json, type JsonObject } from '../json.ts'
import { allFields } from '../path/exchange-fields.ts'
import type { ExpressionEngine } from '../interpolation/variables/scope.ts'
import type { Check } from './check.ts'
import { readCookies } from './read-cookies.ts'
import type { Schemas } from './json-schema/load-schemas.ts'

/** A response and its request, as checks, captures and scenarios see them. */
export type ResponseContext = {
  status_code: number
  /** Names in lower case, null prototype. A header that was sent several times is a list. */
  headers: Record<string, string | string[]>
  /** Parsed JSON, or text; `''` if the body is empty. */
  body: Json
  bodyText: string
  /** Why the body cannot be read as JSON although it should be: position and excerpt. */
  bodyError?: string
  /** Searches the body as XML or HTML. */
  markup?: SelectMarkup
  /** The prefixes of XPath, if they differ from those of the suite that sent the request. */
  namespaces?: Namespaces
  response_time_ms: number
  duration_ms: number
  size_bytes: number
  /** The redirects that were followed, each as `{status_code, url, …}`. */
  redirects?: JsonObject[]
  /** The events of a stream, and the time of the first one in ms. */
  events?: JsonObject[]
  first_event_ms?: number
  /** The responses of a burst, each as `{status_code, headers, body, …}`. */
  responses?: JsonObject[]
  /** The messages of a WebSocket, and the one that `expect` is about. */
  messages?: JsonObject[]
  message?: Json
  /** The code with which the WebSocket was closed. */
  close_code?: number
  /** Header names are in lower case here too. */
  request: { method: string; url: string; headers: Record<string, string | string[]>; body: Json }
}

/** Why a condition cannot be judged: it reads the body, which could not be parsed. Else undefined. */
export function explainUnreadable(condition: string, { bodyError }: ResponseContext): string | undefined {
  return /(?<!\brequest\??\.)\bbody\b/.test(condition) ? bodyError : undefined
}

/** The fields of a response: those that it always has, and those of its kind, such as `events`. */
export function readFields(context: ResponseContext): JsonObject {
  const fields: JsonObject = Object.create(null) as JsonObject
  for (const name of allFields) {
    const value = name === 'cookies' ? listCookieValues(context) : readOwn(context, name)
    if (value !== undefined) fields[name] = value
  }
  return fields
}

/** The values of the cookies that a response sets, by name. */
function listCookieValues({ headers }: ResponseContext): JsonObject {
  const set = Object.entries(readCookies(headers))
  return makeMap(set.map(([name, { value = '' }]) => [name, value]))
}

/** The outcome of a condition: its result, a mistake that may have caused it, and what it read. */
export type ConditionVerdict = {
  passed: boolean
  value: string
  /** Why the condition could not be judged. */
  error?: string
  /** True if it took too long. */
  isStopped?: boolean
  misspelt?: string | undefined
  showReads?: () => string | undefined
}

/** The functions and settings of a run that checks, captures and scenarios need. */
export type CheckTools = {
  /** Fills in `{{…}}`. Throws an Error, whose message becomes that of the failed check. */
  interpolate: (value: Json) => Json
  /** Evaluates a JavaScript condition. Throws if that is not possible. */
  condition(source: string): ConditionVerdict
  /** Tests a pattern with a time limit. Throws if the limit is reached. */
  test: ExpressionEngine['test']
  /** The compiled schemas of `schema` checks, from `loadSchemas`. */
  schemas?: Schemas | undefined
  /** Counts the responses of a burst that pass all of these checks. */
  countResponses?: (where: readonly Check[]) => number
  /** Judges like flow-test-engine: `5` equals `'5'`, what a capture misses is null, all scenarios may run. */
  isLenient?: boolean
  /** How long one `each` check may take, in ms. @default 10000 */
  eachLimit?: number | undefined
  /** How long one path of a capture or condition may take, in ms. @default 1000 */
  pathLimit?: number | undefined
}
