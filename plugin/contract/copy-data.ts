import { isLiteral, type Json, type JsonObject, type ValuePath } from '../../src/json.ts'
import { types } from 'node:util'

/** How a copy handles values that are not data. */
export type CopyTools = {
  /** The most levels of nested lists and objects. */
  levels: number
  /** May handle a value itself. The returned `value` takes its place. */
  take?(value: unknown, path: ValuePath): { value: Json | undefined } | undefined
  /** Called with a description of a value that is not data. The copy leaves it out. */
  refuse(path: ValuePath, reason: string): void
}

/**
 * Copies a value from the author's code into JSON data: a date becomes ISO text, a bigint its digits, and `undefined`
 * members are left out. Everything else that is not data is refused, and so are values that contain themselves.
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

/** Freezes data deeply and in place, once, so that later checks and reports read what a function or schema has read. */
export function freezeData<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value
  frozen.add(Object.freeze(value))
  for (const child of Object.values(value)) freezeData(child)
  return value
}

/** True for a promise or any other thenable. Also keeps a rejection of the unused promise from ending the run. */
export function refusePromise(value: unknown): boolean {
  if (types.isPromise(value)) {
    value.catch(() => undefined)
    return true
  }
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return isObject && typeof (value as { then?: unknown }).then === 'function'
}
