import { expect, test } from 'vitest'
import { maxDepth, type Json } from '../../json.ts'
import { makeDeep } from '../../assertion/fixtures/response.ts'
import { largestData, measureJson, measureSize } from './measure.ts'

test('the size is that of JSON or a little more; values, nesting and bigints are counted', () => {
  const value = { a: [1, 'bc', null, 12n], d: {} }
  expect(measureJson(value, 1000)).toEqual({ size: 32, depth: 3, values: 9, hasBigint: true })
  expect(measureJson([true], 1000)).toEqual({ size: 7, depth: 2, values: 2, hasBigint: false })
  expect(measureJson('', 0)).toEqual({ size: 2, depth: 1, values: 1, hasBigint: false })
})

test('measuring ends beyond the limit, so that cyclic and widely shared data end, too', () => {
  expect(measureJson([1], 2).size).toBe(7)
  expect(measureJson([1], 1).size).toBe(2)
  expect(measureJson([1, 2, 3], 7)).toMatchObject({ size: 12, values: 3 })
  const cyclic: Json[] = []
  cyclic.push(cyclic)
  expect(measureJson(cyclic, Infinity).depth).toBe(maxDepth + 1)
  let shared: Json = [1]
  for (let level = 0; level < 40; level += 1) shared = [shared, shared]
  expect(measureJson(shared, 1000).size).toBe(1004)
})

test('the size of a value for its cost has a part for each value in it', () => {
  expect(['abc', 12n, 7, null, undefined, true].map(measureSize)).toEqual([33, 92, 30, 30, 30, 30])
  expect(measureSize([7, 'abc'])).toBe(12 + 90)
})

test('what is nested too deeply or larger than all answers has no end', () => {
  expect(measureSize(makeDeep(maxDepth - 1))).toBeLessThan(Infinity)
  expect(measureSize(makeDeep(maxDepth))).toBe(Infinity)
  const text = 'x'.repeat(largestData / 100 - 2)
  const list = Array.from({ length: 99 }, () => text)
  const rest = 'x'.repeat(largestData / 100 - 4)
  expect(measureSize([...list, rest])).toBe(largestData + 101 * 30)
  expect(measureSize([...list, `${rest}x`])).toBe(Infinity)
})
