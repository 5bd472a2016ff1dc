import type { SelectMarkup } from '../request/markup/markup.ts'
import { makeMap, readOwn, type Json, type JsonObject } from '../json.ts'
import { addedFields, captureRoots } from '../path/exchange-fields.ts'
import type { ExpressionEngine } from '../interpolation/variables/scope.ts'
import type { Check } from './check.ts'
import { readCookies } from './read-cookies.ts'
import type { Schemas } from './json-schema/load-schemas.ts'

/** The response, and the request it answers, as assertions, captures and scenarios see them. */
export type ResponseContext = {
  status_code: number
  /** Lower-case names, null prototype; a header sent several times is a list. */
  headers: Record<string, string | string[]>
  /** Parsed JSON or text; `''` when the body is empty. */
  body: Json
  bodyText: string
  /** Why a body declared as JSON could not be parsed: position and excerpt. */
  bodyError?: string
  /** Looks into the body as XML or HTML. */
  markup?: SelectMarkup
  response_time_ms: number
  duration_ms: number
  size_bytes: number
  /** The redirects that were followed, `{status_code, url, …}` each. */
  redirects?: JsonObject[]
  /** The events of a stream, and after how many ms the first one came. */
  events?: JsonObject[]
  first_event_ms?: number
  /** The answers of a burst, `{status_code, headers, body, …}` each. */
  responses?: JsonObject[]
  /** The messages of a WebSocket, and the one that is expected. */
  messages?: JsonObject[]
  message?: Json
  /** How it was closed. */
  close_code?: number
  /** Header names are lower-case, too. */
  request: { method: string; url: string; headers: Record<string, string>; body: Json }
}

/** What every response has, and what that of a stream and the like has beside it. */
export function readFields(context: ResponseContext): JsonObject {
  const fields: JsonObject = Object.create(null) as JsonObject
  for (const name of [...captureRoots, ...addedFields]) {
    const value = name === 'cookies' ? readCookieValues(context) : readOwn(context, name)
    if (value !== undefined) fields[name] = value
  }
  return fields
}

function readCookieValues({ headers }: ResponseContext): JsonObject {
  return makeMap(Object.entries(readCookies(headers)).map(([name, { value = '' }]) => [name, value]))
}

/** How a condition over an answer came out: `value` shows its result, `misspelt` says what it may have come out so by, `showReads` shows what it read. */
export type ConditionVerdict = {
  passed: boolean
  value: string
  misspelt?: string | undefined
  showReads?: () => string | undefined
}

/** What checks, captures and scenarios need from the rest of the run. */
export type CheckTools = {
  /** Fills in `{{…}}`; throws an Error whose message becomes the check's failure. */
  interpolate: (value: Json) => Json
  /** Evaluates a JavaScript condition, and throws when that cannot be done. */
  condition(source: string): ConditionVerdict
  /** Tests a pattern with a time limit; throws when the limit is reached. */
  test: ExpressionEngine['test']
  /** Compiled schemas of the `schema` checks, from `loadSchemas`. */
  schemas?: Schemas | undefined
  /** How many answers of a burst pass all of these checks. */
  countResponses?: (where: readonly Check[]) => number
  /** As flow-test-engine judges: numbers and booleans equal their texts, a capture that finds nothing is null, and every scenario that matches runs. */
  isLenient?: boolean
  /** ms one `each` check may take. @default 10000 */
  eachLimit?: number | undefined
  /** ms one path of a capture or condition may take. @default 1000 */
  pathLimit?: number | undefined
}
