import { createHash } from 'node:crypto'
import { HttpProblem } from './http-problem.ts'

/**
 * Reads a time in seconds.
 * @throws HttpProblem 400 unless it is a decimal number from 0 to `max`
 */
export function readSeconds(text: string | undefined, max: number): number {
  const isDecimal = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$/.test(text ?? '')
  if (isDecimal && Number(text) <= max) return Number(text)
  throw new HttpProblem(400, `expected seconds from 0 to ${max}, got "${text}"`)
}

/**
 * Reads a count.
 * @throws HttpProblem 400 unless it is an integer from `min` to `max`
 */
export function readCount(text: string | undefined, { min, max }: { min: number; max: number }): number {
  const count = /^[0-9]{1,15}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (count >= min && count <= max) return count
  throw new HttpProblem(400, `expected an integer from ${min} to ${max}, got "${text}"`)
}

/**
 * Bytes that follow from a seed: for answers that can be repeated, not for secrets.
 * @throws HttpProblem 400 unless the seed is an integer of 32 bits
 */
export function seededBytes(seed: string, count: number): Buffer {
  const text = String(readCount(seed, { min: 0, max: 2 ** 32 - 1 }))
  return createHash('shake256', { outputLength: count }).update(text).digest()
}
