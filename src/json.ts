/**
 * A JSON value: what suites contain, responses parse to and reports keep. An integer that a double cannot hold is a
 * `bigint`; no other number is.
 */
export type Json = null | boolean | number | bigint | string | JsonArray | JsonObject

// An interface, because types that walk array elements would otherwise recurse forever.
interface JsonArray extends Array<Json> {}

/** Deepest nesting, in levels, that is handled, shown or kept: serialisers overflow the stack at a few thousand. */
export const maxDepth = 500

/** Most digits of an integer that comes from outside: the time to read and write one grows with their square. */
export const maxDigits = 4300

/** A JSON object. Its keys are data: it may have a null prototype and keys such as `__proto__`. */
export type JsonObject = { [key: string]: Json }

/** The object keys and array indexes that lead to a value. */
export type ValuePath = readonly (string | number)[]

/** Own-property lookup that never reaches a prototype. */
export function readOwn(object: object, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? (object as JsonObject)[key] : undefined
}

/** True for objects that are neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for a plain object, whatever its keys: also one from another realm or without a prototype. */
export function isLiteral(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Copies arrays and objects (giving objects a null prototype), and passes every other value through `change`. */
export function mapLeaves(value: Json, change: (leaf: Exclude<Json, object>) => Json): Json {
  if (typeof value !== 'object' || value === null) return change(value)
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, change))
  return makeMap(Object.entries(value).map(([key, item]) => [key, mapLeaves(item, change)]))
}

/** Makes an object with a null prototype from entries. */
export function makeMap(entries: Iterable<readonly [key: string, value: Json]>): JsonObject {
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as JsonObject
}

/** True for a finite number, including those above 2⁵³. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isFinite(value)
}

/** True for an integer, including those above 2⁵³. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

// Sixteen digits in a row, not after a decimal point: only then can a number be too large for a double.
const LONG = /(?<![.\d])\d{16}/
const WHOLE = /^-?\d+$/

/** Parses JSON; integers that a double cannot hold become `bigint`, digit for digit. Throws as `JSON.parse` does, and for an integer of more than `most` digits. */
export function parseJson(text: string, most = Infinity): Json {
  return JSON.parse(text, LONG.test(text) ? keepDigits : undefined) as Json

  function keepDigits(_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || !WHOLE.test(source)) return value
    if (source.length > most)
      throw new SyntaxError(`an integer in it has ${source.length} digits, more than ${most}`)
    return BigInt(source)
  }
}

/** Writes JSON; a `bigint` becomes its digits. */
export function stringifyJson(value: unknown, space?: string | number): string {
  try {
    return JSON.stringify(value, undefined, space)
  } catch (error) {
    // Most values hold no bigint, and a replacer is slow: only values that `JSON.stringify` refuses get one.
    if (!(error instanceof TypeError)) throw error
    const write = (_: string, part: unknown): unknown =>
      typeof part === 'bigint' ? (JSON as RawJson).rawJSON(String(part)) : part
    return JSON.stringify(value, write, space)
  }
}

/** A string as it is, any other value as JSON. */
export function toText(value: Json): string {
  return typeof value === 'string' ? value : stringifyJson(value)
}

// TypeScript does not know `rawJSON`; Node has it since 22.
type RawJson = typeof JSON & { rawJSON(text: string): object }
