import type { Json, JsonObject } from '../../json.ts'

/** Deepest nesting of data that templates and expressions handle. */
export const maxDepth = 500

/**
 * Measures data without recursion: its nesting, and about how many characters of JSON it makes. Stops early once the
 * size is beyond `limit` or the nesting beyond what is handled, so shared and cyclic data end too.
 */
export function measureJson(value: Json, limit: number): { size: number; depth: number; hasBigint: boolean } {
  let size = 0
  let hasBigint = false
  let depth = 0
  const open: { value: Json; depth: number }[] = [{ value, depth: 1 }]
  for (let at = open.pop(); at; at = open.pop()) {
    if (at.depth > depth) depth = at.depth
    if (typeof at.value === 'string') size += at.value.length + 2
    else if (typeof at.value === 'bigint') {
      hasBigint = true
      size += String(at.value).length
    } else if (typeof at.value !== 'object' || at.value === null) size += 5
    else {
      size += 2
      for (const key of Object.keys(at.value)) {
        if (!Array.isArray(at.value)) size += key.length + 4
        open.push({ value: (at.value as { [key: string]: Json })[key] as Json, depth: at.depth + 1 })
      }
    }
    if (size > limit || depth > maxDepth + 1) return { size, depth, hasBigint }
  }
  return { size, depth, hasBigint }
}

const sizes = new WeakMap<object, number>()
/** Data of this size is not counted to its end. */
const mostCounted = 1e8
const largestBigint = 10n ** 1000n

/** The size of a value as the cost of expressions counts it, no less than its JSON; lists and objects are counted once. */
export function measureSize(value: Json | undefined): number {
  if (typeof value !== 'object' || value === null) return countSize(value, 0)
  const known = sizes.get(value)
  if (known !== undefined) return known
  const size = countSize(value, 0)
  sizes.set(value, size)
  return size
}

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
