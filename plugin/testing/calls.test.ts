import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'

const login = (url: string): string => `
suite_name: Login
node_id: login
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
node_id: caller
base_url: ${url}
on_failure: continue
steps:
${steps}`

test('checks of a call look at the last answer of what was called, whichever step has failed', async () => {
  const parts = `suite_name: Parts
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
`
  const call = (name: string, variables: string): string => `
  - name: ${name}
    call: { suite: parts, variables: ${variables} }
    assert: { status_code: 200, body.method: GET }
    capture: { path: body.url }`
  await using project = await createProject({
    'parts.suite.yaml': parts,
    'caller.suite.yaml': `suite_name: Caller
on_failure: continue
steps:${call('The first fails', '{ first: 500 }')}${call('The teardown fails', '{ after: 500 }')}${call('No answer', '{ last: /delay/5 }')}
`,
  })
  const { output } = await project.run('caller.suite.yaml')
  expect(output.match(/^AssertionError: .*/gm)).toEqual([
    'AssertionError: parts.suite.yaml:7:28 “First”: Expected `status_code` to be 200, got 500',
    'AssertionError: parts.suite.yaml:14:28 “After”: Expected `status_code` to be 200, got 500',
    expect.stringContaining('“Last”: GET http://'),
  ])
  const { steps_results: steps } = await project.result('caller')
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

test('a warning of a called step names its place', async () => {
  await using project = await createProject({
    'deep.suite.yaml': `
suite_name: Deep
base_url: '{{echo_url}}'
steps:
  - name: Asks
    request: { url: '/anything?x={{nobody}}' }
`,
    'middle.suite.yaml': 'suite_name: Middle\nsteps: [{ name: Call, call: { suite: deep } }]\n',
    'top.suite.yaml': 'suite_name: Top\nsteps:\n  - { name: Call, call: { suite: middle } }\n',
  })
  const { output } = await project.run('top')
  expect(output).toContain(
    'top.suite.yaml:3:13 warning: middle.suite.yaml:2:17: deep.suite.yaml:6:34: `nobody` has no value. It stays as written.',
  )
})

test('a failure in one of several iterations that were called says in which; a warning of a skipped step stays', async () => {
  await using project = await createProject({
    'called.suite.yaml': `
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
    'caller.suite.yaml': `
suite_name: Caller
steps:
  - { name: Loops, call: { suite: called, step: Status } }
  - { name: Skips, call: { suite: called, step: Not for guests } }
`,
  })
  const { output } = await project.run('caller.suite.yaml')
  for (const [iteration, status] of [
    [2, 500],
    [3, 404],
  ])
    expect(output).toContain(
      `AssertionError: called.suite.yaml:9:28 “Status”: Iteration ${iteration} (status = ${status}): Expected \`status_code\` to be 200, got ${status}`,
    )
  expect((await project.step('caller', 'Skips')).warnings).toEqual([
    {
      message:
        "called.suite.yaml:10:35: `skip: user.rol !== 'guest'` reads `user.rol`, which is not there (did you mean `role`?).",
      line: 5,
      column: 13,
    },
  ])
})

test('a call of a suite or of a step takes inputs and gives captures back', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'parts/login.suite.yaml': login(echo.url),
    'caller.suite.yaml': caller(
      echo.url,
      `  - name: All
    call: { suite: login, variables: { user: ann } }
    assert: { status_code: 200 }
    capture: { path: body.url }
  - name: Use all
    request: { url: '/anything/use-{{login.ticket}}' }
  - name: One step
    call: { suite: ./parts/login.suite.yaml, step: log-in, variables: { user: bob } }
    assert: { body.json.user: bob }
  - name: Use step
    request: { url: '/anything/use-{{login.ticket}}' }
`,
    ),
  })
  const { code, output } = await project.run('caller.suite.yaml')
  expect(output).toContain('4 passed')
  expect(code).toBe(0)
  expect(echo.paths().map((path) => path.replace('/anything/', ''))).toEqual([
    'key',
    'login',
    'unrelated',
    'logout-ann',
    'use-ann-k',
    'key',
    'login',
    'logout-bob',
    'use-bob-k',
  ])
  const all = await project.step('caller', 'All')
  expect(all.captured_variables).toEqual({
    'login.key': 'k',
    'login.ticket': 'ann-k',
    path: expect.stringContaining('/anything/unrelated'),
  })
  expect(all.assertions_results.map(({ field, passed }) => [field, passed])).toEqual([
    ['body.json.user.not_equals', true],
    ['status_code', true],
  ])
  expect((await project.step('caller', 'Use all')).available_variables).toMatchObject({
    'login.ticket': 'ann-k',
  })
})

test('a failure in a called suite fails the call with its place; skip, retry and dependents work as for requests', async () => {
  await using echo = await startLoggedEcho()
  const dependent = (nodeId: string, suite: string): string =>
    caller(
      echo.url,
      `  - name: Fails
    call: { suite: ${suite}, step: log-in, variables: { user: mallory, key: given } }
  - name: Needs it
    request: { url: '/anything/needs-{{login.ticket}}' }
`,
    )
      .replace('on_failure: continue\n', '')
      .replace('node_id: caller', `node_id: ${nodeId}`)
  await using project = await createProject({
    'login.suite.yaml': login(echo.url),
    'caller.suite.yaml': caller(
      echo.url,
      `  - name: Skipped
    skip: true
    call: { suite: login, variables: { user: never } }
  - name: Fails
    retry: { max_attempts: 2, base_delay_ms: 1 }
    call: { suite: login, step: log-in, variables: { user: mallory } }
`,
    ),
    'by-id.suite.yaml': dependent('by-id', 'login'),
    'by-file.suite.yaml': dependent('by-file', './login.suite.yaml'),
  })
  const { code, output } = await project.run('caller', 'by-')
  expect(code).toBe(1)
  expect((await project.step('caller', 'Skipped')).status).toBe('skipped')
  const fails = await project.step('caller', 'Fails')
  expect(fails.attempts).toHaveLength(2)
  expect(fails.error_message).toMatch(/^login\.suite\.yaml:13:\d+ “Log in”: .*mallory/)
  expect(output).toContain('❯ caller.suite.yaml:10:')
  for (const nodeId of ['by-id', 'by-file'])
    expect(await project.step(nodeId, 'Needs it')).toMatchObject({
      status: 'skipped',
      skip_reason: 'needs `login.ticket`, which “Fails” (line 6) did not provide',
    })
  // A key passed as input need not be fetched.
  expect(echo.count('/anything/key')).toBe(2)
})

test('what a call gave is there, whatever became of it before and of other calls of that suite', async () => {
  await using echo = await startLoggedEcho()
  const suite = (nodeId: string, steps: string): string =>
    `suite_name: S\nnode_id: ${nodeId}\nbase_url: ${echo.url}\nsteps:\n${steps}`
  const skipped = '  - { name: Skipped, skip: true, call: { suite: token } }\n'
  const calls = "  - { name: Flaky, call: { suite: token, variables: { id: '{{suite}}' } } }\n"
  const use = "  - { name: Use, request: { url: '/anything/{{token.given}}' } }\n"
  const before = 'variables: { suite: before }\n'
  await using project = await createProject({
    'token.suite.yaml': suite(
      'token',
      `  - { name: Answer, request: { url: '/flaky/{{id}}?fail=1' }, assert: { status_code: 200 } }
  - { name: Give, request: { method: POST, url: /post, body: { id: '{{id}}' } }, capture: { given: body.json.id } }
`,
    ),
    'call-before.suite.yaml': before + suite('before', skipped + calls + use),
    'call-after.suite.yaml': before.replace('before', 'after') + suite('after', calls + skipped + use),
  })
  const { output } = await project.run('call-', '--retry=1')
  expect(output).toContain('4 passed | 2 skipped')
  expect(echo.count('/anything/before')).toBe(1)
  expect(echo.count('/anything/after')).toBe(1)
})

test.for(['retry: { max_attempts: 2, base_delay_ms: 1 }', 'continue_on_failure: false'])(
  'what a call captured before it was repeated is gone: %s',
  async (setting) => {
    await using echo = await startLoggedEcho()
    await using project = await createProject({
      'parts.suite.yaml': `
suite_name: Parts
node_id: parts
base_url: ${echo.url}
steps:
  - name: Answer
    request: { url: '/flaky/parts?fail=1&status=503' }
    scenarios:
      - { condition: status_code == 503, then: { capture: { refused: status_code }, assert: { status_code: 200 } } }
`,
      'caller.suite.yaml': caller(
        echo.url,
        `  - { name: Call, ${setting}, call: { suite: parts } }
  - { name: Use, request: { url: "/anything/{{parts.refused ?? 'none'}}" } }
`,
      ),
    })
    const { code } = await project.run('caller', '--retry=1')
    expect(code).toBe(0)
    expect(echo.paths()).toContain('/anything/none')
  },
)

test('inputs of a call are in the names of its steps, and hide no variable of a loop', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'called.suite.yaml': `
suite_name: Called
base_url: ${echo.url}
variables: { role: guest }
steps:
  - { name: 'Make a {{role}}', request: { url: '/anything/{{role}}' }, assert: { status_code: 201 } }
  - { name: Each, iterate: { over: [a, b], as: role }, request: { url: '/anything/{{role}}' } }
`,
    'caller.suite.yaml':
      'suite_name: Caller\nsteps: [{ name: C, call: { suite: called, variables: { role: admin } } }]',
  })
  const { output } = await project.run('caller.suite.yaml')
  expect(output).toContain('AssertionError: called.suite.yaml:6:95 “Make a admin”: Expected `status_code`')
  expect(echo.paths()).toEqual(['/anything/admin', '/anything/a', '/anything/b'])
})

test('a call gives back what was captured, also where that equals an input', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'make.suite.yaml': `
suite_name: Make
node_id: make
base_url: ${echo.url}
variables: { user: eve, role: none }
steps:
  - name: Make
    request: { method: POST, url: /post, body: { user: '{{user}}', role: '{{role}}' } }
    capture: { user: body.json.user }
`,
    'caller.suite.yaml': caller(
      echo.url,
      '  - { name: Call, call: { suite: make, variables: { user: bob, role: any } } }\n',
    ),
  })
  await project.run('caller')
  expect((await project.step('caller', 'Call')).captured_variables).toEqual({ 'make.user': 'bob' })
})

test('the checks and captures beside a call, and its retry, see what this call gave', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'make.suite.yaml': `
suite_name: Make
base_url: ${echo.url}
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
    'caller.suite.yaml': caller(
      echo.url,
      `  - { name: Talk, call: { suite: chat, step: Talk }, assert: { messages: { length: 2 } }, capture: { said: 'messages[1].data' } }
  - { name: Read, call: { suite: chat }, assert: { events: { length: 2 }, custom: [{ condition: "events[1].data === 2" }] } }
  - { name: Ann, call: { suite: make, variables: { user: ann } }, assert: { custom: [{ condition: make.user === 'ann' }] } }
  - name: Bob
    call: { suite: make, variables: { user: bob } }
    retry: { max_attempts: 2, base_delay_ms: 1, until: make.user === 'bob' }
    assert: { body.json.user: '{{make.user}}', custom: [{ condition: make.user === 'bob' }] }
    capture: { kept: '{{make.user}}' }
`,
    ),
  })
  const { code, output } = await project.run('caller')
  expect(output).toContain('4 passed')
  expect(code).toBe(0)
  const { attempts, captured_variables } = await project.step('caller', 'Bob')
  expect(attempts).toBeUndefined()
  expect(captured_variables).toEqual({ 'make.user': 'bob', kept: 'bob' })
})

test('a call of which nothing but the set-up ran is skipped, and not repeated', async () => {
  await using echo = await startLoggedEcho()
  const skipped = '    skip: { when: "true", reason: not here }\n'
  await using project = await createProject({
    'login.suite.yaml': login(echo.url)
      .replace('  - step_id: log-in\n', (line) => `${line}${skipped}`)
      .replace('  - name: Unrelated\n', (line) => line + skipped),
    'other.suite.yaml': `suite_name: Other
base_url: ${echo.url}
steps:
  - { name: Left out, skip: true, request: { url: / }, capture: { id: body.id } }
  - { name: Uses it, request: { url: '/{{id}}' } }
`,
    'caller.suite.yaml': caller(
      echo.url,
      '  - name: One step\n    call: { suite: login, step: log-in }\n    retry: 3\n    assert: { status_code: 200 }\n  - name: All\n    call: { suite: login }\n  - name: Other\n    call: { suite: other, step: Uses it }\n',
    ),
  })
  const { code } = await project.run('caller.suite.yaml')
  expect(code).toBe(0)
  expect(echo.paths().filter((path) => path.endsWith('/key'))).toHaveLength(2)
  const why = 'what it calls in `login.suite.yaml` was skipped: not here'
  expect(await project.step('caller', 'One step')).toMatchObject({ status: 'skipped', skip_reason: why })
  expect((await project.step('caller', 'All')).status).toBe('success')
  // With the file of the line: the report would take a line alone for one of the calling suite.
  expect((await project.step('caller', 'Other')).skip_reason).toBe(
    'what it calls in `other.suite.yaml` was skipped: needs `id`, which “Left out” (other.suite.yaml:4) did not provide',
  )
  await project.write({ 'login.suite.yaml': login(echo.url).replace('body: { key: k }', 'body: {}') })
  await project.run('caller.suite.yaml')
  expect((await project.step('caller', 'One step')).status).toBe('failure')
})

test('a call fails with what a suite misses that it reads', async () => {
  await using echo = await startLoggedEcho()
  const suite = (name: string, rest: string): string =>
    `suite_name: ${name}\nbase_url: '${echo.url}'\n${rest}`
  await using project = await createProject({
    'auth.suite.yaml': suite(
      'Auth',
      'exports: [token]\nsteps:\n  - { name: Log in, request: { url: /status/500 }, assert: { status_code: 200 }, capture: { token: body.token } }\n',
    ),
    'helper.suite.yaml': suite(
      'Helper',
      "steps:\n  - { name: Create, request: { url: '/get?id={{auth.token}}' }, assert: { status_code: 418 } }\n",
    ),
    'caller.suite.yaml': suite(
      'Caller',
      'steps:\n  - { name: Make, call: { suite: helper, step: Create } }\n',
    ),
  })
  const alone = await project.run('caller.suite.yaml')
  expect(alone.code).toBe(1)
  const { error_message } = await project.step('caller', 'Make')
  expect(error_message).toMatch(
    /^helper\.suite\.yaml:1:13: auth\.suite\.yaml:5:\d+: The step “Log in” .* failed: /,
  )
  const all = await project.run()
  expect(all.code).toBe(1)
  const step = await project.step('caller', 'Make')
  expect(step).toMatchObject({
    status: 'skipped',
    skip_reason:
      'what it calls in `helper.suite.yaml` was skipped: needs `auth.token`, which step “Log in” (auth.suite.yaml:5) did not provide',
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
  expect(echo.paths().map((path) => path.replace('/anything/', ''))).toEqual([
    'key',
    'login',
    'logout-bob',
    'use-bob-k',
  ])
})

test('a call of a step that does not exist fails and names it; other suites run', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'login.suite.yaml': login(echo.url),
    'caller.suite.yaml': caller(echo.url, '  - name: Call\n    call: { suite: login, step: log-off }\n'),
  })
  const { code, output } = await project.run()
  expect(output).toMatch(/no step.*`log-off`/)
  expect(output).toContain('4 passed')
  expect(code).toBe(1)
})

/** Asks its upstream, and answers `/slow` with a delay. */
const asking = `
import { createServer } from 'node:http'
export default createServer(async (request, response) => {
  const up = await fetch('http://127.0.0.1:1/x').then((answer) => answer.text(), () => 'real')
  if (request.url === '/slow') await new Promise((done) => setTimeout(done, 700))
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ up }))
})
`
const called = (head: string): string => `
suite_name: Called
node_id: called
${head}
steps:
  - { name: Slow, request: { url: '{{app_url}}/slow' } }
`
const apart = `
suite_name: B
steps:
  - name: Now
    delay_ms: 400
    request: { url: '{{app_url}}/x', headers: { x-at: '{{js: new Date().getUTCFullYear()}}' } }
    assert: { status_code: 200, body.up: real }
  - { name: Year, request: { method: POST, url: '{{echo_url}}/post', body: { year: '{{js: new Date().getUTCFullYear()}}' } }, assert: { body.json.year: { greater_than: 2025 } } }
`

test.for([
  'clock: 2001-01-01T00:00:00Z',
  "mocks: [{ url: 'http://127.0.0.1:1/*', respond: { body: mocked } }]",
])('what a called suite has to itself, the suite that calls it has: %s', async (head) => {
  await using project = await createProject(
    {
      'app.ts': asking,
      'a.suite.yaml':
        'suite_name: A\nbase_url: http://127.0.0.1:1\nsteps: [{ name: Call, call: { suite: called } }]\n',
      'parts/called.suite.yaml': called(head),
      'b.suite.yaml': apart,
    },
    { suites: "{ app: { path: './app.ts' }, concurrency: 4 }" },
  )
  const { output, code } = await project.run('a.suite', 'b.suite')
  expect(output).toContain('3 passed')
  expect(code).toBe(0)
})

test('a called suite that cannot start fails the call, and takes its clock and mocks with it', async () => {
  await using project = await createProject(
    {
      'app.ts': asking,
      'extend.ts': `
import {  } from 'suitecase/extend'
export default ({ beforeSuite({ suite }) { if (suite.node_id === 'called') throw new Error('not today') } })
`,
      'a.suite.yaml':
        'suite_name: A\nsteps:\n  - { name: Call, continue_on_failure: true, call: { suite: called } }\n  - { name: After, request: { url: "{{app_url}}/x" }, assert: { body.up: real } }\n',
      'parts/called.suite.yaml': called(
        "clock: 2001-01-01T00:00:00Z\nmocks: [{ url: 'http://127.0.0.1:1/*', respond: { body: mocked } }]",
      ),
      'b.suite.yaml': apart,
    },
    { suites: "{ app: './app.ts', extend: './extend.ts' }" },
  )
  const { output, code } = await project.run('a.suite', 'b.suite')
  expect(output).toContain('1 failed | 3 passed')
  expect(output).toContain(
    'The suite `called` could not be run: `beforeSuite` failed: not today (extend.ts:3:',
  )
  expect(output).not.toContain('worker.js')
  expect(code).toBe(1)
  expect((await project.step('a', 'Call')).status).toBe('failure')
})

test('exports of a suite are read beside a call that gives only others', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'auth.suite.yaml': `
suite_name: Auth
node_id: auth
base_url: ${echo.url}
exports: [token, count]
steps:
  - { name: Log in, request: { method: POST, url: /anything/login, body: { token: t1 } }, capture: { token: body.json.token } }
  - { name: Count, request: { method: POST, url: /anything/count, body: { count: 5 } }, capture: { count: body.json.count } }
`,
    'caller.suite.yaml': caller(
      echo.url,
      `  - { name: Before, request: { url: '/anything/before-{{auth.token}}' } }
  - { name: Call, call: { suite: auth, step: Count } }
  - { name: After, request: { url: '/anything/after-{{auth.token}}-{{auth.count}}' } }
`,
    ).replace('on_failure: continue\n', ''),
  })
  const paths = (): string[] => echo.paths().map((path) => path.replace('/anything/', ''))
  expect((await project.run()).code).toBe(0)
  expect(paths()).toEqual(['login', 'count', 'before-t1', 'count', 'after-t1-5'])
  expect((await project.run('caller.suite.yaml')).code).toBe(0)
  expect(paths().slice(5)).toEqual(['login', 'before-t1', 'count', 'after-t1-5'])
})

test('an export is there before a call that gives it too', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'auth.suite.yaml': `
suite_name: Auth
node_id: auth
base_url: ${echo.url}
variables: { role: user }
exports: [token]
steps:
  - { name: Log in, request: { method: POST, url: /anything/login, body: { token: 'of-{{role}}' } }, capture: { token: body.json.token } }
`,
    'caller.suite.yaml': caller(
      echo.url,
      `  - { name: Before, request: { url: '/anything/before-{{auth.token}}' } }
  - { name: Call, call: { suite: ./auth.suite.yaml, variables: { role: admin } } }
  - { name: After, request: { url: '/anything/after-{{auth.token}}' } }
`,
    ),
  })
  expect((await project.run('caller.suite.yaml')).code).toBe(0)
  const paths = echo.paths().map((path) => path.replace('/anything/', ''))
  expect(paths).toEqual(['login', 'before-of-user', 'login', 'after-of-admin'])
})

test('a failed call shows what the step that failed first sent, and a command that a shell takes', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'users.suite.yaml': `suite_name: Users
base_url: ${echo.url}
on_failure: continue
steps:
  - { name: first, request: { url: '/get?first=1' }, assert: { body.args.first: '2' } }
  - { name: second, request: { url: '/get?second=1' }, assert: { status_code: 201 } }
teardown:
  - { name: last, request: { url: '/get?last=1' } }
`,
    'my calls/all.suite.yaml': `suite_name: Calls\nsteps: [{ name: All, call: { suite: users } }]\n`,
  })
  const { output } = await project.run('all')
  expect(output).toMatch(/GET \S+\?first=1 → 200/)
  expect(output).toMatch(/“first”[^“]+\n {2}curl '\S+\?first=1'\n[^“]+“second”[^“]+$/)
  expect(output).not.toContain('second=1')
  expect(output).not.toContain('last=1')
  const { request_details } = await project.step('all', 'All')
  expect(request_details?.full_url).toMatch(/first=1$/)
  // Curl holds no dialogue.
  await project.write({
    'users.suite.yaml': `suite_name: Users\nbase_url: ${echo.url}\nsteps: [{ name: Talk, websocket: { url: /get } }]\n`,
  })
  expect((await project.run('all')).output).toContain("npx vitest run 'my calls/all.suite.yaml:2'")
})

test('a call of a suite that cannot be loaded fails, and no other step of its suite', async () => {
  await using project = await createProject({
    'broken.suite.yaml': 'suite_name: Broken\nstpes: []\n',
    'caller.suite.yaml': `suite_name: Caller
base_url: '{{echo_url}}'
steps:
  - { name: Before, request: { url: /get } }
  - { name: Call, call: { suite: broken } }
  - { name: After, request: { url: /get } }
`,
  })
  await project.run()
  const { steps_results } = await project.result('caller')
  expect(steps_results.map(({ status }) => status)).toEqual(['success', 'failure', 'success'])
  expect(steps_results[1]?.error_message).toMatch(
    /^The suite `broken` could not be run: broken\.suite\.yaml:2:1 error unknown-field: Unknown field `stpes`\./,
  )
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

test('XPath in the checks and captures of a call has the prefixes of their own suite', async () => {
  await using project = await createProject(
    {
      'app.ts': `export default (_, response) => void response.setHeader('content-type', 'text/xml').end('<a xmlns="urn:a">7</a>')`,
      'parts.suite.yaml': `suite_name: Parts
xml_namespaces: { q: 'urn:other' }
steps: [{ name: Part, request: { url: / }, assert: { xpath: { '//q:a': { exists: false } } } }]
`,
      'all.suite.yaml': `suite_name: All
xml_namespaces: { q: 'urn:a' }
steps:
  - name: Call
    call: { suite: parts }
    assert: { xpath: { '//q:a': '7' } }
    capture: { a: { xpath: '//q:a' } }
`,
    },
    { suites: "{ app: './app.ts' }" },
  )
  await project.run('all')
  expect(await project.step('all', 'Call')).toMatchObject({
    status: 'success',
    captured_variables: { a: '7' },
  })
})

test('after a call that gave nothing, defaults count; a suite variable waits for the next call', async () => {
  await using project = await createProject({
    'users.suite.yaml': `suite_name: Users
base_url: '{{echo_url}}'
steps:
  - name: Create
    request: { url: '/get?id=7' }
    capture: { id: body.args.id }
    scenarios: [{ condition: body.args.id == '8', then: { capture: { vip: body.args.id } } }]
  - { name: Uncalled, request: { url: '/get?id=9' }, capture: { other: body.args.id } }
`,
    'all.suite.yaml': `suite_name: All
base_url: '{{echo_url}}'
variables: { stage: two, name: '{{js: "n-" + users.id}}' }
steps:
  - { name: One, skip: { when: stage === 'two', reason: 'not on {{stage}}' }, call: { suite: users } }
  - { name: Default, request: { url: '/get?id={{users.id ?? "none"}}' }, assert: { body.args.id: none } }
  - { name: None, request: { url: '/get?id={{name}}' } }
  - { name: Two, skip: stage === 'one', call: { suite: users, step: Create } }
  - { name: Read, request: { url: '/get?id={{name}}' }, assert: { body.args.id: n-7 } }
  - { name: Branch, request: { url: '/get?id={{users.vip}}' } }
  - { name: Mistake, request: { url: '/get?id={{users.other}}' }, assert: { body.args.id: '9' } }
`,
  })
  await project.run('all')
  const { steps_results } = await project.result('all')
  expect(steps_results.map(({ status, skip_reason = '' }) => `${status} ${skip_reason}`.trim())).toEqual([
    'skipped not on two',
    'success',
    'skipped needs `users.id`, which “One” (line 5) did not provide',
    'success',
    'success',
    'skipped needs `users.vip`, which “Create” (users.suite.yaml:4) did not capture, because no branch that captures it was taken',
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

test('an input without a value fails the call: what is called would judge by its template', async () => {
  await using project = await createProject({
    'parts.suite.yaml': `suite_name: Parts
base_url: '{{echo_url}}'
steps:
  - { name: Part, request: { url: /get }, assert: { custom: [{ condition: '!(response_time > limit)' }] } }
`,
    'all.suite.yaml': `suite_name: All
steps: [{ name: Call, call: { suite: parts, variables: { limit: '{{$env.NO_LIMIT}}' } } }]
`,
  })
  await project.run('all')
  expect(await project.step('all', 'Call')).toMatchObject({
    status: 'failure',
    error_message: expect.stringMatching(/^`\$env\.NO_LIMIT` has no value/) as string,
  })
})

test('a call of a suite that cannot be loaded is not repeated, even with `until`', async () => {
  await using project = await createProject({
    'broken.suite.yaml':
      'suite_name: Broken\nnode_id: broken\nsteps:\n  - name: x\n    request: { ulr: /x }\n',
    'caller.suite.yaml': `
suite_name: Caller
node_id: caller
steps:
  - name: Calls
    call: { suite: broken }
    retry: { max_attempts: 3, base_delay_ms: 1, until: status_code === 200 }
`,
  })
  await project.run('caller.suite.yaml')
  const { error_message = '' } = await project.step('caller', 'Calls')
  expect(error_message).toContain('The suite `broken` could not be run: ')
  expect(error_message).not.toContain('attempts')
})
