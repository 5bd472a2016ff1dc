import type { Json } from '../json.ts'
import { copyJson } from './copy-json.ts'

/** Deeper nesting is cut in reports: serialisers overflow the stack at a few thousand levels. */
export const deepestKept = 500

/** Makes any value safe to serialise: at most 500 levels, about `maxBytes` bytes, well-formed strings; markers say what was cut. */
export function toSafeJson(value: unknown, maxBytes: number = Infinity): Json {
  return copyJson(value, { maxDepth: deepestKept, maxBytes })
}

/** Serialises any value to valid JSON, whatever its depth, cycles or lone surrogates; `undefined` becomes `null`. */
export function stringifySafely(value: unknown, indent?: number): string {
  return JSON.stringify(toSafeJson(value), null, indent)
}
