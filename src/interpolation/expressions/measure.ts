import type { Json, JsonObject } from '../../json.ts'
import { rememberObjects } from '../../remember.ts'

/** Deepest nesting of data that templates and expressions handle. */
export const maxDepth = 500

/** Nesting of data, about how many characters of JSON it makes, and whether there is a bigint in it. */
type Measured = { size: number; depth: number; hasBigint: boolean }

/** Measures data. Stops once the size is beyond `limit` or the nesting beyond what is handled, so shared and cyclic data end too. */
export function measureJson(root: Json, limit: number): Measured {
  const measured: Measured = { size: 0, depth: 0, hasBigint: false }
  const add = (value: Json, depth: number): void => {
    if (measured.size > limit || measured.depth > maxDepth) return
    if (depth > measured.depth) measured.depth = depth
    if (typeof value === 'string') measured.size += value.length + 2
    else if (typeof value === 'bigint') {
      measured.hasBigint = true
      measured.size += String(value).length
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

/** Data of this size is not counted to its end. */
const mostCounted = 1e8
const largestBigint = 10n ** 1000n

/** The size of a value as the cost of expressions counts it, no less than its JSON; lists and objects are counted once. */
export function measureSize(value: Json | undefined): number {
  return typeof value === 'object' && value !== null ? measureObject(value) : countSize(value, 0)
}

const measureObject = rememberObjects((value: Json & object) => countSize(value, 0))

function countSize(value: Json | undefined, depth: number): number {
  if (typeof value === 'string') return value.length + 2
  // Arithmetic with longer ones is slow.
  if (typeof value === 'bigint') return value < largestBigint && value > -largestBigint ? 1030 : Infinity
  if (typeof value !== 'object' || value === null) return 30
  if (depth >= maxDepth) return Infinity
  let size = 30
  for (const key of Object.keys(value)) {
    size += 5 + (Array.isArray(value) ? 0 : key.length)
    size += countSize((value as JsonObject)[key], depth + 1)
    if (size > mostCounted) return Infinity
  }
  return size
}
