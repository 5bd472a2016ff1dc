import { expect, test } from 'vitest'
import { loadSuite } from '../suite/load-suite.ts'
import { resolveKnown } from './fill-name.ts'
import { listStaticLoops } from './loops.ts'

async function list(iterate: string, variables = '{}'): Promise<unknown> {
  const text = `suite_name: S
variables: ${variables}
steps: [{ name: One, iterate: ${iterate}, request: { url: 'http://localhost/{{n}}' } }]
`
  const plan = await loadSuite({ path: 'a.suite.yaml', text }, { folder: import.meta.dirname })
  const known = { ...plan, variables: resolveKnown(plan.variables, [plan.variables]).values }
  return plan.steps[0] && listStaticLoops(known, plan.steps[0])
}

test('a range has both of its ends, up as well as down', async () => {
  const up = [
    { index: 0, n: 1 },
    { index: 1, n: 2 },
    { index: 2, n: 3 },
  ]
  expect(await list('{ range: 1..3, as: n }')).toEqual(up)
  expect(await list('{ range: 3..1, as: n }')).toEqual(up.map(({ index, n }) => ({ index, n: 4 - n })))
  expect(await list('{ range: 2..2, as: n }')).toEqual([{ index: 0, n: 2 }])
})

test('a list or range that is written, or that names of suite variables give, is known before the run; one with a value of the run is not', async () => {
  expect(await list('{ over: [a, b], as: n }')).toEqual([
    { index: 0, n: 'a' },
    { index: 1, n: 'b' },
  ])
  expect(await list(`{ over: '{{ids}}', as: n }`, '{ ids: [7] }')).toEqual([{ index: 0, n: 7 }])
  expect(await list(`{ over: ['{{id}}'], as: n }`, '{ id: 7 }')).toEqual([{ index: 0, n: 7 }])
  expect(await list(`{ over: '{{of.ids}}', as: n }`, `{ of: { ids: ['{{id}}'] }, id: 7 }`)).toEqual([
    { index: 0, n: 7 },
  ])
  expect(await list(`{ range: '2..{{ last }}', as: n }`, `{ last: '{{two}}', two: 2 }`)).toEqual([
    { index: 0, n: 2 },
  ])
  expect(await list(`{ over: ['{{js: id}}'], as: n }`, '{ id: 7 }')).toBeUndefined()
  expect(await list(`{ range: '2..{{last}}', as: n }`, `{ last: '{{js: 2}}' }`)).toBeUndefined()
  expect(await list(`{ over: 'x{{ids}}', as: n }`, '{ ids: [7] }')).toBeUndefined()
  expect(await list('{ over: [], as: n }')).toBeUndefined()
  expect(await list(`{ range: '7..{{other}}', as: n }`, '{ last: 7 }')).toBeUndefined()
})

test('ten thousand iterations are known before the run, more than a loop may have are not', async () => {
  expect(await list('{ range: 1..10000, as: n }')).toHaveLength(10_000)
  const more = JSON.stringify(Array.from({ length: 10_001 }, (_, index) => index))
  expect(await list(`{ over: '{{ids}}', as: n }`, `{ ids: ${more} }`)).toBeUndefined()
})
