import { isJsonObject, type Json, type JsonObject } from '../../json.ts'

/** True for an OpenAPI document, which has schemas and is none. */
export function isOpenApi(content: Json): content is JsonObject {
  return isJsonObject(content) && ('openapi' in content || 'swagger' in content)
}
