import { STATUS_CLASS } from '../../assertion/operators/status.ts'

/** A range of whole numbers. */
export const RANGE: RegExp = /^-?\d{1,9}\.\.-?\d{1,9}$/

/** True for a status code or a class of them, as `retry.on` has them. */
export function isStatus(input: unknown): input is number | string {
  return typeof input === 'number' || (typeof input === 'string' && STATUS_CLASS.test(input))
}
