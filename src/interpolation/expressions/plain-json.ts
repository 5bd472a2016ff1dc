import type { Json, JsonObject } from '../../json.ts'
import { maxDepth } from './measure.ts'

/**
 * Turns a result of foreign code of ours into JSON: dates become ISO text, bigints digits, undefined members are left
 * out. Throws for what JSON cannot carry and for more than 500 levels.
 */
export function toPlainJson(value: unknown, depth = 0): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object')
    throw new Error(`Expected a result that JSON can carry, got a ${typeof value}`)
  if (depth >= maxDepth) throw new Error(`Expected a result of at most ${maxDepth} levels`)
  if (Array.isArray(value)) return value.map((item) => toPlainJson(item ?? null, depth + 1))
  const object: JsonObject = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    const property = {
      value: toPlainJson(item, depth + 1),
      enumerable: true,
      writable: true,
      configurable: true,
    }
    Object.defineProperty(object, key, property)
  }
  return object
}
