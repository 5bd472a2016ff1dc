import { expect, test } from 'vitest'
import type { Json } from '../json.ts'
import { parseFieldPath, type Segment } from './field-path.ts'
import { explainMissing, hasTypo, walkPath, type Missing, type Walk } from './walk-path.ts'

function walk(root: Json, path: string): Walk {
  return walkPath(
    root,
    (parseFieldPath(path) as Segment[]).map(({ name }) => name),
  )
}

const answer = {
  items: [
    { id: 1, tags: ['a', 'b'] },
    { id: 2, tags: [] },
    { id: 3, tags: ['c'], note: null },
  ],
  total: 3,
  text: 'abc',
  json: '{"id":1}',
  dots: { 'a.b': { 'c.d': 1 } },
}

test.for<[path: string, value: Json]>([
  ['total', 3],
  ['items[0].id', 1],
  ['items.1.id', 2],
  ['items[-1].note', null],
  ['items[*].id', [1, 2, 3]],
  ['items[*].tags[*]', ['a', 'b', 'c']],
  ['items[?id > `1`].id', [2, 3]],
])('finds %s', ([path, value]) => {
  expect(walk(answer, path)).toEqual({ found: true, value })
})

test.for<[path: string, words: string]>([
  ['totl', 'nothing at `body.totl`; `body` has: items, total, text, json, dots (did you mean `total`?)'],
  ['items[3].id', 'nothing at `body.items[3].id`; `body.items` is an array of 3 elements'],
  [
    'items.length',
    'nothing at `body.items.length`; `body.items` is an array of 3 elements: write `length(…)`',
  ],
  ['items.0x.id', 'nothing at `body.items.0x.id`; `body.items` is an array of 3 elements'],
  ['text.length', 'nothing at `body.text.length`; `body.text` is `"abc"` (string)'],
  ['text.size', 'nothing at `body.text.size`; `body.text` is `"abc"` (string)'],
  ['text[*]', 'nothing at `body.text[*]`; `body.text` is `"abc"` (string)'],
  [
    'json.id',
    'nothing at `body.json.id`; `body.json` is a string that contains JSON, `"{\\"id\\":1}"` (string)',
  ],
  ['toString', 'nothing at `body.toString`; `body` has: items, total, text, json, dots'],
  [
    'dots.a.b.c.d',
    'nothing at `body.dots.a.b.c.d`; `body.dots` has: a.b; for a name with a dot, write `body.dots["a.b"].c.d`',
  ],
  [
    'dots["a.b"].c.d',
    'nothing at `body.dots["a.b"].c.d`; `body.dots["a.b"]` has: c.d; for a name with a dot, write `body.dots["a.b"]["c.d"]`',
  ],
  ['items[*].note', 'nothing at `body.items[0].note`; `body.items[0]` has: id, tags'],
])('tells what is there instead of %s', ([path, words]) => {
  expect(explainMissing('body', walk(answer, path) as Missing)).toBe(words)
})

test('says how JSON that came as a text is read', () => {
  expect(explainMissing('body', walk('{"id":1}', 'id') as Missing)).toBe(
    'nothing at `body.id`; `body` is a string that contains JSON, `"{\\"id\\":1}"` (string): add `body_as: json` beside `request` to read it',
  )
})

test('an error page where JSON was expected is told to be no JSON', () => {
  expect(explainMissing('body', walk('<h1>Bad gateway</h1>', 'id') as Missing)).toBe(
    'nothing at `body.id`; `body` is `"<h1>Bad gateway</h1>"` (string), which is not JSON: to look into it, write `xpath` or `css`',
  )
})

test('a name without letters is shown, and nobody is asked whether it was meant', () => {
  const missing = walk({ '': 1, _: 2 }, 'a') as Missing
  expect(explainMissing('body', missing)).toBe("nothing at `body.a`; `body` has: '', _")
})

test.for<[path: string, isTypo: boolean]>([
  ['totl', true],
  ['tot', false],
  ['totals', false],
  ['itmes', true],
  ['amount', false],
  ['items[0].tasg', true],
  ['itens.page.size', true],
  ['items[3]', false],
  ['dots.a.b', true],
  ['dots.a.c', false],
])('a path is misspelt where a name like the missing one is: %s', ([path, isTypo]) => {
  expect(hasTypo(walk(answer, path) as Missing)).toBe(isTypo)
})

test('a filter that compares a misspelt name says so', () => {
  expect(walk(answer, "items[?tgas == 'a'].id")).toEqual({
    found: true,
    value: [],
    warning: expect.stringContaining('`tgas`') as string,
  })
  expect(walk(answer, 'items[?price > `1`].id')).toEqual({ found: true, value: [] })
  const events = [{ event: 'start', data: 1 }, { data: '[DONE]' }]
  expect(walk({ events }, "events[?evnt == 'error']")).toMatchObject({
    value: [],
    warning: expect.stringContaining('did you mean `event`?') as string,
  })
})

test.for<[path: string, warnings: unknown[]]>([
  [
    "items[?id == '2'].id",
    [expect.stringContaining('`2` (number) with `"2"` (string), which are never equal')],
  ],
  ["items[?id == 'two'].id", []],
  ['items[?id == `5`].id', []],
  ['items[?name > `0`].id', [expect.stringContaining('but `>` needs numbers')]],
  ['items[?id > `9`].id', []],
  ['items[?name == `1`].id', [expect.stringContaining('which are never equal')]],
  ['items[?name == `true`].id', []],
  ["items[?open == 'true'].id", [expect.stringContaining('which are never equal')]],
])('a filter compares a number or a truth with a text that writes one: %s', ([path, warnings]) => {
  const found = walk({ items: [{ id: 2, name: '1', open: true }] }, path)
  expect(found).toMatchObject({ found: true, value: [] })
  expect('warning' in found ? [found.warning] : []).toEqual(warnings)
})
