import { readAddedFields, type ResponseContext } from '../../assertion/response-context.ts'
import type { JsonObject } from '../../json.ts'

/** Values of a response as JavaScript conditions see them, beside the variables. */
export function listLocals(response: ResponseContext): JsonObject {
  const known = locals.get(response)
  if (known) return known
  const values: JsonObject = Object.assign(Object.create(null), {
    status_code: response.status_code,
    headers: response.headers,
    body: response.body,
    response_time: response.response_time_ms,
    response_time_ms: response.response_time_ms,
    duration_ms: response.duration_ms,
    size_bytes: response.size_bytes,
    request: response.request,
    ...readAddedFields(response),
  })
  locals.set(response, values)
  return values
}

/** One object per response, so that an engine can load its body once. */
const locals = new WeakMap<ResponseContext, JsonObject>()
