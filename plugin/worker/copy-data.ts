import { isLiteral, type Json, type JsonObject } from '../../src/json.ts'
import type { ValuePath } from '../../src/suite/source-tree.ts'
import { types } from 'node:util'

const MAX_OBJECTS = 500_000

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
 * Copies a value of the author's code as JSON can carry it, at most 500,000 objects: a date becomes its
 * ISO text, a bigint its digits, `undefined` members are left out. Everything else that is not data is refused.
 */
export function copyData(value: unknown, tools: CopyTools): Json | undefined {
  return copyPart(value, [], { tools, open: new Set(), count: 0 })
}

type Copy = { tools: CopyTools; open: Set<object>; count: number }

function copyPart(value: unknown, path: ValuePath, copy: Copy): Json | undefined {
  const taken = copy.tools.take?.(value, path)
  if (taken) return taken.value
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean')
    return value
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  if (typeof value === 'object' && copy.count++ >= MAX_OBJECTS) {
    if (copy.count === MAX_OBJECTS + 1) copy.tools.refuse(path, `data of more than ${MAX_OBJECTS} objects`)
    return undefined
  }
  const reason = typeof value === 'object' ? refuseObject(value, path, copy) : describeOther(value)
  if (reason === undefined) return copyObject(value, path, copy)
  copy.tools.refuse(path, reason)
  return undefined
}

function copyObject(value: object, path: ValuePath, copy: Copy): Json {
  copy.open.add(value)
  const result = Array.isArray(value)
    ? Array.from(value, (item, index) => copyPart(item, [...path, index], copy) ?? null)
    : copyMembers(value, path, copy)
  copy.open.delete(value)
  return result
}

function copyMembers(value: object, path: ValuePath, copy: Copy): JsonObject {
  const members: JsonObject = Object.create(null)
  for (const key of Object.keys(value)) {
    const member = readMember(value, [...path, key], copy)
    const copied = member && copyPart(member.value, [...path, key], copy)
    if (copied !== undefined) members[key] = copied
  }
  return members
}

function readMember(value: object, path: ValuePath, { tools }: Copy): { value: unknown } | undefined {
  try {
    return { value: (value as Record<string, unknown>)[path.at(-1) as string] }
  } catch (error) {
    tools.refuse(path, `a getter that threw ${describeThrown(error)}`)
    return undefined
  }
}

function refuseObject(value: object, path: ValuePath, copy: Copy): string | undefined {
  if (copy.open.has(value)) return 'a value that contains itself'
  if (path.length > copy.tools.levels) return `data of more than ${copy.tools.levels} levels`
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
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return typeof (value as { then?: unknown }).then === 'function'
}

/** The text of whatever was thrown: an error's message, anything else as text; never throws itself. */
export function describeThrown(error: unknown): string {
  try {
    if (error instanceof Error) return error.message || error.name
    return typeof error === 'object' && error !== null
      ? (JSON.stringify(error) ?? 'an object')
      : String(error)
  } catch {
    // A getter or `toString` of what was thrown threw in turn.
    return 'something that cannot be shown'
  }
}
