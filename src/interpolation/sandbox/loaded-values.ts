import type { Json, JsonObject } from '../../json.ts'
import { EngineError } from '../errors.ts'
import { maxDepth, measureJson } from '../expressions/measure.ts'
import type { Guest } from './guest.ts'

/** The lists and objects a sandbox holds a copy of, known by identity; the oldest leave first. */
export type LoadedValues = {
  /** Gives the number of a list or object, loading it if it is not there. */
  load(value: Json[] | JsonObject): number
  /** Drops what is beyond the limits. Call between runs, so that no run loses its own values. */
  trim(): void
}

const maxValues = 500
const maxSize = 8_000_000
/** Two times the largest response body, as JSON. */
const largestValue = 100_000_000

/** Keeps account of what is loaded into a guest: at most 500 values or 8 million characters stay. */
export function createLoadedValues(guest: Guest): LoadedValues {
  const entries = new Map<object, { id: number; size: number }>()
  let nextId = 1
  let total = 0
  return {
    load(value) {
      const known = entries.get(value)
      if (known) return known.id
      const { text, marked } = writeData(value)
      const entry = { id: nextId++, size: text.length }
      guest.load(entry.id, text, marked)
      entries.set(value, entry)
      total += entry.size
      return entry.id
    },
    trim() {
      for (const [value, { id, size }] of entries) {
        if (entries.size <= maxValues && total <= maxSize) return
        guest.drop(id)
        entries.delete(value)
        total -= size
      }
    },
  }
}

const mark = (_: string, item: unknown): unknown =>
  typeof item === 'bigint' ? `n${item}` : typeof item === 'string' ? `s${item}` : item

/** Writes data for a sandbox: as JSON, or where a bigint is in it with a letter before every text that tells them apart. */
function writeData(value: Json): { text: string; marked: boolean } {
  const { depth, size, hasBigint } = measureJson(value, largestValue)
  if (depth > maxDepth) throw refuse(`nested deeper than ${maxDepth} levels`)
  if (size > largestValue) throw refuse(`of more than ${largestValue} characters`)
  if (!hasBigint) return { text: JSON.stringify(value), marked: false }
  return { text: JSON.stringify(value, mark), marked: true }
}

/** Reads what a sandbox has written in this way. */
export function readMarked(text: string): Json {
  return JSON.parse(text, (_, item: unknown) => {
    if (typeof item !== 'string') return item
    return item.startsWith('n') ? BigInt(item.slice(1)) : item.slice(1)
  }) as Json
}

function refuse(what: string): EngineError {
  return new EngineError('not_data', `Data ${what} cannot be read by expressions`, 'an error')
}
