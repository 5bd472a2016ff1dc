import type { Json } from '../json.ts'

const MAX_LEVELS = 100
const MAX_VALUES = 10_000
const MAX_TEXT = 20_000

/** True when a value is small and flat enough for a structural diff: printers recurse, and diffing is not linear. */
export function canDiff(value: Json): boolean {
  let [values, text] = [0, 0]
  let layer: Json[] = [value]
  for (let level = 0; layer.length > 0; level += 1) {
    values += layer.length
    for (const item of layer) if (typeof item === 'string') text += item.length
    if (level > MAX_LEVELS || values > MAX_VALUES || text > MAX_TEXT) return false
    layer = layer.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return true
}
