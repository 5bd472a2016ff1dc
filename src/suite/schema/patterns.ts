import { STATUS_CLASS } from '../../assertion/operators/status.ts'

/** A range of whole numbers. */
export const RANGE: RegExp = /^-?\d{1,9}\.\.-?\d{1,9}$/

/** Maximum number of iterations a loop may have. */
export const MOST_ITERATIONS = 10_000

/** The numbers of a range, ascending or descending; undefined if they are too many or not yet known. */
export function listRange(range: string): number[] | undefined {
  if (!RANGE.test(range)) return undefined
  const [first = 0, last = 0] = range.split('..').map(Number)
  const count = Math.abs(last - first) + 1
  if (count > MOST_ITERATIONS) return undefined
  return Array.from({ length: count }, (_, index) => (first <= last ? first + index : first - index))
}

/** True for a status code or a class of status codes, as in `retry.on`. */
export function isStatus(input: unknown): input is number | string {
  return typeof input === 'number' || (typeof input === 'string' && STATUS_CLASS.test(input))
}
