import { expect, test } from 'vitest'
import { loadSuite } from '../../../src/suite/load-suite.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import {
  listConcerned,
  listProviders,
  listPrerequisites,
  listSelected,
  type PrerequisiteRules,
} from './prerequisites.ts'

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

/** Names of steps, in the order of the suite. */
const show = (plan: SuitePlan, steps: ReadonlySet<StepPlan>): string =>
  listSteps(plan)
    .filter((step) => steps.has(step))
    .map(({ name }) => name)
    .join(' ')

const choose = (plan: SuitePlan, of: string): StepPlan[] =>
  listSteps(plan).filter(({ name }) => of.split(' ').includes(name))

const names = (plan: SuitePlan, of: string, rules: Partial<PrerequisiteRules> = {}): string =>
  show(plan, listPrerequisites(plan, choose(plan, of), { prerequisites: 'needed', ...rules }))

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

test('several steps share what they need; values that are given are not needed', async () => {
  const plan = await load(FLOW)
  expect(names(plan, 'b c')).toBe('prepare a')
  expect(names(plan, 'b d')).toBe('prepare a b c')
  expect(names(plan, 'd', { inputs: { two: 'x' } })).toBe('prepare c')
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
  const concerned = (of: string): string =>
    show(plan, listConcerned(plan, choose(plan, of), { prerequisites: 'needed' }))
  expect(concerned('c')).toBe('prepare c end')
  expect(concerned('b c')).toBe('prepare a b c end')
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
