import { expect, test } from 'vitest'
import { findMisspelt } from './suggest-reference.ts'

const locals = { body: { page: 1, tag: 'new', items: [5, { id: 1, name: 'Ann' }] } }

test.for<[condition: string, told: string | undefined]>([
  ['body.paeg === 1', 'reads `body.paeg`, which is not there (did you mean `page`?)'],
  ['body.age === 1', undefined],
  ['body.tab !== 5', undefined],
  ['body.page === 1', undefined],
  ['body.paeg === undefined', undefined],
  ["body.items.some((item) => item.nme === 'Ann')", undefined],
])(
  'what a condition reads that is not there is told where something is named like it: %s',
  ([condition, told]) => {
    expect(findMisspelt(condition, { layers: [], exports: {}, locals })).toBe(told)
  },
)
