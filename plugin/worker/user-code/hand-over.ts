import { types } from 'node:util'

/** Values that are frozen all the way down. */
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
