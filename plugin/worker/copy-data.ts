import { isLiteral, type Json, type JsonObject } from '../../src/json.ts'
import type { ValuePath } from '../../src/suite/source-tree.ts'
import { stripVTControlCharacters, types } from 'node:util'

/** What a copy does with the values that are no data. */
export type CopyTools = {
  /** The most levels of lists and objects. */
  levels: number
  /** Takes a value out of the copy's hands; `value` takes its place. */
  take?(value: unknown, path: ValuePath): { value: Json | undefined } | undefined
  /** Called with what a value is instead of data, in words; it is left out of the copy. */
  refuse(path: ValuePath, reason: string): void
}

/**
 * Copies a value of the author's code as JSON can carry it: a date becomes its ISO text, a bigint its digits, `undefined`
 * members are left out. Everything else that is not data is refused, and what contains itself.
 */
export function copyData(value: unknown, tools: CopyTools): Json | undefined {
  return copyPart(value, [], { tools, open: new Set() })
}

type Copy = { tools: CopyTools; open: Set<object> }

function copyPart(value: unknown, path: ValuePath, copy: Copy): Json | undefined {
  const taken = copy.tools.take?.(value, path)
  if (taken) return taken.value
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean')
    return value
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  const reason = typeof value === 'object' ? refuseObject(value, path, copy) : describeOther(value)
  if (reason !== undefined) {
    copy.tools.refuse(path, reason)
    return undefined
  }
  copy.open.add(value)
  const result = Array.isArray(value)
    ? Array.from(value, (item, index) => copyPart(item, [...path, index], copy) ?? null)
    : copyMembers(value as Record<string, unknown>, path, copy)
  copy.open.delete(value)
  return result
}

function copyMembers(value: Record<string, unknown>, path: ValuePath, copy: Copy): JsonObject {
  const members: JsonObject = Object.create(null)
  for (const [key, member] of Object.entries(value)) {
    const copied = copyPart(member, [...path, key], copy)
    if (copied !== undefined) members[key] = copied
  }
  return members
}

function refuseObject(value: object, path: ValuePath, { open, tools }: Copy): string | undefined {
  if (open.has(value)) return 'a value that contains itself'
  if (path.length > tools.levels) return `data of more than ${tools.levels} levels`
  if (refusePromise(value)) return 'a promise'
  if (Array.isArray(value) || isLiteral(value)) return undefined
  if (value instanceof Date) return 'an invalid date'
  const { name } = (value.constructor ?? {}) as { name?: unknown }
  return `an instance of ${typeof name === 'string' && name !== '' ? name : 'a class'}`
}

function describeOther(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  return typeof value === 'symbol' ? 'a symbol' : String(value)
}

const frozen = new WeakSet<object>()

/** Freezes data deep, in place, once: what a function or schema reads is what later checks and reports read. */
export function freezeData<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value
  frozen.add(Object.freeze(value))
  for (const child of Object.values(value)) freezeData(child)
  return value
}

/** True for a promise or any other thenable; the error of a promise that nobody will look at is kept from ending the run. */
export function refusePromise(value: unknown): boolean {
  if (types.isPromise(value)) {
    value.catch(() => undefined)
    return true
  }
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return isObject && typeof (value as { then?: unknown }).then === 'function'
}

/** The text of whatever was thrown: an error's message, anything else as text; never throws itself. */
export function describeThrown(error: unknown): string {
  try {
    if (error instanceof Error) return stripVTControlCharacters(error.message || error.name)
    return typeof error === 'object' && error !== null
      ? (JSON.stringify(error) ?? 'an object')
      : String(error)
  } catch {
    // A getter or `toString` of what was thrown threw in turn.
    return 'something that cannot be shown'
  }
}
