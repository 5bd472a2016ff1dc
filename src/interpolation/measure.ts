import type { Json } from '../json.ts'

/** Deepest nesting of data that templates and expressions handle. */
export const maxDepth = 500

/**
 * Measures data without recursion: its nesting, and about how many characters of JSON it makes. Stops early once the
 * size is beyond `limit` or the nesting beyond what is handled, so shared and cyclic data end too.
 */
export function measureJson(value: Json, limit: number): { size: number; depth: number } {
  let size = 0
  let depth = 0
  const open: { value: Json; depth: number }[] = [{ value, depth: 1 }]
  for (let at = open.pop(); at; at = open.pop()) {
    if (at.depth > depth) depth = at.depth
    if (typeof at.value === 'string') size += at.value.length + 2
    else if (typeof at.value !== 'object' || at.value === null) size += 5
    else {
      size += 2
      for (const key of Object.keys(at.value)) {
        if (!Array.isArray(at.value)) size += key.length + 4
        open.push({ value: (at.value as { [key: string]: Json })[key] as Json, depth: at.depth + 1 })
      }
    }
    if (size > limit || depth > maxDepth + 1) return { size, depth }
  }
  return { size, depth }
}
