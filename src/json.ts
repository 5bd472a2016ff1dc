/** A JSON value. A parsed integer beyond ±(2⁵³ − 1) is a `bigint`, every other number a `number`. */
export type Json = null | boolean | number | bigint | string | JsonArray | JsonObject

// An interface, because types that walk array elements would otherwise recurse forever.
interface JsonArray extends Array<Json> {}

/** The deepest nesting that is handled, shown or kept: serialisers overflow the stack at a few thousand. */
export const maxDepth = 500

/** The most digits of an integer from outside: reading or writing one takes quadratic time. */
export const maxDigits = 4300

/** A JSON object. Any key may occur, even `__proto__`; the object may have a null prototype. */
export type JsonObject = { [key: string]: Json }

/** The object keys and array indexes that lead to a value. */
export type ValuePath = readonly (string | number)[]

export function readOwn(object: object, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? (object as JsonObject)[key] : undefined
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for a plain object, including one without a prototype or from another realm. */
export function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Copies a value with each leaf passed through `change`; objects in the copy have a null prototype. */
export function mapLeaves(value: Json, change: (leaf: Exclude<Json, object>) => Json): Json {
  if (typeof value !== 'object' || value === null) return change(value)
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, change))
  return makeMap(Object.entries(value).map(([key, item]) => [key, mapLeaves(item, change)]))
}

export function makeMap(entries: Iterable<readonly [key: string, value: Json]>): JsonObject {
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as JsonObject
}

export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isFinite(value)
}

export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

export function pickFields<T extends object, Name extends keyof T>(
  whole: T,
  names: readonly Name[],
): Pick<T, Name> {
  const there = names.filter((name) => whole[name] !== undefined)
  return Object.fromEntries(there.map((name) => [name, whole[name]])) as Pick<T, Name>
}

/** Reads a text that writes a number in plain decimals, such as `12.50`; undefined for anything else. */
export function parseDecimal(value: unknown): number | undefined {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined
}

// Sixteen digits in a row, not after a decimal point: shorter integers always fit into a double.
const LONG = /(?<![.\d])\d{16}/
const WHOLE = /^-?\d+$/

/** Parses JSON; integers lose no digits. Throws a `SyntaxError`, also for one of more than `most` digits. */
export function parseJson(text: string, most = Infinity): Json {
  return JSON.parse(text, LONG.test(text) ? keepDigits : undefined) as Json

  function keepDigits(_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || !WHOLE.test(source)) return value
    if (source.length > most)
      throw new SyntaxError(`an integer in it has ${source.length} digits, more than ${most}`)
    return BigInt(source)
  }
}

/** Writes JSON. A `bigint` is written as a number, with all its digits. */
export function stringifyJson(value: unknown, space?: string | number): string {
  try {
    return JSON.stringify(value, undefined, space)
  } catch (error) {
    // Few values hold a bigint and a replacer is slow, so it is used only after `JSON.stringify` has failed.
    if (!(error instanceof TypeError)) throw error
    const write = (_: string, part: unknown): unknown =>
      typeof part === 'bigint' ? (JSON as RawJson).rawJSON(String(part)) : part
    return JSON.stringify(value, write, space)
  }
}

export function toText(value: Json): string {
  return typeof value === 'string' ? value : stringifyJson(value)
}

// Node has `rawJSON` since version 22, but TypeScript does not declare it.
type RawJson = typeof JSON & { rawJSON(text: string): object }
