import { readFileSync } from 'node:fs'
import { TreeInterpreter } from '@jmespath-community/jmespath'
import { expect, test } from 'vitest'
import { compilePath } from './compile-path.ts'
import { tracePath } from './interpreter.ts'

// `interpreter.ts` reaches into these; checked with this release. Another one may change them without notice.
test('the library is the release whose insides were read', () => {
  const { version } = JSON.parse(
    readFileSync(
      new URL('../../node_modules/@jmespath-community/jmespath/package.json', import.meta.url),
      'utf8',
    ),
  ) as { version: string }
  expect(version).toBe('1.3.0')
  const runtime = TreeInterpreter.runtime as unknown as Record<string, unknown>
  expect(runtime['_functionTable']).toMatchObject({ sort_by: { _signature: [{}, {}] } })
  expect(runtime['getTypeName']).toBeTypeOf('function')
  expect(TreeInterpreter.visit).toBeTypeOf('function')
})

test.for([
  ['a > b', true],
  ['a >= a', true],
  ['b < a', true],
  ['sort([a, b])[0] == b', true],
  ['max([a, b]) == a', true],
  ['a == 9007199254740993', true],
  ['a == 9007199254740992', false],
  ['a == `9007199254740993`', true],
  ['a == `9007199254740992`', false],
  ['a > `-9007199254740993`', true],
  ['contains(`[1, 9007199254740993]`, a)', true],
  ['contains(`[1, {"n": 9007199254740993}]`, {n: a})', true],
  ["type(a) == 'number'", true],
  ["to_string(a) == '9007199254740993'", true],
  ["to_number('9007199254740993') == a", true],
  ['to_number(a) == a', true],
  ["a > 'x'", null],
  ['[b, a][1] == a', true],
  ['length([b, a, b][1:3]) == `2`', true],
  ['length([b, a, b][:2]) == `2`', true],
  ['[b, a][-1] == a', true],
  ['contains([7, 8], b)', true],
] as const)('integers above 2⁵³ are numbers: %s', ([source, expected]) => {
  const path = compilePath(source)
  if ('message' in path) throw new Error(path.message)
  expect(tracePath(path.node, { a: 9007199254740993n, b: 7 }).value).toBe(expected)
})

test.for([
  ...['', ' ', '0x10', 'Infinity', '1_0', '.5', '01', '+1'].map((text) => [text, null] as const),
  ['-1.5e1', -15],
  ['0', 0],
])('to_number of `%s`, as JSON writes numbers, is %s', ([text, expected]) => {
  const path = compilePath('to_number(a)')
  if ('message' in path) throw new Error(path.message)
  expect(tracePath(path.node, { a: text }).value).toBe(expected)
  expect(() => tracePath(path.node, { a: '1'.repeat(4301) })).toThrow('has 4301 digits, more than 4300')
})

test.for([
  ['!a.*', false],
  ['!a.*.b', true],
  ['!a[0] && `true`', true],
  ['!a[?c == `1` && d].e', true],
  ['!keys(a)[0] == `false`', true],
  ['!{x: a && b}.x', true],
  ['!(a || b) || `5`', 5],
] as const)('a `!` is about the whole path behind it: %s', ([source, expected]) => {
  const path = compilePath(source)
  if ('message' in path) throw new Error(path.message)
  expect(tracePath(path.node, { a: { c: 1 } }).value).toBe(expected)
})

test('words such as `true` are keys where a key is written', () => {
  const path = compilePath('{true: a, null: b, c: true}')
  if ('message' in path) throw new Error(path.message)
  expect(tracePath(path.node, { a: 1, b: 2 }).value).toEqual({ true: 1, null: 2, c: true })
})

test('a `!` is about nothing behind an operator', () => {
  const path = compilePath('!a * b')
  if ('message' in path) throw new Error(path.message)
  expect(() => tracePath(path.node, { a: 2, b: 3 })).toThrow('JMESPath can calculate only with numbers')
})

test.for([
  ["replace('a-b', '-', '[$&]')", 'a[$&]b'],
  ["replace('aaa', 'a', 'b', `0`)", 'aaa'],
  ["replace('abc', 'x', 'y', `5`)", 'abc'],
  ["trim(' a b ')", 'a b'],
  ["trim_left(' a b ')", 'a b '],
  ["trim_right(' a b ')", ' a b'],
  ["trim_right('xyax', 'x')", 'xya'],
  ["pad_left('abcd', `2`)", 'abcd'],
] as const)('texts are replaced, trimmed and padded: %s', ([source, expected]) => {
  const path = compilePath(source)
  if ('message' in path) throw new Error(path.message)
  let result: unknown
  try {
    result = tracePath(path.node, null).value
  } catch (error) {
    result = (error as Error).message
  }
  expect(result).toBe(expected)
})
