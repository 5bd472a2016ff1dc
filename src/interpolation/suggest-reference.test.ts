import { expect, test } from 'vitest'
import { findMisspelt } from './suggest-reference.ts'

const locals = {
  page: 1,
  off: false,
  headers: { 'x-n': '8' },
  body: {
    page: 1,
    tag: 'new',
    items: [5, { id: 1, name: 'Ann' }],
  },
}

test.for<[condition: string, told: string | undefined]>([
  ['body.pge === 1', 'reads `body.pge`, which is not there (did you mean `page`?)'],
  ['body.age === 1', undefined],
  ['body.tab !== 5', undefined],
  ['body.page === 1', undefined],
  ['body.pge === undefined', undefined],
  ["body.items.name !== 'Al'", 'reads `body.items.name`, but `body.items` is `[5,{"id":1,"name":"Ann"}]`'],
  ['!off.now', 'reads `off.now`, but `off` is `false`'],
  ['!body.tag.old', 'reads `body.tag.old`, but `body.tag` is `"new"`'],
  ['Array.isArray(body.items) ? body.items[0] === 5 : body.items.id === 5', undefined],
  ['body.items.length !== 1 && body.items[7] !== 1 && body.tag.trim() !== "x"', undefined],
  ["body.page !== '1'", "compares `1` (number) at `body.page` with `'1'`, which is never equal"],
  ['!(headers["x-n"] === 8)', 'compares `"8"` (string) at `headers["x-n"]` with `8`, which is never equal'],
  [
    'body.items[1].id !== "1"',
    'compares `1` (number) at `body.items[1].id` with `"1"`, which is never equal',
  ],
  ["headers['x-n'] !== '8'", undefined],
  ["body.page !== '2'", undefined],
  ['body.page !== 1.5', undefined],
  ["typeof body.page === 'number'", undefined],
  ['+headers["x-n"] === 8', undefined],
  ['1 * headers["x-n"] === 8', undefined],
  ["'' + body.page === '1'", undefined],
  ["['1'].every((page) => page === '1')", undefined],
  ['!body.tag.includes("page === \'1\'")', undefined],
])(
  'what a condition reads that is not there is told where something is named like it: %s',
  ([condition, told]) => {
    expect(findMisspelt(condition, { layers: [], exports: {}, locals })).toBe(told)
  },
)
