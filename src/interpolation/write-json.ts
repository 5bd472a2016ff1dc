import type { Json } from '../json.ts'

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** Writes data as JSON; a bigint becomes its digits. */
export function writeJson(value: Json): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // A bigint; what cannot be written at all fails again.
    if (!(error instanceof TypeError)) throw error
    const write = (_: string, item: unknown): unknown =>
      typeof item === 'bigint' ? rawJSON(String(item)) : item
    return JSON.stringify(value, write)
  }
}
