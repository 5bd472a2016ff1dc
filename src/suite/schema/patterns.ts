/** A range of whole numbers. */
export const RANGE: RegExp = /^-?\d{1,9}\.\.-?\d{1,9}$/

/** A class of status codes. */
export const STATUS_CLASS: RegExp = /^[1-5]xx$/i

/** True for a status code or a class of them, as `retry.on` has them. */
export function isStatus(input: unknown): input is number | string {
  return typeof input === 'number' || (typeof input === 'string' && STATUS_CLASS.test(input))
}
