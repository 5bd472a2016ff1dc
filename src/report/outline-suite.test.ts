import { expect, test } from 'vitest'
import { outlineSuite } from './outline-suite.ts'

const told = {
  node_id: 'auth',
  suite_name: 'Auth',
  priority: 'high',
  tags: ['smoke', '7'],
  steps: [
    { step_id: 'setup-1-seed', step_name: 'Seed', line: 5 },
    { step_id: 'step-1-log-in', step_name: 'Log in', line: 7 },
    { step_id: 'me', step_name: 'Me', line: 8 },
  ],
}

const text = (request: string, end = ''): string => `node_id: auth
suite_name: Auth
metadata: { priority: high, tags: [smoke, 7] }
setup:
  - name: Seed
steps:
  - { name: Log in, request: ${request} }
  - { name: Me, step_id: me }
${end}`

test.each([
  ['of a suite that could run', text('{ url: /x }')],
  ['with an alias of nothing', text('*unknown')],
  ['with a merged alias of nothing', text('{ <<: *unknown, url: /x }', '? *other\n: 1')],
  ['with an alias of what it is in', text('&request { again: *request }')],
  ['with keys twice and an open bracket', text('{ url: /x, url: /y }', 'capture: [a')],
])('names and steps %s', (_what, source) => {
  expect(outlineSuite(source)).toEqual(told)
})

test('steps that are an alias as a whole are named', () => {
  const shared = 'variables: { all: &all [{ name: Me }] }\nsteps: *all\nbroken: ['
  expect(outlineSuite(shared).steps).toEqual([{ step_id: 'step-1-me', step_name: 'Me', line: 1 }])
})

test.each([
  ['an empty file', ''],
  ['a list', '- a'],
  ['an open bracket', '['],
  ['an alias of nothing', '*nothing'],
  ['too many brackets', '['.repeat(10_000)],
])('of %s there is nothing', (_what, source) => {
  expect(outlineSuite(source)).toEqual({ tags: [], steps: [] })
})

// Walking the file for each alias would take minutes.
test('10,000 steps with an alias each are named', () => {
  const steps = '  - { name: Step, request: *request }\n'.repeat(10_000)
  const { steps: named } = outlineSuite(`variables: { a: &request { url: /x } }\nsteps:\n${steps}broken: [`)
  expect(named).toHaveLength(10_000)
  expect(named.at(-1)).toEqual({ step_id: 'step-10000-step', step_name: 'Step', line: 10_002 })
})

test('a name whose quote is not closed ends where the next key begins', () => {
  const text = "suite_name: 'Broken\nvariables: { token: canary-1 }\nsteps:\n  - name: One: two\n"
  expect(outlineSuite(text).suite_name).toBe('Broken')
  expect(outlineSuite('{ suite_name: "Broken, variables: { token: canary-1 } }').suite_name).toBe('Broken,')
  expect(outlineSuite("suite_name: 'Log in: works'\n").suite_name).toBe('Log in: works')
})
