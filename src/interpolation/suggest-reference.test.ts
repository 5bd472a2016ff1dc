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
])(
  'what a condition reads that is not there is told where something is named like it: %s',
  ([condition, told]) => {
    expect(findMisspelt(condition, { layers: [], exports: {}, locals })).toBe(told)
  },
)
