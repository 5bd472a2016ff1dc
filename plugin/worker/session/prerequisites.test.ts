import { expect, test, vi } from 'vitest'
import { loadSuite } from '../../../src/suite/load-suite.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import {
  listConcerned,
  listProviders,
  listPrerequisites,
  listSelected,
  type PrerequisiteRules,
} from './prerequisites.ts'
import { StepRecords } from './step-records.ts'

const load = (steps: string): Promise<SuitePlan> =>
  loadSuite(
    { path: 'test.suite.yaml', text: `suite_name: Test\nbase_url: http://localhost\n${steps}` },
    { folder: '.' },
  )

const FLOW = `
setup:
  - name: prepare
    request: { url: '/' }
    capture: { prepared: body.x }
steps:
  - name: a
    request: { url: '/' }
    capture: { one: body.x }
  - name: b
    request: { url: '/{{one}}' }
    capture: { two: body.x }
  - name: c
    request: { url: '/' }
    capture: { three: body.x }
  - name: d
    request: { url: '/{{js: two + 1}}' }
    scenarios:
      - condition: status_code == 200
        then: { variables: { four: '{{three}}' } }
  - name: e
    request: { url: '/' }
    assert: { custom: [{ name: x, condition: four === 1, message: m }] }
teardown:
  - name: end
    request: { url: '/{{one}}' }
`

/** Records of which the first steps have run. */
function recordsOf(plan: SuitePlan, count: number): StepRecords {
  const records = new StepRecords(listSteps(plan))
  for (const step of records.steps.slice(0, count)) records.keep(step, undefined, {} as never)
  return records
}

const names = (plan: SuitePlan, of: string, rules: Partial<PrerequisiteRules> = {}): string => {
  const step = listSteps(plan).find(({ name }) => name === of)
  if (!step) throw new Error(`no step ${of}`)
  const all = { plan, records: recordsOf(plan, 0), prerequisites: 'needed' as const, ...rules }
  return listPrerequisites(step, all)
    .map(({ name }) => name)
    .join(' ')
}

test('the set-up and the providers of what a step reads are needed, transitively, in their order', async () => {
  const plan = await load(FLOW)
  expect(names(plan, 'a')).toBe('prepare')
  expect(names(plan, 'b')).toBe('prepare a')
  expect(names(plan, 'd')).toBe('prepare a b c')
  expect(names(plan, 'e')).toBe('prepare a b c d')
  expect(names(plan, 'end')).toBe('prepare a')
})

test('whoever reads all variables needs all that gives one', async () => {
  const plan = await load(FLOW.replace('/{{js: two + 1}}', '/{{js: Object.keys(variables).length}}'))
  expect(names(plan, 'd')).toBe('prepare a b c')
  expect(names(plan, 'c')).toBe('prepare')
})

test('steps that ran already and values that are given are not needed again', async () => {
  const plan = await load(FLOW)
  const records = recordsOf(plan, 2)
  expect(names(plan, 'd', { records })).toBe('b c')
  expect(names(plan, 'd', { inputs: { two: 'x' } })).toBe('prepare c')
  expect(names(plan, 'd', { records: recordsOf(plan, 7) })).toBe('')
  const has = vi.spyOn(records, 'has')
  expect(names(plan, 'd', { records })).toBe('b c')
  // Asks about the step itself, and otherwise only about steps that are not known to have run.
  expect(new Set(has.mock.calls.map(([{ name }]) => name))).toEqual(new Set(['d', 'b', 'c']))
})

test('`all` takes every earlier step but the teardown, `none` none', async () => {
  const plan = await load(FLOW)
  expect(names(plan, 'c', { prerequisites: 'all' })).toBe('prepare a b')
  expect(names(plan, 'end', { prerequisites: 'all' })).toBe('prepare a b c d e')
  expect(names(plan, 'e', { prerequisites: 'none' })).toBe('')
})

test('a call gives the node id of its suite, also when it names a file', async () => {
  const plan = await load(`
steps:
  - name: call
    call: { suite: ./auth.suite.yaml }
  - name: use
    request: { url: '/{{auth.token}}' }
`)
  expect(names({ ...plan, calls: { './auth.suite.yaml': 'auth' } }, 'use')).toBe('call')
})

test('names like those of prototypes are names', async () => {
  const plan = await load(`
steps:
  - name: a
    request: { url: '/' }
    capture: { constructor: body.x }
  - name: b
    request: { url: '/{{constructor}}' }
`)
  expect(names(plan, 'b')).toBe('a')
})

test('the teardown is concerned by every selection, what only the teardown reads is not', async () => {
  const plan = await load(FLOW)
  const concerned = (...selected: string[]): string =>
    listConcerned(
      plan,
      listSteps(plan).filter(({ name }) => selected.includes(name)),
      { prerequisites: 'needed' },
    )
      .map(({ name }) => name)
      .join(' ')
  expect(concerned('c')).toBe('prepare c end')
  expect(concerned('b', 'c')).toBe('prepare a b c end')
  expect(concerned('end')).toBe('prepare a end')
})

test('providers of some exports, or all steps before the teardown', async () => {
  const plan = await load(FLOW)
  expect(listProviders(plan, ['two', 'four']).map(({ name }) => name)).toEqual(['b', 'd'])
  expect(listProviders(plan, [])).toEqual([])
  expect(listProviders(plan).map(({ name }) => name)).toEqual(['prepare', 'a', 'b', 'c', 'd', 'e'])
})

test('selected are the steps of which a test is left in, iterations included', async () => {
  const [a, b, c] = listSteps(await load(FLOW)) as [StepPlan, StepPlan, StepPlan]
  const modes = ['skip', 'skip', 'run', 'skip', 'skip']
  const tests = [a, b, b, b, c].map((step, at) => ({ step, test: { mode: modes[at] ?? '' } }))
  expect(listSelected(tests)).toEqual([b])
})
