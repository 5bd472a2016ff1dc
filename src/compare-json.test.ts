import { expect, test } from 'vitest'
import { canonicalText, isEqual } from './compare-json.ts'
import { parseJson } from './json.ts'

test.each([
  ['1e21', '1000000000000000000000', true],
  ['[-1e21]', '[-1000000000000000000000]', true],
  ['1e21', '1000000000000000000001', false],
  ['9007199254740992.5', '9007199254740993', false],
  ['-0', '0', true],
  ['"1e21"', '1000000000000000000000', false],
])('%s is as large as %s: %s', (one, other, same) => {
  const [a, b] = [parseJson(one), parseJson(other)]
  expect([isEqual(a, b), isEqual(b, a), canonicalText(a) === canonicalText(b)]).toEqual([same, same, same])
})

test('a computed integer is also what its double is', () => {
  expect(isEqual(2 ** 60, 1152921504606846976n)).toBe(true)
  expect(isEqual(2 ** 60, 1152921504606846977n)).toBe(false)
})
