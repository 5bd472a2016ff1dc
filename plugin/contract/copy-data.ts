import { isPlainObject, makeMap, maxDepth, type Json, type ValuePath } from '../../src/json.ts'
import { types } from 'node:util'

/** How `copyData` treats values that are not data. */
export type CopyTools = {
  /** Called first with each value. Returns a replacement, or undefined to have the value copied as usual. */
  take?(value: unknown, path: ValuePath): { value: Json | undefined } | undefined
  /** Called for a value that is not data, with a reason such as `a function`. It is left out of the copy. */
  refuse(path: ValuePath, reason: string): void
}

/** Copies a value from code into JSON data: dates as ISO strings, safe bigints as numbers. Refuses what is not data. */
export function copyData(root: unknown, tools: CopyTools): Json | undefined {
  const open = new Set<unknown>()
  const copy = (value: unknown, path: ValuePath): Json | undefined => {
    const taken = tools.take?.(value, path)
    if (taken) return taken.value
    if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean')
      return value
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
    const isDeep = typeof value === 'object' && path.length > maxDepth
    const unfit = isDeep ? `data of more than ${maxDepth} levels` : describeOther(value)
    const reason = open.has(value) ? 'a value that contains itself' : unfit
    if (reason !== undefined) {
      tools.refuse(path, reason)
      return undefined
    }
    open.add(value)
    const result = Array.isArray(value)
      ? Array.from(value, (item, index) => copy(item, [...path, index]) ?? null)
      : makeMap(
          Object.entries(value).flatMap(([key, member]) => {
            const copied = copy(member, [...path, key])
            return copied === undefined ? [] : [[key, copied] as const]
          }),
        )
    open.delete(value)
    return result
  }
  return copy(root, [])
}

/** What a value such as `expect.any(String)` is called. */
export const MATCHER = 'a matcher of `expect`'

function describeOther(value: unknown): string | undefined {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'symbol') return 'a symbol'
  if (typeof value !== 'object' || value === null) return String(value)
  if (isPromise(value)) return 'a promise'
  if (Array.isArray(value) || isPlainObject(value)) return undefined
  if (value instanceof Date) return 'an invalid date'
  if ('asymmetricMatch' in value) return MATCHER
  const { name } = (value.constructor ?? {}) as { name?: unknown }
  return `an instance of ${typeof name === 'string' && name !== '' ? name : 'a class'}`
}

const frozen = new WeakSet<object>()

/** Freezes data deeply, in place: no function or schema may change what later checks and reports read. */
export function freezeData<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value
  frozen.add(Object.freeze(value))
  for (const child of Object.values(value)) freezeData(child)
  return value
}

/** Makes a promise of any other thenable: the queries of many database clients start only when `then` is called. */
export function toPromise(value: unknown): unknown {
  return isPromise(value) ? Promise.resolve(value) : value
}

/** True for a promise or any other thenable. Also keeps a rejection of the unused promise from ending the run. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  if (types.isPromise(value)) {
    value.catch(() => undefined)
    return true
  }
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}
