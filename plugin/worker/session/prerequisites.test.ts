import { expect, test } from 'vitest'
import { loadSuite } from '../../../src/suite/load-suite.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import { listGivers, listPrerequisites, listSelected, type PrerequisiteRules } from './prerequisites.ts'

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

const names = (plan: SuitePlan, of: string, rules: Partial<PrerequisiteRules> = {}): string => {
  const steps = listSteps(plan)
  const step = steps.find(({ name }) => name === of)
  if (!step) throw new Error(`no step ${of}`)
  const all = { steps, done: new Set<never>(), option: 'needed' as const, ...rules }
  return listPrerequisites(step, all)
    .map(({ name }) => name)
    .join(' ')
}

test('the set-up and the givers of what a step reads are needed, transitively, in their order', async () => {
  const plan = await load(FLOW)
  expect(names(plan, 'a')).toBe('prepare')
  expect(names(plan, 'b')).toBe('prepare a')
  expect(names(plan, 'd')).toBe('prepare a b c')
  expect(names(plan, 'e')).toBe('prepare a b c d')
  expect(names(plan, 'end')).toBe('prepare a')
})

test('steps that ran already and values that are given are not needed again', async () => {
  const plan = await load(FLOW)
  const [prepare, a] = listSteps(plan)
  expect(names(plan, 'd', { done: new Set([prepare, a]) })).toBe('b c')
  expect(names(plan, 'd', { given: { two: 'x' } })).toBe('prepare c')
  const steps = listSteps(plan)
  expect(names(plan, 'd', { done: new Set(steps) })).toBe('')
  const asked: string[] = []
  const done = {
    has: ({ name }: { name: string }) => {
      asked.push(name)
      return false
    },
  }
  expect(names(plan, 'd', { done, first: 3 })).toBe('c')
  // The step itself, and of the others only those that are not known to have run.
  expect(asked).toEqual(['d', 'c'])
})

test('`all` takes every earlier step but the teardown, `none` none', async () => {
  const plan = await load(FLOW)
  expect(names(plan, 'c', { option: 'all' })).toBe('prepare a b')
  expect(names(plan, 'end', { option: 'all' })).toBe('prepare a b c d e')
  expect(names(plan, 'e', { option: 'none' })).toBe('')
})

test('a call gives the node id of its suite, also when it names a file', async () => {
  const plan = await load(`
steps:
  - name: call
    call: { suite: ./auth.suite.yaml }
  - name: use
    request: { url: '/{{auth.token}}' }
`)
  const [call] = plan.steps
  if (!call) throw new Error('the suite has steps')
  expect(names(plan, 'use', { calls: new Map([[call, 'auth']]) })).toBe('call')
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

test('givers of some exports, or all steps before the teardown', async () => {
  const plan = await load(FLOW)
  expect(listGivers(plan, ['two', 'four']).map(({ name }) => name)).toEqual(['b', 'd'])
  expect(listGivers(plan, [])).toEqual([])
  expect(listGivers(plan).map(({ name }) => name)).toEqual(['prepare', 'a', 'b', 'c', 'd', 'e'])
})

test('selected are the steps of which a test is left in, iterations included', async () => {
  const [a, b, c] = listSteps(await load(FLOW)) as [StepPlan, StepPlan, StepPlan]
  const modes = ['skip', 'skip', 'run', 'skip', 'skip']
  const tests = [a, b, b, b, c].map((step, at) => ({ step, test: { mode: modes[at] ?? '' } }))
  expect(listSelected(tests)).toEqual([b])
})

test('a POST is needed by what the suite names in what it adds to', async () => {
  const plan = await load(`
variables: { name: ann }
steps:
  - { name: register, request: { method: POST, url: /users }, capture: { id: body.id } }
  - { name: register bob, request: { method: POST, url: /users } }
  - { name: log in, request: { method: POST, url: /users/login }, capture: { token: body.token } }
  - { name: article, request: { method: POST, url: '/articles?t={{token}}' }, capture: { slug: body.slug } }
  - { name: read article, request: { url: '/articles/{{slug}}' } }
  - { name: profile, request: { url: '/users/{{name}}' } }
  - { name: by id, request: { url: '/users/{{id}}' } }
  - { name: seven, request: { url: /users/7 } }
  - { name: article again, request: { method: POST, url: '/articles?t={{token}}' } }
`)
  expect(names(plan, 'register bob')).toBe('register')
  expect(names(plan, 'log in')).toBe('register register bob')
  expect(names(plan, 'article')).toBe('register register bob log in')
  expect(names(plan, 'read article')).toBe('register register bob log in article')
  expect(names(plan, 'profile')).toBe('register register bob')
  expect(names(plan, 'by id')).toBe('register')
  expect(names(plan, 'seven')).toBe('')
  expect(names(plan, 'article again')).toBe('register register bob log in article')
})

test('earlier steps that change what a step asks for are needed', async () => {
  const plan = await load(`
steps:
  - { name: create, request: { method: POST, url: /users }, capture: { id: body.id } }
  - { name: other, request: { method: POST, url: /users }, capture: { second: body.id } }
  - { name: read, request: { url: '/users/{{id}}' } }
  - { name: update, request: { method: PATCH, url: '/users/{{id}}?notify=1', body: {} } }
  - { name: avatar, request: { method: PUT, url: '/users/{{id}}/avatar' } }
  - { name: update second, request: { method: PATCH, url: '/users/{{second}}', body: {} } }
  - { name: order, request: { method: POST, url: /orders, body: { user: '{{id}}' } }, capture: { order: body.id } }
  - { name: query, request: { url: /graphql, graphql: { query: '{ a }' } } }
  - { name: mutation, request: { url: /graphql, graphql: { query: 'mutation { a }' } } }
  - { name: query again, request: { url: /graphql, graphql: { query: '{ b }' } } }
  - { name: delete, request: { method: DELETE, url: '/users/{{id}}' } }
  - { name: gone, request: { url: '/users/{{ id }}/' } }
  - { name: list, request: { url: /users } }
  - { name: reset, request: { method: DELETE, url: /users } }
  - { name: none, request: { url: '/users/{{second}}' } }
  - { name: order gone, request: { url: '/orders/{{order}}' } }
`)
  expect(names(plan, 'read')).toBe('create')
  expect(names(plan, 'update')).toBe('create')
  expect(names(plan, 'query again')).toBe('mutation')
  expect(names(plan, 'gone')).toBe('create update avatar delete')
  expect(names(plan, 'list')).toBe('create other update avatar update second delete')
  expect(names(plan, 'none')).toBe('other update second reset')
  expect(names(plan, 'order gone')).toBe('create order')
})
