import { expect, test } from 'vitest'
import { startHttpServer } from '../../src/request/fixtures/http-server.ts'
import { createProject } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

const app = `export default async (request) => {
  if (request.url.endsWith('/up'))
    return fetch('http://up.invalid/').then(() => new Response('mocked'), () => new Response('refused'))
  const answer = await fetch('https://pay.example/charges', { method: 'POST', body: await request.text(), headers: { authorization: 'Bearer up5tream-key' } })
  return new Response(await answer.text(), { status: answer.status })
}
`
const suite = `
suite_name: Pay
steps:
  - name: Pay
    request: { method: POST, url: /orders, body: { card: '4242' } }
    mocks:
      - url: https://pay.example/charges
        when: { body: { card: '{{crad}}' } }
        respond: { body: never }
      - url: https://pay.example/charges
        respond: { body: { id: 'ch_{{request.body.cart}}' } }
`

test('with `unresolved: error` it fails the step, and the application gets no answer', async () => {
  await using project = await createProject(
    { 'app.ts': app, 'pay.suite.yaml': suite.replace('crad', 'request.body.crad') },
    { suites: "{ app: './app.ts', unresolved: 'error' }" },
  )
  const { code, output } = await project.run()
  expect(code).toBe(1)
  const meant = 'has no value (did you mean `request.body.card`?).'
  expect(output).toContain(`\`request.body.crad\` ${meant} (pay.suite.yaml:8:32)`)
  expect(output).toContain(`\`request.body.cart\` ${meant} (pay.suite.yaml:11:36)`)
  expect(output).toContain('❯ pay.suite.yaml:7:')
})

test('what hooks and `auth` schemes send is real, what the application sends to the same address is not', async () => {
  await using upstream = await startHttpServer((_, response) => response.end('real'))
  const url = `${upstream.url}/`
  await using project = await createProject(
    {
      'extend.ts': `import { defineExtension } from 'suitecase/extend'
const ask = async () => (await fetch('${url}')).text()
const seen: string[] = []
export default defineExtension({
  auth: { asked: async (request) => void (request.headers['x-asked'] = await ask()) },
  beforeSuite: async () => void seen.push(await ask()),
  beforeEach: async ({ request }) => void (request['headers'] = { 'x-seen': [...seen, await ask()].join() }),
})
`,
      'app.ts': `export default async ({ headers }: Request) => {
  const upstream = await (await fetch('${url}')).text()
  return Response.json({ upstream, seen: headers.get('x-seen'), asked: headers.get('x-asked') })
}
`,
      'a.suite.yaml': `
suite_name: A
mocks: [{ url: '${url}', respond: { body: mocked }, times: 2 }]
defaults: { assert: { body: { upstream: mocked, seen: 'real,real', asked: real } } }
steps:
  - { name: First, request: { url: /, auth: { asked: {} } } }
  - { name: Second, request: { url: /, auth: { asked: {} } } }
`,
    },
    { suites: "{ app: './app.ts', extend: './extend.ts' }" },
  )
  const { code, output } = await project.run()
  expect(output).toContain('2 passed')
  expect(code).toBe(0)
})

/** A mock that is to be called so often, and one call for each of two iterations. */
const loop = (times: number): string => `{
  suite_name: 'Loop',
  mocks: [{ url: 'https://pay.example/charges', respond: { body: { id: 1 } }, times: ${times} }],
  steps: [{
    name: 'Pay',
    iterate: { over: ['a', 'b'], as: 'who' },
    request: { method: 'POST', url: '/orders', body: 'x' },
    assert: { status_code: 200 },
  }],
}`
/** The same for two steps. A step marked `todo` does not count as left out. */
const twice = (times: number): string => `
suite_name: Twice
mocks: [{ url: 'https://pay.example/charges', respond: { file: fixtures/charge.json }, times: ${times} }]
steps:
  - { name: First, request: { method: POST, url: /orders, body: a }, assert: { status_code: 200, body: '{"id": 1}' } }
  - { name: Second, request: { method: POST, url: /refunds, body: b }, assert: { status_code: 200 } }
  - { name: Third, todo: true }
`

const options = { suites: "{ app: './app.ts' }", test: "{ pool: 'threads' }" }
const inOneRun = shareRun(options)

const valueless = inOneRun(() => ({ 'app.ts': app, 'pay.suite.yaml': suite }))

test('a `{{…}}` of a mock that has no value is a warning at its place', async () => {
  const { project, statuses } = await valueless()
  expect(await statuses('pay')).toBe('success')
  expect((await project.step('pay', 'Pay')).warnings).toEqual([
    { message: '`crad` has no value. It stays as written.', line: 8, column: 32 },
    {
      message: '`request.body.cart` has no value (did you mean `request.body.card`?). It stays as written.',
      line: 11,
      column: 36,
    },
  ])
})

const calls = inOneRun(() => ({
  'calls.suite.yaml': `
suite_name: Calls
defaults: { headers: { x-key: k1 } }
steps:
  - name: Right
    request: { method: POST, url: /orders, body: { card: '4242', amount: 5 } }
    mocks: [{ url: https://pay.example/charges, respond: { body: { id: ch_1 } } }]
    assert:
      mock_calls: { length: 1 }
      mock_calls[0]: { method: POST, status_code: 200, answered: { id: ch_1 } }
      mock_calls[0].sent: { card: { pattern: '^[0-9]+$' }, amount: '{{request.body.amount}}', other: { exists: false } }
      mock_calls[0].headers.host: pay.example
      custom: [{ condition: 'mock_calls.every((call) => call.sent.amount > 4)' }]
    capture: { card: 'mock_calls[0].sent.card' }
  - name: Wrong
    request: { method: POST, url: /orders, body: { amount: 5 } }
    mocks: [{ url: https://pay.example/charges, respond: { body: { id: ch_1 } } }]
    assert: { mock_calls: { length: 2 }, 'mock_calls[0].sent.amount': 6, 'mock_calls[0].sent.card': '{{card}}' }
`,
  'bare.suite.yaml': `
suite_name: Bare
steps:
  - name: Without mocks
    request: { method: PUT, url: /nothing }
    assert: { mock_calls: { length: 0 } }
`,
  'calls.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({
  suite_name: 'Typed calls',
  node_id: 'typed-calls',
  steps: [{
    name: 'Typed',
    request: { method: 'POST', url: '/orders', body: { amount: 7 } },
    mocks: [{ url: 'https://pay.example/charges', respond: { body: { id: 'ch_1' } } }],
    assert: { custom: [{ condition: ({ mock_calls = [] }) => mock_calls[0]?.sent?.amount === 7 }] },
  }],
})
`,
}))

test('what the application sent to mocked services can be checked and captured', async () => {
  const { project, statuses } = await calls()
  expect(await statuses('calls')).toBe('success failure')
  expect((await project.step('calls', 'Right')).captured_variables).toEqual({ card: '4242' })
  const { error_message, mock_calls } = await project.step('calls', 'Wrong')
  expect(error_message?.split('\n')).toEqual([
    expect.stringContaining(
      'Expected `mock_calls` to have a length of 2, got 1: `[{"method":"POST","url":"https://pay.example/charges","outcome":"mocked","mock":"calls.suite.yaml:17","sent":{"amount":',
    ),
    'Expected `mock_calls[0].sent.amount` to equal `6` (number), got `5` (number)',
    'nothing at `mock_calls[0].sent.card`; `mock_calls[0].sent` has: amount',
  ])
  expect(mock_calls?.[0]?.headers).toMatchObject({ authorization: 'Bearer [redacted]' })
  expect((await project.step('bare', 'Without mocks')).error_message).toContain(
    'there are no mocks, so calls of the application are not listed',
  )
  expect((await project.step('typed-calls', 'Typed')).status).toBe('success')
})

const typed = (suites: string): string =>
  `import { defineSuite } from 'suitecase'\nimport { describe } from 'vitest'\n${suites}\n`

test('suite mocks may be called less often than `times` where a filter left steps or iterations out', async () => {
  await using project = await createProject(
    {
      'app.ts': app,
      'fixtures/charge.json': '{"id": 1}',
      'part-steps.suite.yaml': twice(2),
      'part-loop.suite.yaml': loop(2),
      'part-typed.test.ts': typed(`defineSuite(${loop(2)})`),
    },
    options,
  )
  const { code, output } = await project.run('-t', 'First|who=b')
  expect(output).toContain('3 passed | 4 skipped (7)')
  expect(code).toBe(0)
})

const whole = inOneRun(() => ({
  'fixtures/charge.json': '{"id": 1}',
  'whole-steps.suite.yaml': twice(3),
  'whole-loop.suite.yaml': loop(3),
  'whole-beside.test.ts': typed(`describe.concurrent('Both', () => defineSuite(${loop(2)}))
describe('Alone', { concurrent: false }, () => defineSuite(${loop(2)}))`),
}))

test('where no filter left anything out, suite mocks must be called as often as `times` says, by their own suite', async () => {
  const { code, output, project } = await whole()
  expect(code).toBe(1)
  const missing = 'to be called 3 times, got 2 times'
  expect((await project.result('whole-loop')).error_message).toContain(missing)
  expect((await project.result('whole-steps')).error_message).toContain(missing)
  const { failures } = JSON.parse(await project.report('failures.json')) as { failures: object[] }
  expect(failures).toContainEqual(
    expect.objectContaining({
      line: 3,
      message: expect.stringMatching(/^whole-steps\.suite\.yaml:3:\d+: Expected the mock/),
    }),
  )
  expect(output).toContain('the tests in "Both" run at the same time as those around it')
  expect(output).toContain('beside.test.ts (4 tests | 2 failed)')
})

const elsewhere = inOneRun(() => ({
  'elsewhere.suite.yaml': `
suite_name: Elsewhere
metadata: { priority: critical }
base_url: '{{echo_url}}'
mocks: [{ url: 'http://up.invalid/', respond: {} }]
steps:
  - { name: Slow, request: { url: /delay/1 }, assert: { status_code: 200 } }
`,
  'here.suite.yaml': `
suite_name: Here
metadata: { priority: high }
steps:
  - { name: Ask, delay_ms: 300, request: { url: /up }, assert: { body: refused } }
`,
}))

test('mocks of a suite that does not use the application answer nothing for one that does', async () => {
  const { output, statuses } = await elsewhere()
  for (const nodeId of ['elsewhere', 'here']) expect(await statuses(nodeId)).toBe('success')
  expect(output).toContain('These mocks answer nothing')
})

/** Sends a webhook when the next request comes, by `fetch` or `node:http`. First it requests its own address, which is always allowed. */
const lateApp = (hook: string): string => `
import http from 'node:http'
const hook = '${hook}'
let waiting = []
export default http.createServer(async (request, response) => {
  const { searchParams } = new URL(request.url, 'http://x')
  const own = 'http://' + request.headers.host
  const send = searchParams.get('send')
  if (!send) waiting.splice(0).forEach((release) => release())
  else void new Promise((resolve) => waiting.push(resolve)).then(async () => {
    try {
      await fetch(own + '/own')
      if (send === 'fetch') await fetch(hook + '/fetch', { method: 'POST', body: '{}' })
      else await new Promise((resolve, reject) => http.get(hook + '/http', resolve).on('error', reject))
      console.log('late ' + send + ' went through')
    } catch (error) {
      console.log('late ' + send + ': ' + (error.cause ?? error).code)
    }
  })
  response.end('ok')
})
`

test.each(['mocked', 'unmocked'])(
  'a call that comes when its suite has ended and one that is %s runs is refused and told, and counts for no other suite',
  async (next) => {
    const called: string[] = []
    await using upstream = await startHttpServer((request, response) => {
      called.push(String(request.url))
      response.end()
    })
    const hook = upstream.url
    const order = `  - { name: Fetch, request: { url: '/?send=fetch' }, assert: { status_code: 200 } }
  - { name: Http, request: { url: '/?send=http' }, assert: { status_code: 200 } }`
    const wait = `  - { name: Next, request: { url: / }, assert: { status_code: 200 } }
  - { name: Later, delay_ms: 150, request: { url: / }, assert: { status_code: 200 } }`
    await using project = await createProject(
      {
        'app.ts': lateApp(hook),
        'a.suite.yaml': `
suite_name: Order
metadata: { priority: critical }
mocks: [{ url: '${hook}/*', respond: { status: 204 } }]
steps:
${order}
`,
        'b.suite.yaml': `
suite_name: Next
metadata: { priority: high }
mocks: [${next === 'mocked' ? `{ url: '${hook}/*', respond: { status: 204 }, times: 0 }` : ''}]
steps:
${wait}
`,
        'c.suite.yaml': `
suite_name: Unmocked
steps:
${order}
${wait}
`,
      },
      { suites: "{ app: './app.ts' }" },
    )
    const { code, output } = await project.run()
    expect(output).toContain('8 passed')
    expect(code).toBe(0)
    expect(output).toContain('late fetch: ECONNREFUSED')
    expect(output).toContain('late http: ECONNREFUSED')
    const told = `suitecase: The application called ${hook} for the suite \`Order\` after that suite had ended, so the call was refused.`
    expect(output.split(told)).toHaveLength(3)
    // Suites without mocks go to the network, even after one that has them.
    expect(called.toSorted()).toEqual(['/fetch', '/http'])
    expect(output).toContain('late fetch went through')
    expect(output).toContain('late http went through')
  },
)

test('mocks of a suite need fewer calls if its steps were skipped, but not if one is still to be written, and see late calls', async () => {
  const suite = (name: string, key: string, steps: string): string => `
suite_name: ${name}
mocks: [{ url: 'https://up.example/*', respond: { body: up }, times: 1 }]
${key}
steps:
${steps}  - { name: Other, request: { url: / } }
`
  await using project = await createProject(
    {
      'app.ts': `export default (request, response) => {
  if (request.url === '/late') setTimeout(() => {
    for (const url of ['https://up.example/', 'http://127.0.0.1:2/']) fetch(url).catch(() => {})
  }, 30)
  response.end()
}`,
      'late.suite.yaml': suite('Late', '', '  - { name: Ask, request: { url: /late } }\n')
        .replace('times: 1', 'times: 0')
        .replace('  - { name: Other, request: { url: / } }\n', ''),
      'whole.suite.yaml': suite('Whole', 'skip: 1 < 2', ''),
      'step.suite.yaml': suite('Step', '', '  - { name: Pay, skip: 1 < 2, request: { url: / } }\n'),
      'todo.suite.yaml': suite('Todo', '', '  - { name: Pay, todo: true }\n'),
    },
    { suites: "{ app: './app.ts', onUnhandled: 'warn' }" },
  )
  await project.run()
  expect(await project.result('whole')).toMatchObject({ status: 'skipped' })
  expect(await project.result('step')).toMatchObject({ status: 'success' })
  expect((await project.result('todo')).error_message).toBe(
    'todo.suite.yaml:3:9: Expected the mock of `https://up.example/*` to be called 1 time, got 0 times',
  )
  expect((await project.result('late')).error_message).toContain(
    '`https://up.example/*` not to be called, but',
  )
})

test('with `onUnhandled: error`, suites that run for others reach no network either, nor does an application first started for them', async () => {
  const called: string[] = []
  await using upstream = await startHttpServer((request, response) => {
    called.push(String(request.url))
    response.end()
  })
  const part = `
suite_name: Part
exports: [answer]
steps:
  - { name: Ask, request: { url: / }, capture: { answer: status_code } }
`
  await using project = await createProject(
    {
      'app.ts': `import http from 'node:http'
export default async () => {
  const server = http.createServer((_, response) =>
    fetch('${upstream.url}/').catch(() => {}).then(() => response.end()))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: 'http://127.0.0.1:' + server.address().port, close: () => server.close() }
}
`,
      'part.suite.yaml': part,
      'caller.suite.yaml': `
suite_name: Caller
metadata: { priority: critical }
base_url: '{{echo_url}}'
mocks: [{ url: 'https://up.example/', respond: {} }]
steps:
  - { name: Call, call: { suite: part } }
`,
      'reader.suite.yaml': `
suite_name: Reader
steps:
  - { name: Read, request: { url: '/{{part.answer}}' } }
`,
    },
    { suites: "{ app: './app.ts', onUnhandled: 'error' }" },
  )
  await project.run('caller', 'reader')
  expect(called).toEqual([])
  const refused = `\`GET ${upstream.url}/\` and no mock answered it`
  expect((await project.step('caller', 'Call')).error_message).toContain(refused)
  expect((await project.result('reader')).error_message).toContain(refused)
})
