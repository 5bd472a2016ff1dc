import { maxDepth, type Json, type JsonObject } from '../../json.ts'
import { rememberObjects } from '../../remember.ts'

/** Approximate size in characters of JSON, nesting, and number of values; bigints count once per digit. */
type Measured = { size: number; depth: number; values: number; hasBigint: boolean }

/** Measures data. Stops above `limit` or if the nesting is too deep, so it ends even for cyclic data. */
export function measureJson(root: Json, limit: number): Measured {
  const measured: Measured = { size: 0, depth: 0, values: 0, hasBigint: false }
  const add = (value: Json, depth: number): void => {
    if (measured.size > limit || measured.depth > maxDepth) return
    if (depth > measured.depth) measured.depth = depth
    measured.values += 1
    if (typeof value === 'string') measured.size += value.length + 2
    else if (typeof value === 'bigint') {
      const digits = String(value).length
      measured.hasBigint = true
      measured.size += digits
      measured.values += digits
    } else if (typeof value !== 'object' || value === null) measured.size += 5
    else {
      const isList = Array.isArray(value)
      measured.size += 2
      for (const key of Object.keys(value)) {
        if (!isList) measured.size += key.length + 4
        add((value as JsonObject)[key] as Json, depth + 1)
      }
    }
  }
  add(root, 1)
  return measured
}

/** Measuring stops at this size, in characters of JSON: twice the largest response body. */
export const largestData = 100_000_000
const sizeOfValue = 30

/** Measures an array or object; cached by object. */
export const measureOnce = rememberObjects((value: Json & object) => measureJson(value, largestData))

/** The size of a value for estimating the cost of an expression; never less than that of its JSON. */
export function measureSize(value: Json | undefined): number {
  if (typeof value === 'string') return value.length + sizeOfValue
  if (typeof value === 'bigint') return String(value).length * (1 + sizeOfValue) + sizeOfValue
  if (typeof value !== 'object' || value === null) return sizeOfValue
  const { size, depth, values } = measureOnce(value)
  return size > largestData || depth > maxDepth ? Infinity : size + values * sizeOfValue
}
