import { maxDepth, type Json, type JsonObject } from '../../json.ts'
import { rememberObjects } from '../../remember.ts'

/** Nesting of data, about how many characters of JSON it makes, of how many values (for a bigint: digits), and whether there is a bigint. */
type Measured = { size: number; depth: number; values: number; hasBigint: boolean }

/** Measures data. Stops once the size is beyond `limit` or the nesting beyond what is handled, so shared and cyclic data end too. */
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

/** Data of this size is not measured to its end: two times the largest response body, as JSON. */
export const largestData = 100_000_000
const sizeOfValue = 30

/** Measures a list or object, once. */
export const measureOnce = rememberObjects((value: Json & object) => measureJson(value, largestData))

/** The size of a value as the cost of expressions counts it, no less than its JSON. */
export function measureSize(value: Json | undefined): number {
  if (typeof value === 'string') return value.length + sizeOfValue
  if (typeof value === 'bigint') return String(value).length * (1 + sizeOfValue) + sizeOfValue
  if (typeof value !== 'object' || value === null) return sizeOfValue
  const { size, depth, values } = measureOnce(value)
  return size > largestData || depth > maxDepth ? Infinity : size + values * sizeOfValue
}
