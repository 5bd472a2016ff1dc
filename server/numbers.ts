import { HttpProblem } from './http-problem.ts'

/**
 * Reads a time in seconds.
 * @throws HttpProblem 400 unless it is a decimal number from 0 to `max`
 */
export function readSeconds(text: string, max: number): number {
  const seconds = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$/.test(text)
    ? Number(text)
    : Number.NaN
  if (!(seconds <= max)) throw new HttpProblem(400, `expected seconds from 0 to ${max}, got "${text}"`)
  return seconds
}

/**
 * Reads a count.
 * @throws HttpProblem 400 unless it is an integer from `min` to `max`
 */
export function readCount(text: string, { min, max }: { min: number; max: number }): number {
  const count = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(count >= min && count <= max)) {
    throw new HttpProblem(400, `expected an integer from ${min} to ${max}, got "${text}"`)
  }
  return count
}
