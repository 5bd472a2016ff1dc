import type { Json } from '../json.ts'
import { showValue } from './show-value.ts'

/** Explains that a value is not base64 with padding; undefined if it is. */
export function refuseBase64(value: Json): string | undefined {
  const isBase64 = typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(value)
  return isBase64 ? undefined : `Expected the bytes of a message in base64, got ${showValue(value)}`
}
