import { readFields, type ResponseContext } from '../../assertion/response-context.ts'
import type { JsonObject } from '../../json.ts'

/** Values of a response as JavaScript conditions see them, beside the variables. */
export function listLocals(response: ResponseContext): JsonObject {
  const known = locals.get(response)
  if (known) return known
  const values = Object.assign(readFields(response), { response_time: response.response_time_ms })
  locals.set(response, values)
  return values
}

/** One object per response, so that an engine can load its body once. */
const locals = new WeakMap<ResponseContext, JsonObject>()
