import { stringifyJson, type Json, type JsonObject } from '../../json.ts'
import { EngineError } from '../errors.ts'
import type { Guest, Primitive } from './guest.ts'
import { maxDepth, measureJson } from '../measure.ts'

/** The lists and objects a sandbox holds a copy of, known by identity; the oldest leave first. */
export type LoadedValues = {
  /** Gives the number of a list or object, loading it if it is not there. */
  load(value: Json[] | JsonObject): number
  /** Passes a primitive on, counting its size. */
  pass(value: Primitive): Primitive
  /** The size of everything loaded or passed since the last call, in characters of JSON. */
  takeSize(): number
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
  let taken = 0
  return {
    load(value) {
      let entry = entries.get(value)
      if (!entry) {
        const text = writeJson(value)
        entry = { id: nextId++, size: text.length }
        guest.load(entry.id, text)
        entries.set(value, entry)
        total += entry.size
      }
      taken += entry.size
      return entry.id
    },
    pass(value) {
      if (typeof value === 'string') taken += value.length
      return value
    },
    takeSize() {
      const size = taken
      taken = 0
      return size
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

function writeJson(value: Json): string {
  const { depth, size } = measureJson(value, largestValue)
  if (depth > maxDepth) throw refuse(`nested deeper than ${maxDepth} levels`)
  if (size > largestValue) throw refuse(`of more than ${largestValue} characters`)
  return stringifyJson(value)
}

function refuse(what: string): EngineError {
  return new EngineError('not_data', `Data ${what} cannot be read by expressions`, 'an error')
}
