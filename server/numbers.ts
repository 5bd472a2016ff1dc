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

/** Numbers from 0 up to 1 that follow from the seed (mulberry32): for answers that can be repeated, not for secrets. */
export function seededRandom(seed: string): () => number {
  let state = readCount(seed, { min: 0, max: 2 ** 32 - 1 })
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
