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

/** Writes JSON; a `bigint` becomes its digits. */
export function stringifyJson(value: unknown, space?: string | number): string {
  try {
    return JSON.stringify(value, undefined, space)
  } catch (error) {
    // The usual value has none, and a replacer is slow: only what `JSON.stringify` refuses gets one.
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, writeDigits, space)
  }
}

// TypeScript does not know it; Node has it since 22.
type RawJson = typeof JSON & { rawJSON(text: string): object }

function writeDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? (JSON as RawJson).rawJSON(String(value)) : value
}
