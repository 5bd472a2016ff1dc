import { types } from 'node:util'

/** True for a promise or any other thenable; the error of a promise that nobody will look at is kept from ending the run. */
export function refusePromise(value: unknown): boolean {
  if (types.isPromise(value)) {
    value.catch(() => undefined)
    return true
  }
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return typeof (value as { then?: unknown }).then === 'function'
}
