/** A value as JSON can carry it: what suites spell out, what responses parse to, what reports keep. */
export type Json = null | boolean | number | string | Json[] | JsonObject

/** A JSON object. Keys are data: objects of this type may have a null prototype and keys like `__proto__`. */
export type JsonObject = { [key: string]: Json }

/** Own-property lookup that never reaches a prototype. */
export function readOwn(object: object, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? (object as JsonObject)[key] : undefined
}

/** True for objects that are neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
