import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunOutcome } from './fixtures/processes.ts'
import { createProject, type Project } from './fixtures/project.ts'

const app = `export default () => (request, response) => response.end(JSON.stringify({ now: new Date().toISOString() }))
`
const sessions = `
suite_name: Sessions
clock: 2031-05-06T07:00:00Z
variables: { began: '{{js: new Date()}}' }
steps:
  - name: Now
    request:
      url: '/?soon={{$faker.date.soon}}&stamp={{js: Date.now()}}&began={{began}}&elsewhere={{real.year}}'
    capture: { now: body.now }
    assert:
      custom:
        - { name: condition, condition: 'new Date().toISOString() >= body.now', message: 'not the time of the application' }
  - name: Later
    advance: 1h
    request: { url: '/?stamp={{js: new Date().toISOString()}}&began={{began}}' }
    assert:
      body.now: { contains: '2031-05-06T08:0' }
`
const real = `
suite_name: Real time
node_id: real
exports: [year]
variables: { year: '{{js: new Date().getUTCFullYear()}}' }
steps:
  - name: Now
    request: { url: '/' }
`

test.each(['vm', 'quickjs'])('with the %s engine everything in a suite tells its clock', async (sandbox) => {
  await using project = await createProject(
    { 'app.ts': app, 'sessions.suite.yaml': sessions, 'real.suite.yaml': real },
    { suites: `{ app: './app.ts', sandbox: '${sandbox}', redact: false }` },
  )
  const { code, output } = await project.run('sessions')
  expect(output).toMatch(/Tests {2}2 passed/)
  expect(code).toBe(0)
  const sent = new URL((await project.step('sessions', 'Now')).request_details?.full_url ?? '').searchParams
  expect(sent.get('began')).toMatch(/^2031-05-06T07:00:/)
  expect(sent.get('soon')).toMatch(/^2031-05-0[67]T/)
  expect(Number(sent.get('stamp')) - Date.parse('2031-05-06T07:00:00Z')).toBeLessThan(60_000)
  expect(sent.get('elsewhere')).toBe(String(new Date().getUTCFullYear()))
  const later = new URL((await project.step('sessions', 'Later')).request_details?.full_url ?? '')
    .searchParams
  expect(later.get('stamp')).toMatch(/^2031-05-06T08:0/)
  expect(later.get('began')).toBe(sent.get('began'))
})

describe('when Vitest runs each step again', () => {
  const files: Record<string, string> = { 'app.ts': app }
  const before = Date.now()
  let project: Project
  let outcome: RunOutcome
  beforeAll(async () => {
    project = await createProject(files, { suites: "{ app: './app.ts' }" })
    const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=run.json']
    outcome = await project.run('--repeats=2', ...reporters)
  })
  afterAll(() => project[Symbol.asyncDispose]())

  files['again.suite.yaml'] = `
suite_name: Again
clock: 2031-05-06T07:00:00Z
steps:
  - name: Later
    advance: 1h
    request: { url: '/' }
    assert: { body.now: { contains: '2031-05-06T08:0' } }
`
  test('a step moves the clock once', async () => {
    expect((await project.step('again', 'Later')).error_message).toBeUndefined()
    expect(outcome.code).toBe(0)
  })

  const step = (name: string, over: string): string => `
  - name: ${name}
    advance: 1h
    iterate: { over: ${over}, as: hour }
    request: { url: '/' }
    assert: { body.now: { contains: '2031-05-06T{{hour}}:0' } }`
  files['loops.suite.yaml'] = `
suite_name: Loops
clock: 2031-05-06T09:00:00Z
steps:${step('Known', '[10, 11]')}${step('Made', "'{{js: [12, 13]}}'")}
`
  test('each iteration moves the clock once, whether the list is known before the run or not', async () => {
    expect(outcome.output).toMatch(/loops\.suite\.yaml \(3 tests\)/)
    expect(await project.result('loops')).toMatchObject({ status: 'success', steps_successful: 4 })
  })

  files['skips.suite.yaml'] = `
suite_name: Skips
clock: 2031-05-06T07:00:00Z
steps:
  - { name: Skipped, skip: 1 < 2, advance: 5h, request: { url: / } }
  - name: Some
    skip: hour < 9
    advance: 1h
    iterate: { over: '{{js: [7, 8, 9]}}', as: hour }
    request: { url: / }
    assert: { body.now: { contains: '2031-05-06T08:0' } }
`
  test('a step that is skipped does not move the clock', async () => {
    const { steps_results } = await project.result('skips')
    expect(steps_results.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'skipped', 'success'])
  })

  test('other reporters tell when a suite with a clock really ran', async () => {
    const { testResults } = JSON.parse(await project.read('run.json')) as {
      testResults: { startTime: number; endTime: number }[]
    }
    for (const { startTime, endTime } of testResults)
      expect([startTime >= before, endTime <= Date.now()]).toEqual([true, true])
    expect(testResults).toHaveLength(3)
  })
})

test('a step whose list is missing moves the clock once, as other steps that fail', async () => {
  await using project = await createProject(
    {
      'app.ts': app,
      'lists.suite.yaml': `
suite_name: Lists
clock: 2031-05-06T07:00:00Z
steps:
  - { name: Fails, advance: 1h, iterate: { over: '{{js: 5}}', as: one }, request: { url: / } }
  - { name: Goes on, request: { url: / }, assert: { body.now: { contains: '2031-05-06T08:0' } } }
`,
    },
    { suites: "{ app: './app.ts' }" },
  )
  await project.run('--retry=2')
  expect((await project.step('lists', 'Fails')).error_message).toContain('to be a list, got `5`')
  expect((await project.step('lists', 'Goes on')).error_message).toBeUndefined()
})

test('a suite with a clock runs alone also where it runs within another: by a call, or because a filter leaves it out', async () => {
  const time = `params: { now: '{{js: new Date().toISOString()}}' }`
  await using project = await createProject({
    'past.suite.yaml': `
suite_name: Past
base_url: '{{echo_url}}'
clock: 2001-05-06T07:00:00Z
metadata: { priority: critical }
exports: [now]
steps:
  - { name: Slow, request: { url: /delay/0.3, ${time} }, capture: { now: body.args.now } }
`,
    'caller.suite.yaml': `
suite_name: Caller
base_url: '{{echo_url}}'
steps:
  - { name: Read, request: { url: '/get?at={{past.now}}' } }
  - { name: Call, call: { suite: past }, assert: { body.args.now: { starts_with: '2001' } } }
`,
    'reader.suite.yaml': `
suite_name: Reader
base_url: '{{echo_url}}'
steps:
  - { name: Fetch, request: { url: '/get?at={{past.now}}' } }
`,
    'beside.suite.yaml': `
suite_name: Beside
base_url: '{{echo_url}}'
steps:
  - name: Now
    iterate: { range: '1..10', as: n }
    delay_ms: 40
    request: { url: /get, ${time} }
    assert: { body.args.now: { not: { starts_with: '2001' } } }
`,
  })
  expect((await project.run()).output).toMatch(/Tests {2}14 passed \(14\)/)
  const filtered = await project.run('past', 'reader', 'beside', '-t', 'Fetch|Now')
  expect(filtered.output).toMatch(/Tests {2}11 passed \| 1 skipped/)
})
