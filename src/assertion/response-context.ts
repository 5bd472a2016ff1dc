import type { Markup } from '../request/markup/markup.ts'
import { readOwn, type Json, type JsonObject } from '../json.ts'
import { addedFields, captureRoots } from '../path/exchange-fields.ts'

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
  /** The body as XML or HTML. */
  markup?: Markup
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
  request: { method: string; url: string; headers: Record<string, string>; body: Json }
}

/** What every response has, and what that of a stream and the like has beside it. */
export function readFields(context: ResponseContext): JsonObject {
  const fields: JsonObject = Object.create(null) as JsonObject
  for (const name of [...captureRoots, ...addedFields]) {
    const value = readOwn(context, name)
    if (value !== undefined) fields[name] = value
  }
  return fields
}
