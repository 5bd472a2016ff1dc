import { STATUS_CLASS } from '../../assertion/operators/status.ts'

/** A range of whole numbers. */
export const RANGE: RegExp = /^-?\d{1,9}\.\.-?\d{1,9}$/

/** The most iterations that a loop may have. */
export const MOST_ITERATIONS = 10_000

/** The numbers of a range, down as well as up; undefined when they are too many, or not known yet. */
export function listRange(range: string): number[] | undefined {
  if (!RANGE.test(range)) return undefined
  const [first = 0, last = 0] = range.split('..').map(Number)
  const count = Math.abs(last - first) + 1
  if (count > MOST_ITERATIONS) return undefined
  return Array.from({ length: count }, (_, index) => (first <= last ? first + index : first - index))
}

/** True for a status code or a class of them, as `retry.on` has them. */
export function isStatus(input: unknown): input is number | string {
  return typeof input === 'number' || (typeof input === 'string' && STATUS_CLASS.test(input))
}
