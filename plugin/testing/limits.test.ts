import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHttpServer } from '../../src/request/fixtures/http-server.ts'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import type { RunOutcome } from './fixtures/processes.ts'
import { createProject, type Project } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

const echo = await startLoggedEcho()
afterAll(echo.close)

describe('with a limit for suites', () => {
  const files: Record<string, string> = {}
  const limit =
    'the suite took longer than 1000 ms. Raise the option `limits.suite`, or split the suite in two.'
  let project: Project
  let outcome: RunOutcome
  beforeAll(async () => {
    project = await createProject(files, { suites: '{ limits: { suite: 1000 } }' })
    outcome = await project.run('run/')
  })
  afterAll(() => project[Symbol.asyncDispose]())

  files['run/long.suite.yaml'] = `
suite_name: Long
base_url: ${echo.url}
steps:
  - name: Repeats
    retry: { max_attempts: 1000, base_delay_ms: 300, backoff: fixed }
    request: { url: /status/503 }
    assert: { status_code: 200 }
  - name: After
    request: { url: /anything/after }
teardown:
  - name: Clean up
    request: { url: /anything/cleanup }
`
  test('a suite that takes too long fails in the step it is in, skips the rest and runs its teardown', async () => {
    expect(outcome.code).toBe(1)
    expect((await project.step('long', 'Repeats')).error_message).toContain(`The step was stopped: ${limit}`)
    expect((await project.step('long', 'After')).skip_reason).toContain(limit)
    expect((await project.step('long', 'Clean up')).status).toBe('success')
    expect(echo.count('/anything/after')).toBe(0)
  })

  files['run/slow.suite.yaml'] = `
suite_name: Slow
base_url: ${echo.url}
exports: [x]
steps:
  - name: Hangs
    request: { url: /delay/9 }
    capture: { x: body.url }
teardown:
  - name: Slow end
    request: { url: /delay/6 }
`
  files['run/waits.suite.yaml'] = `
suite_name: Waits
base_url: ${echo.url}
steps:
  - name: Wait
    request: { url: '/anything/{{slow.x}}' }
`
  test('waiting for a suite that does not end is bounded', async () => {
    expect((await project.step('slow', 'Hangs')).error_message).toContain(limit)
    expect((await project.step('waits', 'Wait')).skip_reason).toBe(
      'needs `slow.x`, which step “Hangs” (run/slow.suite.yaml:6) did not provide',
    )
  })

  const call = (name: string): string => `{ name: 'Call', call: { suite: '${name}' } }`
  const called = (name: string, wait: number): string => `
suite_name: ${name}
base_url: ${echo.url}
steps: [{ name: One, request: { url: /delay/${wait} } }]
teardown: [{ name: Slow, request: { url: /delay/1.5 } }, { name: Last, request: { url: /anything/${name} } }]
`
  const waits = `{ name: 'First', request: { url: '${echo.url}/delay/0.3' } }`
  Object.assign(files, {
    'ends.suite.yaml': called('ends', 0),
    'hangs.suite.yaml': called('hangs', 5),
    'run/yaml-ends.suite.yaml': `suite_name: A\nsteps: [${waits}, ${call('ends')}]\n`,
    'run/yaml-hangs.suite.yaml': `suite_name: B\nsteps: [${waits}, ${call('hangs')}]\n`,
    'run/typed.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: 'C', steps: [${call('ends')}] })\n`,
  })
  test('it gives the teardown of a suite that is called some seconds, and fails the call', async () => {
    for (const nodeId of ['yaml-ends', 'yaml-hangs', 'typed'])
      expect((await project.step(nodeId, 'Call')).error_message).toContain(limit)
    expect(outcome.output).not.toMatch(/“Slow”|“Last”|interrupt/)
    const paths = echo.paths().filter((path) => /ends|hangs/.test(path))
    expect(paths.sort()).toEqual(['/anything/ends', '/anything/ends', '/anything/hangs'])
  })
})

test('a suite whose time is up while a step passes fails in the next one: what did not run cannot pass', async () => {
  // Each step waits 100 ms after its response for a call that must not come.
  const step = (more: string): string =>
    `  - { name: Page, ${more}, request: { url: '/{{n}}' }, mocks: [{ url: 'http://127.0.0.1:1/', times: 0 }] }\n`
  const suite = (name: string, steps: string): string => `suite_name: ${name}\nsteps:\n${steps}`
  await using project = await createProject(
    {
      'app.ts': 'export default (_, response) => response.end()',
      'list.suite.yaml': suite('List', step('iterate: { range: 1..20, as: n }')),
      'late.suite.yaml': suite('Late', step("iterate: { range: '1..{{js: 20}}', as: n }")),
      'caller.suite.yaml': suite('Caller', '  - { name: Calls, call: { suite: called } }\n'),
      'called.suite.yaml': suite('Called', step('variables: { n: 1 }').repeat(20)),
    },
    { suites: "{ app: './app.ts', limits: { suite: 500 } }" },
  )
  const { code } = await project.run()
  const limit =
    'the suite took longer than 500 ms. Raise the option `limits.suite`, or split the suite in two.'
  for (const nodeId of ['list', 'late', 'called']) {
    const { steps_results } = await project.result(nodeId)
    const statuses = steps_results.map(({ status }) => status).join(' ')
    expect(statuses).toMatch(/^(?:success )+failure(?: skipped)+$/)
    const [failed, ...rest] = steps_results.filter(({ status }) => status !== 'success')
    expect(failed?.error_message).toBe(`The step was stopped: ${limit}`)
    expect(rest.every(({ skip_reason }) => skip_reason?.endsWith(limit))).toBe(true)
  }
  expect((await project.step('caller', 'Calls')).error_message?.split(limit)).toHaveLength(3)
  expect(code).toBe(1)
})

test('a worker that dies fails the steps it ran; suites that had not started run in a new one', async () => {
  await using project = await createProject(
    {
      'app.ts': `export default () => (request, response) => {
  if (request.url === '/exit') process.reallyExit(3)
  while (request.url === '/block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  response.end('{}')
}
`,
      'a.suite.yaml': `
suite_name: Gives
node_id: gives
base_url: ${echo.url}
exports: [x]
steps:
  - name: Give
    request: { url: /anything/given }
    capture: { x: body.url }
`,
      'b.suite.yaml': `
suite_name: Dies
node_id: dies
depends: [gives]
exports: [y]
steps:
  - name: Before
    request: { url: / }
  - name: Kill
    request: { url: /exit }
    capture: { y: body.url }
  - name: After
    request: { url: / }
`,
      'c.suite.yaml': `
suite_name: Waits
node_id: waits
base_url: ${echo.url}
steps:
  - name: Independent
    request: { url: '/anything/{{gives.x}}' }
    assert: { body.url: { contains: given } }
  - name: Wait
    request: { url: '/anything/{{dies.y}}' }
`,
      'd.suite.yaml': `
suite_name: Blocks
node_id: blocks
depends: [waits]
steps:
  - name: Block
    request: { url: /block }
`,
    },
    { suites: "{ app: './app.ts', limits: { blocked: 1500 } }" },
  )
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).not.toContain('Unhandled')
  expect(output).toMatch(/Tests {2}2 failed \| 3 passed \| 2 skipped \(7\)/)
  const results = await Promise.all(['dies', 'waits', 'blocks'].map((id) => project.result(id)))
  expect(
    results.map(({ steps_results }) =>
      steps_results.map(({ step_name, status }) => `${step_name}: ${status}`),
    ),
  ).toEqual([
    ['Before: success', 'Kill: failure', 'After: not_run'],
    ['Independent: success', 'Wait: skipped'],
    ['Block: failure'],
  ])
  expect((await project.step('dies', 'Kill')).error_message).toContain('exit code 3')
  expect((await project.step('waits', 'Wait')).skip_reason).toBe(
    'needs `dies.y`, which the suite `dies` (its worker ended before the suite did) did not provide',
  )
  expect((await project.step('blocks', 'Block')).error_message).toContain('was blocked for 1500 ms')
})

test('a suite whose tests Vitest did not know yet when the worker ended runs in the next one', async () => {
  const app = `import { parentPort } from 'node:worker_threads'
const post = parentPort.postMessage.bind(parentPort)
parentPort.postMessage = (message, ...more) => {
  post(message, ...more)
  while (message.m === 'onQueued') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
}
export default (request, response) => response.end('{}')
`
  const suite = (name: string): string =>
    `suite_name: ${name}\nsteps:\n  - name: One\n    request: { url: / }\n    assert: { status_code: 200 }\n`
  await using project = await createProject(
    { 'app.ts': app, 'a.suite.yaml': suite('A'), 'b.suite.yaml': suite('B') },
    { suites: "{ app: './app.ts', concurrency: 1, limits: { blocked: 2000 } }" },
  )
  const { output } = await project.run()
  expect(output).toContain('b.suite.yaml (1 test)')
  expect((await project.result('b')).status).toBe('success')
})

test.each([
  { args: [], env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } },
  { args: ['--inspect=127.0.0.1:0', '--no-file-parallelism'], env: {} },
  // What a debugger does that is attached while the suites run.
  { args: [], env: { NODE_OPTIONS: '--inspect-port=127.0.0.1:0', ATTACH: 'SIGUSR1' } },
])('under a debugger the worker may stand still as long as it wants: %j', async ({ args, env }) => {
  await using project = await createProject(
    {
      'app.ts': `export default async (request: Request) => {
  if (process.env.ATTACH) process.kill(process.pid, process.env.ATTACH)
  if (process.env.ATTACH) await new Promise((resolve) => setTimeout(resolve, 2000))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500)
  return Response.json({})
}
`,
      'a.suite.yaml': 'suite_name: A\nsteps:\n  - { name: One, request: { url: / } }\n',
    },
    { suites: "{ app: './app.ts', limits: { blocked: 500 } }", env },
  )
  const { code, output } = await project.run(...args)
  expect(output).toContain('1 passed (1)')
  expect(code).toBe(0)
})

const limited = shareRun({
  suites:
    '{ variables: { list: Array.from({ length: 4000 }, (_, index) => index) }, limits: { expression: 50, each: 1, body: 200_000, reportBody: 1000 } }',
})

const slow = limited((url) => ({
  'slow.suite.yaml': `
suite_name: Slow
base_url: ${url}
steps:
  - name: Path
    request: { method: POST, url: /anything, body: '{{list}}', headers: { content-type: application/json } }
    capture: { never: 'body.json[?contains($.body.json, @ + \`0.5\`)]' }
  - name: Each
    request: { method: POST, url: /anything, body: '{{list}}', headers: { content-type: application/json } }
    assert: { body: { json: { each: { greater_than: -1 } } } }
  - name: Faker
    request: { url: '/anything/{{$faker.lorem.words(1000000000)}}' }
  - name: Loop
    request: { url: '/anything/{{js: (() => { for (;;); })()}}' }
  - name: Memory
    request: { url: '/anything', headers: { x: "{{js: 'x'.repeat(2 ** 28).split('').length}}" } }
  - name: Body
    request: { method: POST, url: /post, headers: { content-type: text/plain }, body: "{{js: 'y'.repeat(250000)}}" }
  - name: After
    request: { url: '/anything/{{js: (() => 1)()}}' }
    assert: { body: { url: { pattern: '/anything/1$' } } }
`,
}))

test('the limits of paths, `each`, generated data and answers are options, which the failures name', async () => {
  const { code, project } = await slow()
  expect(code).toBe(1)
  expect((await project.step('slow', 'Path')).error_message).toContain('50 ms (option `limits.expression`)')
  expect((await project.step('slow', 'Each')).error_message).toContain('1 ms (option `limits.each`)')
  expect((await project.step('slow', 'Faker')).error_message).toContain('50 ms (option `limits.expression`)')
  expect((await project.step('slow', 'Loop')).error_message).toContain('50 ms (option `limits.expression`)')
  expect((await project.step('slow', 'Memory')).error_message).toMatch(
    /option `limits\.(?:expression|memory)`/,
  )
  expect((await project.step('slow', 'Body')).error_message).toContain('The option `limits.body` raises')
  expect((await project.step('slow', 'After')).status).toBe('success')
})

test('above the limit for all bodies together a suite waits until the step that came first is over', async () => {
  await using server = await startHttpServer((request, response) => {
    response.write('x')
    setTimeout(() => response.end('x'), request.url === '/slow' ? 1500 : 0)
  })
  const suite = (name: string, step: string): string =>
    `suite_name: ${name}\nbase_url: ${server.url}\nsteps:\n  - { name: Get, ${step}, assert: { body: xx } }\n`
  await using project = await createProject(
    {
      'a.suite.yaml': suite('A', 'request: { url: /slow }'),
      'b.suite.yaml': suite('B', 'delay_ms: 500, request: { url: /quick, timeout: 300 }'),
    },
    { suites: '{ limits: { bodies: 1 } }' },
  )
  const { code, output } = await project.run()
  expect(output).toContain('2 passed (2)')
  expect(code).toBe(0)
  expect((await project.step('b', 'Get')).timings?.blocked).toBeGreaterThan(300)
})

/** A suite that posts 150,000 bytes. */
const posts = (url: string): Record<string, string> => ({
  'posts.suite.yaml': `suite_name: A\nbase_url: ${url}\nsteps:\n  - { name: Post, request: { method: POST, url: /post, headers: { content-type: text/plain }, body: "{{js: 'y'.repeat(150000)}}" } }\n`,
})
const large = shareRun({ suites: '{ limits: { reportBody: 400_000 } }' })

test.each([
  { limit: 1000, run: limited(posts), kept: 'cut', command: false },
  { limit: 400_000, run: large(posts), kept: 'whole', command: true },
])('reports keep $limit bytes of a body, in all of its forms', async ({ run, kept, command }) => {
  const { project } = await run()
  const { request_details: request, response_details: response } = await project.step('posts', 'Post')
  const texts = [request?.raw_request, request?.body, response?.raw_response]
  expect(texts.map((text) => (JSON.stringify(text).includes('[cut: ') ? 'cut' : 'whole'))).toEqual([
    kept,
    kept,
    kept,
  ])
  expect(request?.curl_command?.includes('yyy')).toBe(command)
})

test('what a step was answered is let go of when it has been judged: memory does not grow with the steps', async () => {
  const text = JSON.stringify({ data: 'x'.repeat(5_000_000), list: [1] })
  await using server = await startHttpServer(
    (_request, response) => void response.setHeader('content-type', 'application/json').end(text),
  )
  const step =
    "  - { name: Large, request: { url: / }, assert: { 'body.list[0]': 1 }, capture: { last: body.list } }\n"
  const suite = (name: string, steps: number): string =>
    `suite_name: ${name}\nbase_url: ${server.url}\nsteps:\n${step.repeat(steps)}`
  // Nor do the idle connections of suites keep anything of the step that opened them.
  const names = Array.from({ length: 10 }, (_, index) => `S${index}`)
  await using project = await createProject(
    {
      'a.suite.yaml': suite('A', 10),
      ...Object.fromEntries(names.map((name) => [`${name}.suite.yaml`, suite(name, 1)])),
    },
    { env: { NODE_OPTIONS: '--max-old-space-size=60' } },
  )
  const { code, output } = await project.run()
  expect(output).toContain('20 passed (20)')
  expect(code).toBe(0)
})
