import { expect, test } from 'vitest'
import type { Json } from './json.ts'
import { copyJson, cutText, isSafeJson, stringifySafely } from './safe-json.ts'
import { formatBytes } from './text/units.ts'

/** A value as reports keep it. */
function keep(value: Json, maxBytes = Infinity): Json {
  return isSafeJson(value, maxBytes) ? value : copyJson(value, { maxBytes })
}

test('keeps what is valid as it is', () => {
  const value = { a: [1, 'x', null, true, {}], b: [] }
  expect(keep(value)).toEqual(value)
})

test('cuts what is nested deeper than 500 levels, however deep', () => {
  let deep: Json = 'bottom'
  for (let level = 0; level < 100_000; level += 1) deep = [deep]
  expect(stringifySafely(deep)).toBe(
    `${'['.repeat(500)}"[cut: nested deeper than 500 levels]"${']'.repeat(500)}`,
  )
})

test('makes lone surrogates and what is no JSON valid', () => {
  const shared = { n: Number.NaN, u: undefined, b: 10n }
  expect(stringifySafely({ '\ud800k': '\udc00', list: [undefined, shared, shared] })).toBe(
    '{"\ufffdk":"\ufffd","list":[null,{"n":"NaN","b":10},{"n":"NaN","b":10}]}',
  )
  expect(stringifySafely(undefined)).toBe('null')
})

test('keeps the start of a big value and counts what is missing', () => {
  expect(keep({ list: ['aaaa', 'bbbb', 'cccc', 'dddd'], next: 1 }, 20)).toEqual({
    list: ['aaaa', 'bb… [cut: 2 B of 4 B shown]', '[cut: 2 more items (20 B shown)]'],
    '[cut]': '1 more keys (20 B shown)',
  })
  expect(keep([10n ** 100n, 10n ** 100n], 20)).toEqual([10n ** 100n, '[cut: 1 more items (20 B shown)]'])
})

test.for<Json>([1, 0.123456789012345, 'a', null, true, {}, { a: 1 }])(
  'keeps about as many bytes of a list of %j as it may',
  (item) => {
    const kept = JSON.stringify(keep(Array(100_000).fill(item), 65_536))
    expect(kept.length).toBeGreaterThan(40_000)
    expect(kept.length).toBeLessThan(100_000)
  },
)

test('keeps `__proto__` as an ordinary key', () => {
  expect(stringifySafely(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}')
})

test('never cuts inside a surrogate pair', () => {
  expect(cutText('ab😀cd', 3)).toBe('ab… [cut: 3 B of 8 B shown]')
  expect(formatBytes(20 * 1024 * 1024 + 500_000)).toBe('20.5 MiB')
})
