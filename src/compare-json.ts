import { isJsonObject, parseDecimal, readOwn, stringifyJson, type Json } from './json.ts'

type Comparison = {
  /** Objects may have more fields than expected, at every level. */
  partial?: boolean | undefined
  /** A number or boolean equals the string that spells it: `1` and `'1'`. */
  loose?: boolean | undefined
  /** How many differences to keep; all are counted. With 0, comparing stops at the first one. */
  keep: number
}

/** A difference between two values. If one side has no value here, its key is left out. */
export type Difference = { path: (string | number)[]; expected?: Json; actual?: Json }

type Found = { count: number; kept: Difference[] }

/** Finds all differences between two JSON values. Types matter, key order does not. */
export function findDifferences(expected: Json, actual: Json, how: Comparison): Found {
  const found: Found = { count: 0, kept: [] }
  const path: (string | number)[] = []

  function compare(expected: Json | undefined, actual: Json | undefined): void {
    if (expected === actual || (how.keep === 0 && found.count > 0)) return
    if (Array.isArray(expected) && Array.isArray(actual)) {
      for (let index = 0; index < Math.max(expected.length, actual.length); index += 1)
        compareMember(index, expected[index], actual[index])
    } else if (isJsonObject(expected) && isJsonObject(actual)) {
      for (const key of Object.keys(expected)) compareMember(key, expected[key], readOwn(actual, key))
      if (how.partial) return
      for (const key of Object.keys(actual))
        if (!Object.hasOwn(expected, key)) compareMember(key, undefined, actual[key])
    } else if (!isSameInteger(expected, actual) && !(how.loose && findCommon(expected, actual) === 'text')) {
      found.count += 1
      if (found.kept.length >= how.keep) return
      const sides = { ...(expected !== undefined && { expected }), ...(actual !== undefined && { actual }) }
      found.kept.push({ path: [...path], ...sides })
    }
  }

  function compareMember(key: string | number, expected: Json | undefined, actual: Json | undefined): void {
    if (expected === actual) return
    path.push(key)
    compare(expected, actual)
    path.pop()
  }

  compare(expected, actual)
  return found
}

/** True if two JSON values are equal or, with `partial`, if `actual` contains everything in `expected`. */
export function isEqual(expected: Json, actual: Json, how: Omit<Comparison, 'keep'> = {}): boolean {
  return findDifferences(expected, actual, { ...how, keep: 0 }).count === 0
}

/** True for a bigint and a number that are the same integer, such as 2⁶⁰ in JSON and a computed `2 ** 60`. */
function isSameInteger(a: Json | undefined, b: Json | undefined): boolean {
  const [large, number] = typeof a === 'bigint' ? [a, b] : [b, a]
  return typeof large === 'bigint' && Number.isInteger(number) && BigInt(number as number) === large
}

/** What two plain values have in common that may differ in their types: the text (`5`, `'5'`) or the number (`12.5`, `'12.50'`). */
export function findCommon(one?: Json, other?: Json): 'text' | 'number' | undefined {
  if (one === undefined || other === undefined) return undefined
  if (typeof one === 'object' || typeof other === 'object') return undefined
  const [text, otherText] = [String(one), String(other)]
  if (text === otherText) return 'text'
  const amount = typeof one === typeof other ? undefined : parseDecimal(text)
  return amount !== undefined && amount === parseDecimal(otherText) ? 'number' : undefined
}

/** Serialises a value so that equal values give equal text: keys sorted, integers written out in digits. */
export function canonicalText(value: Json): string {
  if (Number.isInteger(value)) return String(BigInt(value as number))
  if (typeof value !== 'object' || value === null) return stringifyJson(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] as Json)}`).join()}}`
}

/** Counts characters (Unicode code points, as JSON Schema does), array elements or object fields. */
export function measureLength(value: Json): number {
  if (typeof value === 'string') return value.replaceAll(/[\ud800-\udbff][\udc00-\udfff]/g, ' ').length
  return Array.isArray(value) ? value.length : Object.keys(value as object).length
}
