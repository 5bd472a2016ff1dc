import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

/** Runs the suites that call others. */
const inOneRun = shareRun({}, 'caller')
const retried = shareRun({}, 'caller', '--retry=1')

const login = (url: string, nodeId = 'login'): string => `
suite_name: Login
node_id: ${nodeId}
base_url: ${url}
variables: { user: nobody }
steps:
  - name: Get a key
    request: { method: POST, url: /anything/key, body: { key: k } }
    capture: { key: body.json.key }
  - step_id: log-in
    name: Log in
    request: { method: POST, url: /anything/login, body: { ticket: '{{user}}-{{key}}', user: '{{user}}' } }
    assert: { body.json.user: { not_equals: mallory } }
    capture: { ticket: body.json.ticket }
  - name: Unrelated
    request: { url: /anything/unrelated }
teardown:
  - name: Log out
    request: { url: '/anything/logout-{{user}}' }
`

const caller = (url: string, steps: string): string => `
suite_name: Caller
base_url: ${url}
on_failure: continue
steps:
${steps}`

const lastAnswers = inOneRun(() => {
  const call = (name: string, variables: string): string => `
  - name: ${name}
    call: { suite: parts, variables: ${variables} }
    assert: { status_code: 200, body.method: GET }
    capture: { path: body.url }`
  return {
    'parts.suite.yaml': `suite_name: Parts
base_url: '{{echo_url}}'
variables: { first: 200, last: /anything/last, after: 200 }
steps:
  - name: First
    request: { url: '/status/{{first}}' }
    assert: { status_code: 200 }
  - name: Last
    request: { url: '{{last}}', timeout: 200ms }
    assert: { status_code: 200 }
teardown:
  - name: After
    request: { url: '/status/{{after}}' }
    assert: { status_code: 200 }
`,
    'parts-caller.suite.yaml': `suite_name: Caller
on_failure: continue
steps:${call('The first fails', '{ first: 500 }')}${call('The teardown fails', '{ after: 500 }')}${call('No answer', '{ last: /delay/5 }')}
`,
  }
})

test('checks of a call look at the last answer of what was called, whichever step has failed', async () => {
  const { project } = await lastAnswers()
  const { steps_results: steps } = await project.result('parts-caller')
  expect(steps.map(({ error_message }) => error_message)).toEqual([
    'parts.suite.yaml:7:28 “First”: Expected `status_code` to be 200, got 500',
    'parts.suite.yaml:14:28 “After”: Expected `status_code` to be 200, got 500',
    expect.stringContaining('“Last”: GET http://'),
  ])
  expect(steps.map(({ captured_variables }) => 'path' in captured_variables)).toEqual([true, true, false])
  expect(steps.map(({ response_details }) => response_details?.status_code)).toEqual([500, 500, undefined])
})

test('what callers pass counts as known with `unresolved: error`, also for suites that only run where they are called', async () => {
  await using project = await createProject(
    {
      'parts/leaf.yaml': `
suite_name: Leaf
base_url: '{{echo_url}}'
steps:
  - name: Log in
    request: { url: '/anything/{{who}}' }
`,
      'parts/middle.yaml':
        'suite_name: Middle\nsteps: [{ name: Call, call: { suite: ./leaf.yaml, variables: { who: ada } } }]\n',
      'top.suite.yaml':
        "suite_name: Top\nsteps:\n  - { name: Call, call: { suite: ./parts/middle.yaml }, assert: { body.url: { contains: '/anything/ada' } } }\n",
      'typed.test.ts': `import { defineSuite } from 'suitecase'
const call = (name, variables) => ({ name, call: { suite: './parts/leaf.yaml', variables } })
defineSuite({ suite_name: 'Typed', steps: [call('Passes', { who: 'eve' }), call('Misspelt', { whom: 'eve' })] })
`,
    },
    { suites: "{ unresolved: 'error' }" },
  )
  const { output } = await project.run()
  expect(output).toContain('1 failed | 2 passed')
  expect(output.match(/^AssertionError: .*/gm)).toEqual([
    'AssertionError: parts/leaf.yaml:6:32 “Log in”: `who` has no value (did you mean `whom`?).',
  ])
})

const warning = inOneRun(() => ({
  'deep.suite.yaml': `
suite_name: Deep
base_url: '{{echo_url}}'
steps:
  - name: Asks
    request: { url: '/anything?x={{nobody}}' }
`,
  'middle.suite.yaml': 'suite_name: Middle\nsteps: [{ name: Call, call: { suite: deep } }]\n',
  'top-caller.suite.yaml': 'suite_name: Top\nsteps:\n  - { name: Call, call: { suite: middle } }\n',
}))

test('a warning of a called step names its place', async () => {
  const { output } = await warning()
  expect(output).toContain(
    'top-caller.suite.yaml:3:13 warning: middle.suite.yaml:2:17: deep.suite.yaml:6:34: `nobody` has no value. It stays as written.',
  )
})

const iterations = inOneRun(() => ({
  'loops.suite.yaml': `
suite_name: Called
base_url: '{{echo_url}}'
variables: { user: { role: admin } }
steps:
  - name: Status
    iterate: { over: [200, 500, 404], as: status }
    request: { url: '/status/{{status}}' }
    assert: { status_code: 200 }
  - { name: Not for guests, skip: user.rol !== 'guest', request: { url: /anything } }
`,
  'loops-caller.suite.yaml': `
suite_name: Caller
steps:
  - { name: Loops, call: { suite: loops, step: Status } }
  - { name: Skips, call: { suite: loops, step: Not for guests } }
`,
}))

test('a failure in one of several iterations that were called says in which; a warning of a skipped step stays', async () => {
  const { project, output } = await iterations()
  for (const [iteration, status] of [
    [2, 500],
    [3, 404],
  ])
    expect(output).toContain(
      `AssertionError: loops.suite.yaml:9:28 “Status”: Iteration ${iteration} (status = ${status}): Expected \`status_code\` to be 200, got ${status}`,
    )
  expect((await project.step('loops-caller', 'Skips')).warnings).toEqual([
    {
      message:
        "loops.suite.yaml:10:35: `skip: user.rol !== 'guest'` reads `user.rol`, which is not there (did you mean `role`?).",
      line: 5,
      column: 13,
    },
  ])
})

const inputs = inOneRun((url) => ({
  'sub/login.suite.yaml': login(url),
  'login-caller.suite.yaml': caller(
    url,
    `  - name: All
    call: { suite: login, variables: { user: ann } }
    assert: { status_code: 200 }
    capture: { path: body.url }
  - name: Use all
    request: { url: '/anything/use-{{login.ticket}}' }
  - name: One step
    call: { suite: ./sub/login.suite.yaml, step: log-in, variables: { user: bob } }
    assert: { body.json.user: bob }
  - name: Use step
    request: { url: '/anything/use-{{login.ticket}}' }
`,
  ),
}))

test('a call of a suite or of a step takes inputs and gives captures back', async () => {
  const { project, echo, statuses } = await inputs()
  expect(await statuses('login-caller')).toBe('success success success success')
  expect(echo.sent()).toBe('key login unrelated logout-ann use-ann-k key login logout-bob use-bob-k')
  const all = await project.step('login-caller', 'All')
  expect(all.captured_variables).toEqual({
    'login.key': 'k',
    'login.ticket': 'ann-k',
    path: expect.stringContaining('/anything/unrelated'),
  })
  expect(all.assertions_results.map(({ field, passed }) => [field, passed])).toEqual([
    ['body.json.user.not_equals', true],
    ['status_code', true],
  ])
  expect((await project.step('login-caller', 'Use all')).available_variables).toMatchObject({
    'login.ticket': 'ann-k',
  })
})

const failures = inOneRun((url) => {
  const dependent = (suite: string): string =>
    caller(
      url,
      `  - name: Fails
    call: { suite: ${suite}, step: log-in, variables: { user: mallory, key: given } }
  - name: Needs it
    request: { url: '/anything/needs-{{entry.ticket}}' }
`,
    ).replace('on_failure: continue\n', '')
  return {
    'entry.suite.yaml': login(url, 'entry'),
    'entry-caller.suite.yaml': caller(
      url,
      `  - name: Skipped
    skip: true
    call: { suite: entry, variables: { user: never } }
  - name: Fails
    retry: { max_attempts: 2, base_delay_ms: 1 }
    call: { suite: entry, step: log-in, variables: { user: mallory } }
`,
    ),
    'caller-by-id.suite.yaml': dependent('entry'),
    'caller-by-file.suite.yaml': dependent('./entry.suite.yaml'),
  }
})

test('a failure in a called suite fails the call with its place; skip, retry and dependents work as for requests', async () => {
  const { project, echo, output, statuses } = await failures()
  expect(await statuses('entry-caller')).toBe('skipped failure')
  const fails = await project.step('entry-caller', 'Fails')
  expect(fails.attempts).toHaveLength(2)
  expect(fails.error_message).toMatch(/^entry\.suite\.yaml:13:\d+ “Log in”: .*mallory/)
  expect(output).toContain('❯ entry-caller.suite.yaml:9:')
  for (const nodeId of ['caller-by-id', 'caller-by-file'])
    expect(await project.step(nodeId, 'Needs it')).toMatchObject({
      status: 'skipped',
      skip_reason: 'needs `entry.ticket`, which “Fails” (line 5) did not provide',
    })
  // A key passed as input need not be fetched.
  expect(echo.count('/anything/key')).toBe(2)
})

const given = retried((url) => {
  const suite = (nodeId: string, steps: string): string =>
    `suite_name: S\nnode_id: ${nodeId}\nbase_url: ${url}\nsteps:\n${steps}`
  const skipped = '  - { name: Skipped, skip: true, call: { suite: token } }\n'
  const calls = "  - { name: Flaky, call: { suite: token, variables: { id: '{{suite}}' } } }\n"
  const use = "  - { name: Use, request: { url: '/anything/{{token.given}}' } }\n"
  const before = 'variables: { suite: before }\n'
  return {
    'token.suite.yaml': suite(
      'token',
      `  - { name: Answer, request: { url: '/flaky/{{id}}?fail=1' }, assert: { status_code: 200 } }
  - { name: Give, request: { method: POST, url: /post, body: { id: '{{id}}' } }, capture: { given: body.json.id } }
`,
    ),
    'caller-before.suite.yaml': before + suite('before', skipped + calls + use),
    'caller-after.suite.yaml': before.replace('before', 'after') + suite('after', calls + skipped + use),
  }
})

test('what a call gave is there, whatever became of it before and of other calls of that suite', async () => {
  const { code, echo, statuses } = await given()
  expect(code).toBe(0)
  expect(await statuses('before')).toBe('skipped success success')
  expect(await statuses('after')).toBe('success skipped success')
  expect(echo.count('/anything/before')).toBe(1)
  expect(echo.count('/anything/after')).toBe(1)
})

const repeated = retried((url) => {
  const called = (nodeId: string): string => `
suite_name: Parts
base_url: ${url}
steps:
  - name: Answer
    request: { url: '/flaky/${nodeId}?fail=1&status=503' }
    scenarios:
      - { condition: status_code == 503, then: { capture: { refused: status_code }, assert: { status_code: 200 } } }
`
  const calls = (nodeId: string, setting: string): string =>
    caller(
      url,
      `  - { name: Call, ${setting}, call: { suite: ${nodeId} } }
  - { name: Use, request: { url: "/anything/{{${nodeId}.refused ?? 'none'}}" } }
`,
    )
  return {
    'asks.suite.yaml': called('asks'),
    'asks-caller.suite.yaml': calls('asks', 'retry: { max_attempts: 2, base_delay_ms: 1 }'),
    'tries.suite.yaml': called('tries'),
    'tries-caller.suite.yaml': calls('tries', 'continue_on_failure: false'),
  }
})

test('what a call captured before it was repeated is gone, whether its own `retry` repeats it or Vitest does', async () => {
  const { code, echo } = await repeated()
  expect(code).toBe(0)
  expect(echo.count('/anything/none')).toBe(2)
})

const names = inOneRun((url) => ({
  'roles.suite.yaml': `
suite_name: Called
base_url: ${url}
variables: { role: guest }
steps:
  - { name: 'Make a {{role}}', request: { url: '/anything/{{role}}' }, assert: { status_code: 201 } }
  - { name: Each, iterate: { over: [a, b], as: role }, request: { url: '/anything/{{role}}' } }
`,
  'roles-caller.suite.yaml':
    'suite_name: Caller\nsteps: [{ name: C, call: { suite: roles, variables: { role: admin } } }]',
}))

test('inputs of a call are in the names of its steps, and hide no variable of a loop', async () => {
  const { echo, output } = await names()
  expect(output).toContain('AssertionError: roles.suite.yaml:6:95 “Make a admin”: Expected `status_code`')
  expect(echo.sent()).toBe('admin a b')
})

const captured = inOneRun((url) => ({
  'make.suite.yaml': `
suite_name: Make
base_url: ${url}
variables: { user: eve, role: none }
steps:
  - name: Make
    request: { method: POST, url: /post, body: { user: '{{user}}', role: '{{role}}' } }
    capture: { user: body.json.user }
`,
  'make-caller.suite.yaml': caller(
    url,
    '  - { name: Call, call: { suite: make, variables: { user: bob, role: any } } }\n',
  ),
}))

test('a call gives back what was captured, also where that equals an input', async () => {
  const { project } = await captured()
  expect((await project.step('make-caller', 'Call')).captured_variables).toEqual({ 'make.user': 'bob' })
})

const checks = inOneRun((url) => ({
  'user.suite.yaml': `
suite_name: User
base_url: ${url}
steps:
  - { name: Make, request: { method: POST, url: /post, body: { user: '{{user}}' } }, capture: { user: body.json.user } }
`,
  'chat.suite.yaml': `
suite_name: Chat
base_url: '{{echo_url}}'
steps:
  - { name: Talk, websocket: { url: /websocket/echo, exchange: [{ send: hi }, { expect: hi }] } }
  - { name: Read, request: { url: '/sse?duration=0&data=1&data=2' }, stream: {} }
`,
  'user-caller.suite.yaml': caller(
    url,
    `  - { name: Talk, call: { suite: chat, step: Talk }, assert: { messages: { length: 2 } }, capture: { said: 'messages[1].data' } }
  - { name: Read, call: { suite: chat }, assert: { events: { length: 2 }, custom: [{ condition: "events[1].data === 2" }] } }
  - { name: Ann, call: { suite: user, variables: { user: ann } }, assert: { custom: [{ condition: user.user === 'ann' }] } }
  - name: Bob
    call: { suite: user, variables: { user: bob } }
    retry: { max_attempts: 2, base_delay_ms: 1, until: user.user === 'bob' }
    assert: { body.json.user: '{{user.user}}', custom: [{ condition: user.user === 'bob' }] }
    capture: { kept: '{{user.user}}' }
`,
  ),
}))

test('the checks and captures beside a call, and its retry, see what this call gave', async () => {
  const { project, statuses } = await checks()
  expect(await statuses('user-caller')).toBe('success success success success')
  const { attempts, captured_variables } = await project.step('user-caller', 'Bob')
  expect(attempts).toBeUndefined()
  expect(captured_variables).toEqual({ 'user.user': 'bob', kept: 'bob' })
})

const skipped = inOneRun((url) => {
  const skipped = '    skip: { when: "true", reason: not here }\n'
  return {
    'gate.suite.yaml': login(url, 'gate')
      .replace('  - step_id: log-in\n', (line) => `${line}${skipped}`)
      .replace('  - name: Unrelated\n', (line) => line + skipped),
    'keyless.suite.yaml': login(url, 'keyless').replace('body: { key: k }', 'body: {}'),
    'other.suite.yaml': `suite_name: Other
base_url: ${url}
steps:
  - { name: Left out, skip: true, request: { url: / }, capture: { id: body.id } }
  - { name: Uses it, request: { url: '/{{id}}' } }
`,
    'gate-caller.suite.yaml': caller(
      url,
      `  - name: One step
    call: { suite: gate, step: log-in }
    retry: 3
    assert: { status_code: 200 }
  - name: All
    call: { suite: gate }
  - name: Other
    call: { suite: other, step: Uses it }
  - name: Keyless
    call: { suite: keyless, step: log-in }
`,
    ),
  }
})

test('a call of which nothing but the set-up ran is skipped, and not repeated', async () => {
  const { project, echo, statuses } = await skipped()
  expect(await statuses('gate-caller')).toBe('skipped success skipped failure')
  expect(echo.count('/anything/key')).toBe(3)
  const why = 'what it calls in `gate.suite.yaml` was skipped: not here'
  expect((await project.step('gate-caller', 'One step')).skip_reason).toBe(why)
  // With the file of the line: the report would take a line alone for one of the calling suite.
  expect((await project.step('gate-caller', 'Other')).skip_reason).toBe(
    'what it calls in `other.suite.yaml` was skipped: needs `id`, which “Left out” (other.suite.yaml:4) did not provide',
  )
})

const missing = inOneRun((url) => {
  const suite = (name: string, rest: string): string => `suite_name: ${name}\nbase_url: '${url}'\n${rest}`
  const gives = suite(
    'Auth',
    'exports: [token]\nsteps:\n  - { name: Log in, request: { url: /status/500 }, assert: { status_code: 200 }, capture: { token: body.token } }\n',
  )
  const reads = (nodeId: string): string =>
    suite(
      'Helper',
      `steps:\n  - { name: Create, request: { url: '/get?id={{${nodeId}.token}}' }, assert: { status_code: 418 } }\n`,
    )
  const calls = (helper: string): string =>
    suite('Caller', `steps:\n  - { name: Make, call: { suite: ${helper}, step: Create } }\n`)
  return {
    'away.suite.yaml': gives,
    'away-helper.suite.yaml': reads('away'),
    'away-caller.suite.yaml': calls('away-helper'),
    // What is missed is part of the run.
    'caller-here.suite.yaml': gives,
    'here-helper.suite.yaml': reads('caller-here'),
    'here-caller.suite.yaml': calls('here-helper'),
  }
})

test('a call fails with what a suite misses that it reads', async () => {
  const { project } = await missing()
  const { error_message } = await project.step('away-caller', 'Make')
  expect(error_message).toMatch(
    /^away-helper\.suite\.yaml:1:13: away\.suite\.yaml:5:\d+: The step “Log in” .* failed: /,
  )
  expect(await project.step('here-caller', 'Make')).toMatchObject({
    status: 'skipped',
    skip_reason:
      'what it calls in `here-helper.suite.yaml` was skipped: needs `caller-here.token`, which step “Log in” (caller-here.suite.yaml:5) did not provide',
  })
})

test('a selected step runs the earlier call it needs', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'parts/login.suite.yaml': login(echo.url),
    'caller.suite.yaml': caller(
      echo.url,
      `  - name: Before
    request: { url: /anything/before }
  - name: Call
    call: { suite: ./parts/login.suite.yaml, step: log-in, variables: { user: bob } }
  - name: Use
    request: { url: '/anything/use-{{login.ticket}}' }
`,
    ),
  })
  const { code } = await project.run('caller.suite.yaml', '-t', 'Use')
  expect(code).toBe(0)
  expect(echo.sent()).toBe('key login logout-bob use-bob-k')
})

const noStep = inOneRun((url) => ({
  'caller-desk.suite.yaml': login(url, 'desk'),
  'desk-caller.suite.yaml': caller(url, '  - name: Call\n    call: { suite: desk, step: log-off }\n'),
}))

test('a call of a step that does not exist fails and names it; other suites run', async () => {
  const { code, output, statuses } = await noStep()
  expect(output).toMatch(/desk-caller\.suite\.yaml:7:\d+ .*no step.*`log-off`/)
  expect(await statuses('desk')).toBe('success success success success')
  expect(code).toBe(1)
})

const options = { suites: "{ app: './app.ts', extend: './extend.ts', concurrency: 9 }" }
const app = {
  // Asks its upstream, whose port is none that `fetch` refuses, and answers `/slow` with a delay.
  'app.ts': `
import { createServer } from 'node:http'
export default createServer(async (request, response) => {
  if (request.url === '/xml') return response.setHeader('content-type', 'text/xml').end('<a xmlns="urn:a">7</a>')
  const up = await fetch('http://127.0.0.1:2/x').then((answer) => answer.text(), () => 'real')
  if (request.url === '/slow') await new Promise((done) => setTimeout(done, 700))
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ up }))
})
`,
  'extend.ts': `
import {  } from 'suitecase/extend'
export default ({ beforeSuite({ suite }) { if (suite.node_id === 'unready') throw new Error('not today') } })
`,
}
/** Tells the year, and asks the application, which asks its upstream. */
const beside = (priority: string): string => `
suite_name: Beside
metadata: { priority: ${priority} }
steps:
  - name: Now
    delay_ms: 400
    request: { url: '/x', headers: { x-at: '{{js: new Date().getUTCFullYear()}}' } }
    assert: { status_code: 200, body.up: real }
  - { name: Year, request: { method: POST, url: '{{echo_url}}/post', body: { year: '{{js: new Date().getUTCFullYear()}}' } }, assert: { body.json.year: { greater_than: 2025 } } }
`
const called = (head: string): string =>
  `suite_name: Called\n${head}\nsteps: [{ name: Slow, request: { url: '{{app_url}}/slow' }, assert: { body.up: ${head.includes('mocked') ? 'mocked' : 'real'} } }]\n`
const clock = 'clock: 2001-01-01T00:00:00Z'
const mocks = "mocks: [{ url: 'http://127.0.0.1:2/*', respond: { body: mocked } }]"

// The application of a run ends with the last suite that uses it: what only others keep open shows nothing.
const withMocks = shareRun(options, 'run/')
const withApp = shareRun(options, 'run/')

const callers = [
  { id: 'mocks', head: mocks, together: withMocks },
  { id: 'clock', head: clock, together: withApp },
].map(({ id, head, together }) => {
  const files = {
    ...app,
    [`run/calls-${id}.suite.yaml`]: `suite_name: A\nmetadata: { priority: critical }\nbase_url: http://127.0.0.1:1\nsteps: [{ name: Call, call: { suite: has-${id} } }]\n`,
    [`parts/has-${id}.suite.yaml`]: called(head),
    [`run/beside-${id}.suite.yaml`]: beside('critical'),
  }
  return { id, run: together(() => files) }
})

test.for(callers)(
  'what a called suite has to itself, the suite that calls it has: $id',
  async ({ id, run }) => {
    const { statuses } = await run()
    expect(await statuses(`calls-${id}`)).toBe('success')
    expect(await statuses(`beside-${id}`)).toBe('success success')
  },
)

const unready = withApp(() => ({
  'run/unready-caller.suite.yaml':
    'suite_name: A\nsteps:\n  - { name: Call, continue_on_failure: true, call: { suite: unready } }\n  - { name: After, request: { url: "{{app_url}}/x" }, assert: { body.up: real } }\n',
  'parts/unready.suite.yaml': called(`${clock}\n${mocks}`),
  'run/after-unready.suite.yaml': beside('low'),
}))

test('a called suite that cannot start fails the call, and takes its clock and mocks with it', async () => {
  const { output, statuses } = await unready()
  expect(await statuses('unready-caller')).toBe('failure success')
  expect(await statuses('after-unready')).toBe('success success')
  expect(output).toContain(
    'The suite `unready` could not be run: `beforeSuite` failed: not today (extend.ts:3:',
  )
  expect(output).not.toContain('worker.js')
})

const exported = inOneRun((url) => {
  const auth = (nodeId: string): string => `
suite_name: Auth
node_id: ${nodeId}
base_url: ${url}
exports: [token, count]
steps:
  - { name: Log in, request: { method: POST, url: /anything/${nodeId}/login, body: { token: t1 } }, capture: { token: body.json.token } }
  - { name: Count, request: { method: POST, url: /anything/${nodeId}/count, body: { count: 5 } }, capture: { count: body.json.count } }
`
  const calls = (nodeId: string): string =>
    caller(
      url,
      `  - { name: Before, request: { url: '/anything/${nodeId}/before-{{${nodeId}.token}}' } }
  - { name: Call, call: { suite: ${nodeId}, step: Count } }
  - { name: After, request: { url: '/anything/${nodeId}/after-{{${nodeId}.token}}-{{${nodeId}.count}}' } }
`,
    ).replace('on_failure: continue\n', '')
  return {
    'beside.suite.yaml': auth('beside'),
    'beside-caller.suite.yaml': calls('beside'),
    // Both are part of the run.
    'caller-in.suite.yaml': auth('within'),
    'within-caller.suite.yaml': calls('within'),
  }
})

test('exports of a suite are read beside a call that gives only others', async () => {
  const { echo } = await exported()
  const paths = (nodeId: string): string[] =>
    echo.paths().flatMap((path) => path.split(`/anything/${nodeId}/`)[1] ?? [])
  expect(paths('beside')).toEqual(['login', 'before-t1', 'count', 'after-t1-5'])
  expect(paths('within')).toEqual(['login', 'count', 'before-t1', 'count', 'after-t1-5'])
})

const exportFirst = inOneRun((url) => ({
  'auth.suite.yaml': `
suite_name: Auth
base_url: ${url}
variables: { role: user }
exports: [token]
steps:
  - { name: Log in, request: { method: POST, url: /anything/login, body: { token: 'of-{{role}}' } }, capture: { token: body.json.token } }
`,
  'auth-caller.suite.yaml': caller(
    url,
    `  - { name: Before, request: { url: '/anything/before-{{auth.token}}' } }
  - { name: Call, call: { suite: ./auth.suite.yaml, variables: { role: admin } } }
  - { name: After, request: { url: '/anything/after-{{auth.token}}' } }
`,
  ),
}))

test('an export is there before a call that gives it too', async () => {
  const { echo } = await exportFirst()
  expect(echo.sent()).toBe('login before-of-user login after-of-admin')
})

const failedCall = inOneRun((url) => ({
  'users.suite.yaml': `suite_name: Users
base_url: ${url}
on_failure: continue
steps:
  - { name: first, request: { url: '/get?first=1' }, assert: { body.args.first: '2' } }
  - { name: second, request: { url: '/get?second=1' }, assert: { status_code: 201 } }
teardown:
  - { name: last, request: { url: '/get?last=1' } }
`,
  'users-caller.suite.yaml': `suite_name: Calls\nsteps: [{ name: All, call: { suite: users } }]\n`,
  // Curl holds no dialogue.
  'talks.suite.yaml': `suite_name: Talks\nbase_url: ${url}\nsteps: [{ name: Talk, websocket: { url: /get } }]\n`,
  'my calls/talks-caller.suite.yaml': `suite_name: Calls\nsteps: [{ name: All, call: { suite: talks } }]\n`,
}))

test('a failed call shows what the step that failed first sent, and a command that a shell takes', async () => {
  const { project, output } = await failedCall()
  expect(output).toMatch(/GET \S+\?first=1 → 200/)
  expect(output).toMatch(/“first”[^“]+\n {2}curl '\S+\?first=1'\n[^“]+“second”[^“]+/)
  expect(output).not.toContain('second=1')
  expect(output).not.toContain('last=1')
  const { request_details } = await project.step('users-caller', 'All')
  expect(request_details?.full_url).toMatch(/first=1$/)
  expect(output).toContain("npx vitest run 'my calls/talks-caller.suite.yaml:2'")
})

const unloadable = inOneRun(() => ({
  'broken.suite.yaml': 'suite_name: Broken\nstpes: []\n',
  'broken-caller.suite.yaml': `suite_name: Caller
base_url: '{{echo_url}}'
steps:
  - { name: Before, request: { url: /get } }
  - name: Call
    call: { suite: broken }
    retry: { max_attempts: 3, base_delay_ms: 1, until: status_code === 200 }
  - { name: After, request: { url: /get } }
`,
}))

test('a call of a suite that cannot be loaded fails, and no other step of its suite; it is not repeated, even with `until`', async () => {
  const { project, statuses } = await unloadable()
  expect(await statuses('broken-caller')).toBe('success failure success')
  const { attempts, error_message } = await project.step('broken-caller', 'Call')
  expect(error_message).toMatch(
    /^The suite `broken` could not be run: broken\.suite\.yaml:2:1 error unknown-field: Unknown field `stpes`\./,
  )
  expect(attempts).toBeUndefined()
})

test('snapshots of a called suite are compared, also where the calling suite has none', async () => {
  await using project = await createProject({
    'parts.suite.yaml': `suite_name: Parts
base_url: '{{echo_url}}'
variables: { version: 1 }
steps:
  - { name: First, skip: version == \`2\`, request: { url: '/get?v=0' }, assert: { body.args.v: { snapshot: true } } }
  - { name: Part, request: { url: '/get?v={{version}}' }, assert: { body.args.v: { snapshot: true } } }
`,
    'all.suite.yaml': `suite_name: All\nsteps: [{ name: Call, call: { suite: parts } }]\n`,
  })
  await project.run('all', '-u')
  await project.write({
    'all.suite.yaml': `suite_name: All\nsteps: [{ name: Call, call: { suite: parts, variables: { version: 2 } } }]\n`,
  })
  expect((await project.run('all')).code).toBe(1)
  expect((await project.step('all', 'Call')).error_message).toMatch(
    /Snapshot `All > Call > Part 1` mismatched$/,
  )
})

const namespaces = withApp(() => ({
  'parts/xml.suite.yaml': `suite_name: Parts
xml_namespaces: { q: 'urn:other' }
steps: [{ name: Part, request: { url: /xml }, assert: { xpath: { '//q:a': { exists: false } } } }]
`,
  'run/xml-caller.suite.yaml': `suite_name: All
xml_namespaces: { q: 'urn:a' }
steps:
  - name: Call
    call: { suite: xml }
    assert: { xpath: { '//q:a': '7' } }
    capture: { a: { xpath: '//q:a' } }
`,
}))

test('XPath in the checks and captures of a call has the prefixes of their own suite', async () => {
  const { project } = await namespaces()
  expect(await project.step('xml-caller', 'Call')).toMatchObject({
    status: 'success',
    captured_variables: { a: '7' },
  })
})

const defaults = inOneRun(() => ({
  'gives.suite.yaml': `suite_name: Gives
base_url: '{{echo_url}}'
steps:
  - name: Create
    request: { url: '/get?id=7' }
    capture: { id: body.args.id }
    scenarios: [{ condition: body.args.id == '8', then: { capture: { vip: body.args.id } } }]
  - { name: Uncalled, request: { url: '/get?id=9' }, capture: { other: body.args.id } }
`,
  'gives-caller.suite.yaml': `suite_name: All
base_url: '{{echo_url}}'
variables: { stage: two, name: '{{js: "n-" + gives.id}}' }
steps:
  - { name: One, skip: { when: stage === 'two', reason: 'not on {{stage}}' }, call: { suite: gives } }
  - { name: Default, request: { url: '/get?id={{gives.id ?? "none"}}' }, assert: { body.args.id: none } }
  - { name: None, request: { url: '/get?id={{name}}' } }
  - { name: Two, skip: stage === 'one', call: { suite: gives, step: Create } }
  - { name: Read, request: { url: '/get?id={{name}}' }, assert: { body.args.id: n-7 } }
  - { name: Branch, request: { url: '/get?id={{gives.vip}}' } }
  - { name: Mistake, request: { url: '/get?id={{gives.other}}' }, assert: { body.args.id: '9' } }
`,
}))

test('after a call that gave nothing, defaults count; a suite variable waits for the next call', async () => {
  const { project } = await defaults()
  const { steps_results } = await project.result('gives-caller')
  expect(steps_results.map(({ status, skip_reason = '' }) => `${status} ${skip_reason}`.trim())).toEqual([
    'skipped not on two',
    'success',
    'skipped needs `gives.id`, which “One” (line 5) did not provide',
    'success',
    'success',
    'skipped needs `gives.vip`, which “Create” (gives.suite.yaml:4) did not capture, because no branch that captures it was taken',
    // It called a step that does not give the value.
    'failure',
  ])
})

test('a call is as flaky as what it calls, and lists the calls that its mocks answered or `onUnhandled` let through', async () => {
  await using project = await createProject(
    {
      'app.ts': `let count = 0
export default async (request) => {
  await fetch('https://up.example/')
  await fetch('http://127.0.0.1:2/').catch(() => {})
  return new Response('', { status: count++ === 0 ? 503 : 200 })
}`,
      'parts.suite.yaml': `suite_name: Parts
mocks: [{ url: 'https://up.example/', respond: {} }]
steps:
  - { name: Part, request: { url: / }, retry: { max_attempts: 2, base_delay_ms: 1 }, assert: { status_code: 200 } }
`,
      'all.suite.yaml': `suite_name: All\nsteps: [{ name: Call, call: { suite: parts } }]\n`,
    },
    { suites: "{ app: './app.ts', onUnhandled: 'bypass' }" },
  )
  await project.run('all')
  expect(await project.step('all', 'Call')).toMatchObject({
    status: 'success',
    flaky: true,
    mock_calls: ['mocked', 'passed_through', 'mocked', 'passed_through'].map((outcome) => ({ outcome })),
  })
})

const noValue = inOneRun(() => ({
  'limit.suite.yaml': `suite_name: Limit
base_url: '{{echo_url}}'
steps:
  - { name: Part, request: { url: /get }, assert: { custom: [{ condition: '!(response_time > limit)' }] } }
`,
  'limit-caller.suite.yaml': `suite_name: All
steps: [{ name: Call, call: { suite: limit, variables: { limit: '{{$env.NO_LIMIT}}' } } }]
`,
}))

test('an input without a value fails the call: what is called would judge by its template', async () => {
  const { project } = await noValue()
  expect(await project.step('limit-caller', 'Call')).toMatchObject({
    status: 'failure',
    error_message: expect.stringMatching(/^`\$env\.NO_LIMIT` has no value/) as string,
  })
})
