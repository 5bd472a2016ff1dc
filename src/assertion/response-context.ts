import type { Json, JsonObject } from '../json.ts'
import type { Markup } from '../request/markup/markup.ts'

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
  request: { method: string; url: string; headers: Record<string, string>; body: Json }
}
