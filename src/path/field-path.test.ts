import { expect, test } from 'vitest'
import { formatFieldPath, parseFieldPath, type PathStep } from './field-path.ts'

test.for<[text: string, names: PathStep[]]>([
  ['a', ['a']],
  ['items[0].id', ['items', 0, 'id']],
  ['items[-1]', ['items', -1]],
  ['items[*].id', ['items', { each: '' }, 'id']],
  ["items[?tags[0] == 'a]' ].id", ['items', { each: "tags[0] == 'a]'" }, 'id']],
  ['meta["a.b"].c', ['meta', 'a.b', 'c']],
  [String.raw`meta['it\'s']`, ['meta', "it's"]],
  ['price (EUR)["a|b"].length', ['price (EUR)', 'a|b', 'length']],
])('reads %s', ([text, names]) => {
  expect((parseFieldPath(text) as { name: PathStep }[]).map(({ name }) => name)).toEqual(names)
})

test('what is in quotes is never an operator, what is not can be one', () => {
  const segments = parseFieldPath('a[0]["length"].equals')
  expect(segments).toEqual([
    { name: 'a', quoted: false },
    { name: 0, quoted: false },
    { name: 'length', quoted: true },
    { name: 'equals', quoted: false },
  ])
  expect(parseFieldPath('a[*][?b]')).toEqual([
    { name: 'a', quoted: false },
    { name: { each: '' }, quoted: false },
    { name: { each: 'b' }, quoted: false },
  ])
})

test.for([
  ['', 'it is empty'],
  ['a.', 'it ends with a dot'],
  ['a..b', 'a name is missing at character 3'],
  ['a.[0]', 'a name is missing at character 3'],
  ['a[0]b', 'unexpected `b` at character 5'],
  ['a[?b].c | [0]', 'unexpected `|` at character 9'],
  ['a[?b] | [0]', 'unexpected ` ` at character 6'],
  ["a || 'b'", 'unexpected `|` at character 3'],
  ['a[b]', 'expected `[0]`, `[*]`, `[?…]` or `["name"]` at character 2, got `[b]`'],
  ['a."b.c"', 'a name in quotes needs brackets and no dot before it, `["b.c"]`'],
  ["a[?b == ']'", 'the `[?` at character 2 is never closed'],
  ['a'.repeat(1001), 'it is longer than 1000 characters'],
])('says what is wrong with %s', ([text, problem]) => {
  expect(parseFieldPath(text as string)).toBe(problem)
})

test.for(['items[0].id', 'items[*].id', "items[?id == '1'].name", 'meta["a.b"].c', '[0]'])(
  'writes %s as it was',
  (text) => {
    const segments = parseFieldPath(text) as { name: PathStep }[]
    expect(formatFieldPath(segments.map(({ name }) => name))).toBe(text)
  },
)
