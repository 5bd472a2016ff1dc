import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { startHttpServer } from '../../src/request/fixtures/http-server.ts'
import { createProject, type Project } from './fixtures/project.ts'

const echo = await startLoggedEcho()
afterAll(echo.close)

let sent = 0
const counter = await startHttpServer((_request, response) => response.end(String(++sent)))
afterAll(counter.close)

test('a request is repeated until it succeeds; every attempt is in the result', async () => {
  await using project = await createProject(
    {
      'retry.suite.yaml': `
suite_name: Retry
base_url: ${echo.url}
steps:
  - name: Flaky
    retry: { max_attempts: 5, base_delay_ms: 200, backoff: exponential }
    request: { url: /flaky/x?fail=2 }
    assert: { status_code: 200 }
    capture: { attempt: body.attempt }
  - name: Once
    request: { method: POST, url: /anything/once }
    assert: { status_code: 200 }
`,
    },
    { test: "{ reporters: ['default', ['github-actions', { jobSummary: { outputPath: 'summary.md' } }]] }" },
  )
  const { code, output } = await project.run()
  expect(output).toContain('2 passed')
  expect(output).toContain('Flaky  1 passed, but not on the first attempt: retry.suite.yaml:5\n')
  expect(output).toMatch(/✓ Flaky \d+ms \(retry x2\)/)
  expect(await project.read('summary.md')).toContain('passed on retry 2 out of 2')
  expect(code).toBe(0)
  const { attempts, captured_variables, flaky } = await project.step('retry', 'Flaky')
  expect(flaky).toBe(true)
  expect(await project.step('retry', 'Once')).not.toHaveProperty('flaky')
  expect(captured_variables).toEqual({ attempt: 3 })
  expect(attempts).toEqual([
    {
      attempt: 1,
      delay_ms: 0,
      status: 'failure',
      status_code: 503,
      error_message: expect.stringContaining('503'),
      start_time: expect.stringMatching(/Z$/),
      duration_ms: expect.any(Number),
      request_details: expect.objectContaining({ url: '/flaky/x?fail=2', method: 'GET' }),
      response_details: expect.objectContaining({ status_code: 503, raw_response: expect.any(String) }),
    },
    {
      attempt: 2,
      delay_ms: 200,
      status: 'failure',
      status_code: 503,
      error_message: expect.stringContaining('503'),
      start_time: expect.stringMatching(/Z$/),
      duration_ms: expect.any(Number),
      request_details: expect.objectContaining({ url: '/flaky/x?fail=2', method: 'GET' }),
      response_details: expect.objectContaining({ status_code: 503, raw_response: expect.any(String) }),
    },
    {
      attempt: 3,
      delay_ms: 400,
      status: 'success',
      status_code: 200,
      start_time: expect.stringMatching(/Z$/),
      duration_ms: expect.any(Number),
    },
  ])
  const [first, second, third] = echo.requests
    .filter(({ url }) => url.startsWith('/flaky/x'))
    .map(({ at }) => at)
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(195)
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(395)
  expect(echo.count('/anything/once')).toBe(1)
})

describe('a step that is repeated', () => {
  const files: Record<string, string> = {}
  let project: Project
  let output: string
  beforeAll(async () => {
    project = await createProject(files)
    output = (await project.run()).output
  })
  afterAll(() => project[Symbol.asyncDispose]())

  files['down.suite.yaml'] = `
suite_name: Down
steps:
  - name: Ask
    retry: { max_attempts: 2, base_delay_ms: 1 }
    request: { url: 'http://127.0.0.1:9/x' }
    assert: { status_code: 200 }
`
  test('why attempts got no answer is told in short, the advice once', async () => {
    expect(output.replaceAll(/after \d+ ms/g, 'after 1 ms')).toContain(`
GET http://127.0.0.1:9/x
  attempt 1: failed while connecting after 1 ms: connection refused (ECONNREFUSED)
  attempt 2: failed while connecting after 1 ms: connection refused (ECONNREFUSED)
→ no response
`)
    expect(output.match(/Is the server running on port 9\b/g)).toHaveLength(1)
  })

  files['missing.suite.yaml'] = `
suite_name: Missing
base_url: ${echo.url}
on_failure: continue
variables: { order: { id: 5 } }
steps:
  - name: Attempts
    retry: { max_attempts: 5, base_delay_ms: 1, until: "body.attempt === 3 && body.phase !== 'running'" }
    request: { url: '/sequence/attempts?statuses=200' }
    assert: { custom: [{ name: state, condition: "body.state !== 'failed'" }] }
  - name: Waits
    retry: { max_attempts: 2, base_delay_ms: 1, until: body.result === 'x' }
    request: { url: '/sequence/waits?statuses=200' }
  - name: Events
    request: { url: '/ndjson/3?duration=0' }
    stream: { until: "event.data.total !== 'x'" }
  - name: Burst
    burst: { times: 2 }
    request: { url: /get }
    assert: { custom: [{ name: sums, condition: 'String(responses[1].body.total) === String(order.amount)' }] }
  - { name: Skipped, skip: "order.region !== 'eu'", request: { url: /get } }
  - name: Scenario
    request: { url: /get }
    scenarios: [{ condition: "{{js: cookies.sidd !== 'x' && !(headers['X-Count'] > 0)}}", then: { assert: { status_code: 200 } } }]
  - name: Meant
    request: { url: /get }
    assert: { custom: [{ name: next, condition: "!body.next && body?.state !== 'failed' && (headers['x-old'] ?? '') !== '1'" }] }
`
  test('a condition that holds although what it compares is not there is told once, not for each attempt or event', async () => {
    const { steps_results: steps } = await project.result('missing')
    const rule = ', which is not there (if it may be missing, write a default: `(… ?? 0)`).'
    const told = steps.map(({ step_name, status, warnings = [] }) => [
      `${step_name} ${status}`,
      warnings.map(({ message }) => message.replace(rule, '')),
    ])
    expect(told).toEqual([
      [
        'Attempts success',
        [
          'The check `state` passed, but it compares `body.state`',
          "`retry.until: body.attempt === 3 && body.phase !== 'running'` held, but it compares `body.phase`",
        ],
      ],
      ['Waits failure', []],
      [
        'Events success',
        ["`stream.until: event.data.total !== 'x'` held, but it compares `event.data.total`"],
      ],
      ['Burst success', ['The check `sums` passed, but it compares `responses[1].body.total`']],
      ['Skipped skipped', ["`skip: order.region !== 'eu'` compares `order.region`"]],
      [
        'Scenario success',
        ["The condition `{{js: cookies.sidd !== 'x' && !(headers['X-Count'] > 0)}}` compares `cookies.sidd`"],
      ],
      ['Meant success', []],
    ])
  })

  const fast = 'max_attempts: 3, base_delay_ms: 1'
  files['kinds.suite.yaml'] = `
suite_name: Kinds
base_url: ${echo.url}
on_failure: continue
steps:
  - name: Listed status
    retry: { ${fast}, on: [503] }
    request: { url: '/sequence/listed?statuses=503,500,200' }
    assert: { status_code: 500 }
  - name: Condition
    retry: { ${fast}, on: 'status_code >= 500 && limit === 5' }
    iterate: { over: [5, 6], as: limit }
    request: { url: '/sequence/condition{{limit}}?statuses=503,503,200' }
  - name: Until
    retry: { ${fast}, until: body.attempt === 3 }
    request: { url: '/sequence/until?statuses=200' }
  - name: Until never
    retry: { ${fast}, until: body.attempt === 30 }
    request: { url: '/sequence/never?statuses=200' }
    assert: { status_code: 200 }
  - name: No response
    retry: { ${fast} }
    request: { url: 'http://127.0.0.1:1/' }
  - name: Cannot be built
    retry: { max_attempts: 3, base_delay_ms: 60000 }
    request: { url: /anything/never, headers: { x-bad: "a\\nb" } }
  - name: Exhausted
    retry: { ${fast} }
    request: { url: '/sequence/exhausted?statuses=500' }
    assert: { status_code: 200 }
`
  test('what is repeated: statuses, conditions, until something holds; what is not', async () => {
    const tell = async (name: string): Promise<unknown[]> => {
      const results = (await project.result('kinds')).steps_results.filter(
        ({ step_name }) => step_name === name,
      )
      return results.map(({ status, attempts }) => [status, attempts?.length ?? 1])
    }
    // Waiting until something holds does not make a step flaky.
    expect(await project.step('kinds', 'Until')).not.toHaveProperty('flaky')
    expect(await project.step('kinds', 'Listed status')).toHaveProperty('flaky', true)
    expect(await tell('Listed status')).toEqual([['success', 2]])
    expect(await tell('Condition')).toEqual([
      ['success', 3],
      ['success', 1],
    ])
    expect(await tell('Until')).toEqual([['success', 3]])
    expect(await tell('Until never')).toEqual([['failure', 3]])
    expect((await project.step('kinds', 'Until never')).error_message).toBe(
      '`retry.until: body.attempt === 30` did not hold after 3 attempts: `body.attempt` is `3`.',
    )
    expect(await tell('No response')).toEqual([['failure', 3]])
    expect(await tell('Cannot be built')).toEqual([['failure', 1]])
    expect(await tell('Exhausted')).toEqual([['failure', 3]])
  })

  files['after.suite.yaml'] = `
suite_name: After
base_url: ${echo.url}
steps:
  - name: Asked for a second
    retry: { max_attempts: 2, base_delay_ms: 1, max_delay_ms: 5000, on: [200] }
    request: { url: /response-headers?Retry-After=1 }
  - name: Asked for too much
    retry: { max_attempts: 2, base_delay_ms: 1, max_delay_ms: 50, on: [200] }
    request: { url: /response-headers?Retry-After=99999999999999999999 }
  - name: Asked for nonsense
    retry: { max_attempts: 2, base_delay_ms: 1, max_delay_ms: 50, on: [200] }
    request: { url: /response-headers?Retry-After=soon }
`
  test('Retry-After is honoured up to the cap', async () => {
    // Each ends with the status that it retries on.
    const delays = (await project.result('after')).steps_results.map(
      ({ attempts }) => attempts?.at(-1)?.delay_ms,
    )
    expect(delays).toEqual([1000, 50, 1])
  })
})

describe('a test that Vitest retries', () => {
  const files: Record<string, string> = {}
  let project: Project
  let output: string
  beforeAll(async () => {
    project = await createProject(files)
    output = (await project.run('--retry=2')).output
  })
  afterAll(() => project[Symbol.asyncDispose]())

  /** The statuses of the steps of a suite. */
  const list = async (nodeId: string): Promise<string[]> =>
    (await project.result(nodeId)).steps_results.map(({ status }) => status)

  files['again.suite.yaml'] = `
suite_name: Again
base_url: ${echo.url}
on_failure: stop
steps:
  - name: Start
    request: { method: POST, url: /anything/start, body: { n: 1 } }
    capture: { n: body.json.n }
  - name: Flaky
    request: { method: POST, url: '/flaky/{{n}}?fail=2', body: { n: '{{n + 1}}' } }
    assert: { status_code: 200 }
    capture: { n: { path: body.attempt, default: none } }
  - name: After
    request: { url: '/anything/after-{{n}}' }
`
  test('a test that Vitest retries sends its step again from the state it first ran in', async () => {
    const paths = echo.paths().filter((path) => /start|flaky\/1|after-/.test(path))
    expect(paths).toEqual(['/anything/start', '/flaky/1', '/flaky/1', '/flaky/1', '/anything/after-3'])
    const { steps_results: results } = await project.result('again')
    expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
    expect(results.map(({ flaky }) => flaky)).toEqual([undefined, true, undefined])
  })

  files['a.suite.yaml'] = `
suite_name: A
base_url: ${counter.url}
steps:
  - name: Page
    iterate: { range: '1..{{js: 2}}', as: n }
    skip: n === 2
    request: { url: '/{{n}}' }
    assert: { body: { not_equals: '1' } }
  - name: Own retry
    iterate: { range: '1..{{js: 2}}', as: n }
    retry: { max_attempts: 2, base_delay_ms: 1 }
    request: { url: '/own/{{n}}' }
    assert: { body: { not_equals: '3' } }
`
  test('of a test that was retried, an iteration that passed is flaky, not one that was skipped or passed at once', async () => {
    const { steps_results } = await project.result('a')
    expect(steps_results.map(({ status, flaky }) => [status, flaky])).toEqual([
      ['success', true],
      ['skipped', undefined],
      ['success', true],
      ['success', undefined],
    ])
  })

  files['broken.suite.yaml'] = `
suite_name: Again
base_url: ${echo.url}
on_failure: stop
steps:
  - name: Broken
    request: { url: /status/500 }
    assert: { status_code: 200 }
  - name: After
    request: { url: /anything/after }
`
  test('a test that fails on every retry stays failed, and stops the suite', async () => {
    expect(await list('broken')).toEqual(['failure', 'skipped'])
    expect(echo.count('/status/500')).toBe(3)
    expect(echo.count('/anything/after')).toBe(0)
  })

  files['skip.suite.yaml'] = `
suite_name: Skip
skip: '{{js: null.x}}'
steps: [{ name: Undecided, request: { url: 'http://127.0.0.1:1/' } }]
`
  files['loop.suite.yaml'] = `
suite_name: Loop
on_failure: stop
variables: { list: 5 }
steps: [{ name: No list, iterate: { over: '{{list}}', as: one }, request: { url: 'http://127.0.0.1:1/' } }]
`
  test('what fails before a request on every retry stays failed, too: the `skip` of a suite, the list of a loop', async () => {
    expect([await list('skip'), await list('loop')]).toEqual([['failure'], ['failure']])
    expect(output).toContain('Tests  3 failed | 5 passed | 1 skipped (9)')
  })
})

test('`--repeats` sends each step again from the same state, and a failure among them counts', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'again.suite.yaml': `
suite_name: Again
base_url: ${echo.url}
steps:
  - name: Start
    request: { method: POST, url: /anything/start, body: { n: 1 } }
    capture: { n: body.json.n }
  - name: Count
    request: { method: POST, url: '/anything/count-{{n}}', body: { n: '{{n + 1}}' } }
    capture: { n: body.json.n }
  - name: After
    request: { url: '/anything/after-{{n}}' }
  - name: Fails once
    request: { url: '/flaky/once?fail=1' }
    assert: { status_code: 200 }
`,
  })
  const { code, output } = await project.run('--repeats=1')
  expect(output).toContain('1 failed | 3 passed')
  expect(code).toBe(1)
  expect(echo.paths().map((path) => path.replace('/anything/', ''))).toEqual([
    'start',
    'start',
    'count-1',
    'count-1',
    'after-2',
    'after-2',
    '/flaky/once',
    '/flaky/once',
  ])
})

test('Vitest is told of all retries of a repeated test, and of the memory in use', async () => {
  await using project = await createProject({
    'again.suite.yaml': `
suite_name: Again
base_url: '{{echo_url}}'
steps:
  - name: Once
    request: { url: '/sequence/again?statuses=503,200,503,200' }
    assert: { status_code: 200 }
`,
  })
  const { code, output } = await project.run(
    '--repeats=1',
    '--retry=1',
    '--logHeapUsage',
    '--reporter=verbose',
  )
  expect(output).toMatch(/Once .*\(retry x2\) \(repeat x1\) \d+ MB heap used\n/)
  expect(code).toBe(0)
})
