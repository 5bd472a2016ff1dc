import { expect, test } from 'vitest'
import { findMisspelt } from './suggest-reference.ts'

const locals = {
  body: {
    page: 1,
    tag: 'new',
    items: [5, { id: 1, name: 'Ann' }],
    teams: [{ lead: 'Bo' }],
  },
}

test.for<[condition: string, told: string | undefined]>([
  ['body.pge === 1', 'reads `body.pge`, which is not there (did you mean `page`?)'],
  ['body.age === 1', undefined],
  ['body.tab !== 5', undefined],
  ['body.page === 1', undefined],
  ['body.pge === undefined', undefined],
  [
    "body.items.some((item) => item.nme === 'Ann')",
    'reads `nme`, which no element of `body.items` has (did you mean `name`?)',
  ],
  [
    'body.items.some((item) => item.nam !== item.id)',
    'reads `nam`, which no element of `body.items` has (did you mean `name`?)',
  ],
  [
    'body.items.find((item) => item.nme > 5) === undefined',
    'reads `nme`, which no element of `body.items` has (did you mean `name`?)',
  ],
  ['body.items.every((item) => (item.nme ?? 0) < 5)', undefined],
  ["body.items.some((item) => item.name === 'Ann')", undefined],
  ["body.items.some((item) => item['nme'] === 'Ann')", undefined],
  ['body.items.some((item) => body.tag.length !== item.id)', undefined],
  ['body.items.some(function (item) { return item.nme })', undefined],
  ['body.items.filter((item) => item.id).some((item) => item.nme)', undefined],
])(
  'what a condition reads that is not there is told where something is named like it: %s',
  ([condition, told]) => {
    expect(findMisspelt(condition, { layers: [], exports: {}, locals })).toBe(told)
  },
)
