import { expect, test } from 'vitest'
import { loadSuite } from '../../src/suite/load-suite.ts'
import { listBlocks } from './name-tests.ts'
import type { Options } from './options.ts'

async function name(
  text: string,
  redact: NonNullable<Options['redact']> = [],
  variables: NonNullable<Options['variables']> = {},
): Promise<{ suites: string[]; tests: string[] }> {
  const plan = await loadSuite({ path: 'a.suite.yaml', text }, { folder: '/project' })
  const blocks = listBlocks(plan, { redact, variables })
  return {
    suites: blocks.map(({ name }) => name),
    tests: blocks.flatMap(({ tests }) => tests.map(({ name }) => name)),
  }
}

const ROWS = `suite_name: Rows
variables: { api_token: 'tok-${'x'.repeat(60)}', region: eu }
each:
  - { user: ann, password: 'sesame-1', pin: 12 }
steps:
  - name: Log in as {{user}} with {{password}} in {{region}}
    request: { url: http://h/ }
  - name: Use {{api_token}} and {{pin}}
    request: { url: http://h/ }
  - name: Say sesame-1
    iterate: { over: [sesame-1, open], as: word }
    request: { url: http://h/ }
`

test('names of tests show known values, and no secrets', async () => {
  expect(await name(ROWS, ['PIN'])).toEqual({
    suites: ['Rows [1: user=ann, password=[redacted], pin=[redacted]]'],
    tests: [
      'Log in as ann with [redacted] in eu',
      'Use [redacted] and [redacted]',
      'Say [redacted] [word=[redacted]]',
      'Say [redacted] [word=open]',
    ],
  })
})

test('names of tests show everything where redaction is off, long values shortened', async () => {
  const { suites, tests } = await name(ROWS, false)
  expect(suites).toEqual(['Rows [1: user=ann, password=sesame-1, pin=12]'])
  expect(tests[1]).toBe(`Use tok-${'x'.repeat(35)}… and 12`)
})

test('names of suites show their variables and row, names of steps their iteration, in brackets unless in the name itself', async () => {
  const text = `suite_name: Orders of {{user}} in {{region}}
variables: { region: eu }
each: [{ user: ann }, { user: bob }]
steps:
  - name: Status in {{region}}
    iterate: { over: [400, 500], as: code }
    request: { url: http://h/ }
  - name: Page {{page}}
    iterate: { range: '1..2', as: page }
    request: { url: http://h/ }
`
  const { suites, tests } = await name(text)
  expect(suites).toEqual(['Orders of ann in eu [1: user=ann]', 'Orders of bob in eu [2: user=bob]'])
  expect(tests.slice(0, 4)).toEqual([
    'Status in eu [code=400]',
    'Status in eu [code=500]',
    'Page 1',
    'Page 2',
  ])
})

test('names of steps show the own variables of the step, which win over all others', async () => {
  const text = `suite_name: Own
variables: { method: POST, password: sesame-1 }
steps:
  - name: '{{method}} {{path}} as {{who}}'
    variables: { method: GET, who: '{{user}}' }
    iterate: { over: [/a, /b], as: path }
    request: { method: '{{method}}', url: 'http://h{{path}}' }
  - name: Log in with {{word}} and {{api_key}}
    variables: { word: open-1, secret: open-1, api_key: k-12345 }
    request: { url: http://h/ }
`
  expect((await name(text)).tests).toEqual([
    'GET /a as {{who}}',
    'GET /b as {{who}}',
    'Log in with [redacted] and [redacted]',
  ])
})

test('names show variables and rows that other variables read, and no secrets from them', async () => {
  const text = `suite_name: Users of {{team}}
variables: { team: '{{region}}-{{user.plan}}', region: eu, api_token: 'tok-{{region}}-1', shown: '{{api_token}}', token: '{{js: 1}}' }
each: [{ user: { plan: free } }, { user: { plan: pro } }]
steps:
  - name: 'In {{team}} with {{user.plan}}, {{shown}} and {{token}}'
    request: { url: http://h/ }
  - name: Page {{page}}
    iterate: { over: ['{{user.plan}}', all], as: page }
    request: { url: http://h/ }
`
  expect((await name(text)).tests).toEqual([
    'In eu-free with free, [redacted] and {{token}}',
    'Page free',
    'Page all',
    'In eu-pro with pro, [redacted] and {{token}}',
    'Page pro',
    'Page all',
  ])
  expect((await name(text)).suites[0]).toMatch(/^Users of eu-free \[1: /)
})

test('a name that an earlier step captures is not filled in, since its value is not known before the run', async () => {
  const text = `suite_name: S
variables: { user: ann }
each: [{ plan: free }]
steps:
  - name: Make {{user}} with {{plan}}
    request: { url: http://h/ }
    capture: { user: body.user, plan: body.plan }
  - name: Find {{user}} with {{plan}}
    request: { url: http://h/ }
`
  expect((await name(text)).tests).toEqual(['Make ann with free', 'Find {{user}} with {{plan}}'])
})

test('names show variables of the options, which give way to all others', async () => {
  const text = `suite_name: '{{tenant}} {{region}}'
variables: { region: eu }
steps:
  - name: As {{user.name}} with {{user.password}} in {{region}}
    request: { url: http://h/ }
  - name: Try {{letter}}
    iterate: { over: '{{letters}}', as: letter }
    request: { url: http://h/ }
`
  const variables = {
    tenant: 'acme',
    region: 'us',
    letters: ['a', 'b'],
    user: { name: 'ann', password: 'sesame-1' },
  }
  expect(await name(text, [], variables)).toEqual({
    suites: ['acme eu'],
    tests: ['As ann with [redacted] in eu', 'Try a', 'Try b'],
  })
})
