import { expect, test } from 'vitest'
import type { Json } from './json.ts'
import { cutText, stringifySafely, toSafeJson } from './safe-json.ts'
import { formatBytes } from './text/units.ts'

test('keeps what is valid as it is', () => {
  const value = { a: [1, 'x', null, true, {}], b: [] }
  expect(toSafeJson(value)).toEqual(value)
})

test('cuts what is nested deeper than 500 levels, however deep', () => {
  let deep: Json = 'bottom'
  for (let level = 0; level < 100_000; level += 1) deep = [deep]
  expect(stringifySafely(deep)).toBe(
    `${'['.repeat(500)}"[cut: nested deeper than 500 levels]"${']'.repeat(500)}`,
  )
})

test('makes lone surrogates, non-JSON values and cycles valid', () => {
  const cycle: Record<string, unknown> = { n: Number.NaN, u: undefined, f() {}, b: 10n, d: new Date(0) }
  cycle.self = cycle
  expect(stringifySafely({ '\ud800k': '\udc00', list: [undefined, cycle, cycle] })).toBe(
    '{"\ufffdk":"\ufffd","list":[null,' +
      '{"n":"NaN","b":10,"d":"1970-01-01T00:00:00.000Z","self":"[cut: refers to itself]"},' +
      '{"n":"NaN","b":10,"d":"1970-01-01T00:00:00.000Z","self":"[cut: refers to itself]"}]}',
  )
  expect(stringifySafely(undefined)).toBe('null')
})

test('keeps the start of a big value and counts what is missing', () => {
  expect(toSafeJson({ list: ['aaaa', 'bbbb', 'cccc', 'dddd'], next: 1 }, 20)).toEqual({
    list: ['aaaa', 'bbbb', 'c… [cut: 1 B of 4 B shown]', '[cut: 1 more items (20 B shown)]'],
    '[cut]': '1 more keys (20 B shown)',
  })
})

test('keeps `__proto__` as an ordinary key', () => {
  expect(stringifySafely(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}')
})

test('never cuts inside a surrogate pair', () => {
  expect(cutText('ab😀cd', 3)).toBe('ab… [cut: 3 B of 8 B shown]')
  expect(formatBytes(20 * 1024 * 1024 + 500_000)).toBe('20.5 MiB')
})
