import { stringifyJson, type Json } from '../json.ts'

/** UTF-8 bytes of a value written as compact JSON; any depth is fine. */
export function measureJson(json: Json): number {
  try {
    return Buffer.byteLength(stringifyJson(json))
  } catch (error) {
    // Deeper than the stack, or longer than a string can be.
    if (error instanceof RangeError) return measureLevels(json)
    throw error
  }
}

function measureLevels(json: Json): number {
  const waiting: Json[] = [json]
  let bytes = 0
  while (waiting.length > 0) {
    const value = waiting.pop() as Json
    if (typeof value !== 'object' || value === null) {
      bytes += Buffer.byteLength(stringifyJson(value))
    } else if (Array.isArray(value)) {
      // Brackets, and a comma between each two.
      bytes += 2 + Math.max(0, value.length - 1)
      for (const item of value) waiting.push(item)
    } else {
      const names = Object.keys(value)
      bytes += 2 + Math.max(0, names.length - 1)
      for (const name of names) {
        bytes += Buffer.byteLength(JSON.stringify(name)) + 1
        waiting.push(value[name] as Json)
      }
    }
  }
  return bytes
}
