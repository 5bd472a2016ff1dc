import { stringifyJson, type Json } from '../json.ts'
import { copyJson } from './copy-json.ts'

/** Deeper nesting is cut in reports: serialisers overflow the stack at a few thousand levels. */
export const deepestKept = 500

/** Makes any value safe to serialise: at most 500 levels, about `maxBytes` bytes, well-formed strings; markers say what was cut. */
export function toSafeJson(value: unknown, maxBytes: number = Infinity): Json {
  return copyJson(value, { maxDepth: deepestKept, maxBytes })
}

/** Serialises any value to valid JSON, whatever its depth, cycles or lone surrogates; `undefined` becomes `null`. */
export function stringifySafely(value: unknown, indent?: number): string {
  const isSafe = value !== undefined && isPlain(value, deepestKept)
  return stringifyJson(isSafe ? value : toSafeJson(value), indent)
}

/** True for a value that `toSafeJson` would only copy. Recursion is bounded; what is too deep, or a circle, is not plain. */
function isPlain(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object')
    return typeof value === 'boolean' || typeof value === 'bigint' || value === undefined
  if (value === null) return true
  if (levels === 0) return false
  if (Array.isArray(value)) return value.every((item) => isPlain(item, levels - 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const key of Object.keys(value))
    if (!key.isWellFormed() || !isPlain((value as Record<string, unknown>)[key], levels - 1)) return false
  return true
}
