import { expect, test } from 'vitest'
import { consumer, producer, steps } from './fixtures/export-suites.ts'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'

const constellations = [1, 2].flatMap((workers) =>
  [
    ['a', 'b'],
    ['b', 'a'],
  ].map(([first, second]) => ({ workers, first, second })),
)

test.each(constellations)(
  'the producer runs once with $workers workers when it is called $first and the consumer $second',
  async ({ workers, first, second }) => {
    await using echo = await startLoggedEcho()
    await using project = await createProject(
      { [`${first}.suite.yaml`]: producer(echo.url), [`${second}.suite.yaml`]: consumer(echo.url) },
      { suites: `{ concurrency: ${workers} }` },
    )
    const { code, output } = await project.run()
    expect(output).toContain('4 passed')
    expect(code).toBe(0)
    expect(echo.count('/anything/login')).toBe(1)
    const report = JSON.parse(await project.read('.vitest/suitecase/performance.json')) as object
    expect(report).toHaveProperty('concurrency', workers)
  },
)

test('a producer whose file begins with a byte order mark has its node id', async () => {
  await using project = await createProject({
    'login.suite.yaml': `\uFEFFnode_id: auth
suite_name: Log in
base_url: '{{echo_url}}'
steps:
  - name: Log in
    request: { url: /get }
    capture: { code: status_code }
exports: [code]
`,
    'orders.suite.yaml': `suite_name: Orders
base_url: '{{echo_url}}'
steps:
  - name: Order
    request: { url: '/get?code={{auth.code}}' }
    assert: { body.args.code: '200' }
`,
  })
  expect((await project.run()).output).toContain('2 passed')
})

test('over two shards the producer runs once in each', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': producer(echo.url),
    'b.suite.yaml': consumer(echo.url),
  })
  for (const shard of [1, 2]) {
    const { code, output } = await project.run(`--shard=${shard}/2`)
    expect(output).not.toContain('failed')
    expect(code).toBe(0)
  }
  expect(echo.count('/anything/login')).toBe(2)
  expect(echo.count('/anything/profile')).toBe(1)
})

test.each([
  { what: 'only the consumer’s file', args: ['b.suite.yaml'], passed: 3, pings: 2 },
  { what: 'only the consumer’s last step', args: ['-t', 'Fetch profile'], passed: 1, pings: 0 },
  { what: 'file and last step', args: ['b.suite.yaml', '-t', 'Fetch profile'], passed: 1, pings: 0 },
])('selecting $what runs what it needs of the producer, unreported', async ({ args, passed, pings }) => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': producer(echo.url, steps('after login')),
    'b.suite.yaml': consumer(echo.url),
  })
  const { code, output } = await project.run(...args)
  expect(output).toContain(`${passed} passed`)
  expect(code).toBe(0)
  expect(echo.paths().toSorted()).toEqual(
    ['/anything/login', ...Array<string>(pings).fill('/anything/ping'), '/anything/profile'].toSorted(),
  )
})

test('a filter that leaves out the exporting step of the producer runs it all the same, once', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': `
suite_name: Auth
node_id: auth
base_url: ${echo.url}
exports: [token]
steps:
  - name: Chosen one
    request: { url: /anything/first }
  - name: Log in
    request: { method: POST, url: /anything/login, body: { token: secret-1 } }
    capture: { token: body.json.token }
  - name: Left out
    request: { url: /anything/left-out }
`,
    'b.suite.yaml': consumer(echo.url),
  })
  const { code, output } = await project.run('-t', 'Chosen|Fetch')
  expect(output).toContain('2 passed')
  expect(code).toBe(0)
  expect(echo.paths()).toEqual(['/anything/first', '/anything/login', '/anything/profile'])
})

test('a filter that matches only the producer runs nothing for a consumer that is left out', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'a.suite.yaml': producer(echo.url, steps('Chosen one')),
      'b.suite.yaml': consumer(echo.url),
    },
    { suites: '{ concurrency: 1 }' },
  )
  const { output } = await project.run('-t', 'Chosen one')
  expect(output).toContain('1 passed')
  expect(echo.paths()).toEqual(['/anything/chosen-one'])
})

test('a failed producer skips the consumer, naming the failed step, also where a suite variable reads its capture', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': producer(echo.url)
      .replace('status_code: 200', 'status_code: 201')
      .replace('[token]', "[token, header]\nvariables: { header: 'Bearer {{token}}' }"),
    'b.suite.yaml': `${consumer(echo.url)}  - name: Read the header
    request: { url: '/anything/{{auth.header}}' }
`,
  })
  const { code, output } = await project.run()
  expect(output).toMatch(/1 failed \| 2 passed \| 2 skipped/)
  expect(code).toBe(1)
  expect(echo.paths()).toEqual(['/anything/login', '/anything/ping', '/anything/ping'])
  for (const [step, name] of [
    ['Fetch profile', 'token'],
    ['Read the header', 'header'],
  ] as const) {
    const { skip_reason } = await project.step('profile', step)
    expect(skip_reason).toBe(
      `needs \`auth.${name}\`, which step “Log in” (a.suite.yaml:8) captured, but it failed`,
    )
  }
})

test.each([[[]], [['b.suite.yaml', 'c.suite.yaml']]])(
  'a default stands for an export of a branch that was not taken, or of a step that was left out or may fail: %j',
  async (args) => {
    await using echo = await startLoggedEcho()
    await using project = await createProject({
      'a.suite.yaml': `
suite_name: A
node_id: a
base_url: ${echo.url}
exports: [there, branch, left, failed, goes, after]
steps:
  - { name: There, request: { url: '/get?v=1' }, capture: { there: body.args.v } }
  - name: Branch
    request: { url: /get }
    assert: { status_code: 200 }
    scenarios: [{ condition: status_code == 500, then: { capture: { branch: status_code } } }]
  - { name: Left, skip: true, request: { url: /get }, capture: { left: body.url } }
  - { name: Failed, request: { url: /get }, capture: { failed: body.nope } }
  - { name: Goes on, continue_on_failure: true, request: { url: /get }, capture: { goes: body.nope } }
  - { name: After, request: { url: '/get?v={{failed}}' }, capture: { after: body.args.v } }
`,
      'b.suite.yaml': `
suite_name: B
node_id: b
base_url: ${echo.url}
exports: [end]
variables: { either: "{{a.left ?? 'none'}}" }
steps:
  - { name: Default, request: { url: "/anything/{{a.there}}-{{a.branch ?? 'none'}}-{{either}}" } }
  - { name: Branch, request: { url: '/anything/{{a.branch}}' } }
  - { name: Left, request: { url: '/anything/{{a.left}}' } }
  - { name: Failed, request: { url: "/anything/{{a.failed ?? 'none'}}" } }
  - { name: Goes on, request: { url: "/anything/{{a.goes ?? 'on'}}" } }
  - { name: After, request: { url: '/anything/{{a.after}}' }, capture: { end: body.url } }
`,
      'c.suite.yaml': `
suite_name: C
node_id: c
base_url: ${echo.url}
steps: [{ name: End, request: { url: '/anything/{{b.end}}' } }]
`,
    })
    await project.run(...args)
    expect(echo.paths()).toEqual(expect.arrayContaining(['/anything/1-none-none', '/anything/on']))
    const reasons = ['Default', 'Branch', 'Left', 'Failed', 'Goes on', 'After'].map(
      async (name) => (await project.step('b', name)).skip_reason,
    )
    expect(await Promise.all(reasons)).toEqual([
      undefined,
      'needs `a.branch`, which step “Branch” (a.suite.yaml:8) did not capture, because no branch that captures it was taken',
      'needs `a.left`, which step “Left” (a.suite.yaml:12) did not provide',
      'needs `a.failed`, which step “Failed” (a.suite.yaml:13) did not provide',
      undefined,
      'needs `a.after`, which step “After” (a.suite.yaml:15) did not provide, because it was skipped: needs `failed`, which “Failed” (a.suite.yaml:13) did not provide',
    ])
    expect((await project.step('c', 'End')).skip_reason).toBe(
      'needs `b.end`, which step “After” (b.suite.yaml:13) did not provide, because it was skipped: needs `failed`, which “Failed” (a.suite.yaml:13) did not provide',
    )
  },
)

test('a producer that fails without being part of the run skips the consumer and fails the run', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': producer(echo.url).replace('status_code: 200', 'status_code: 201'),
    'b.suite.yaml': consumer(echo.url),
  })
  const { code, output } = await project.run('b.suite.yaml')
  expect(output).toContain('2 passed | 1 skipped')
  expect(output).toMatch(/a\.suite\.yaml:\d+:\d+: The step “Log in” .* failed: .*status_code/)
  expect(code).toBe(1)
  expect((await project.result('profile')).status).toBe('failure')
})

test.each([['a.suite.yaml', 'b.suite.yaml'], ['b.suite.yaml']])(
  'an exported variable has what its templates read, in a run of %s %s',
  async (...files) => {
    await using echo = await startLoggedEcho()
    await using project = await createProject(
      {
        'a.suite.yaml': `
suite_name: A
base_url: ${echo.url}
exports: [header]
variables: { header: 'Bearer {{token}}' }
steps:
  - name: Unrelated
    request: { url: /anything/unrelated }
  - name: Log in
    request: { url: '/anything/login?token=T1' }
    capture: { token: body.args.token }
`,
        'b.suite.yaml': `
suite_name: B
base_url: ${echo.url}
steps:
  - name: Read
    request: { url: /headers, headers: { authorization: '{{a.header}}' } }
    assert: { body.headers.Authorization: Bearer T1 }
`,
      },
      { suites: `{ unresolved: 'error' }` },
    )
    const { code, output } = await project.run(...files)
    expect(output).not.toContain('failed')
    expect(code).toBe(0)
    expect(echo.count('/anything/login')).toBe(1)
  },
)

test.each([[[]], [['b.suite.yaml']], [['-t', 'code=500|Read']]])(
  'an export of rows is that of the last one, whatever failed in the others, in a run of %j',
  async (files) => {
    await using echo = await startLoggedEcho()
    await using project = await createProject({
      'a.suite.yaml': `
suite_name: A
node_id: a
base_url: ${echo.url}
exports: [status]
each: [{ code: 500 }, { code: 200 }]
steps:
  - name: Give
    request: { url: '/status/{{code}}' }
    assert: { status_code: 200 }
    capture: { status: status_code }
`,
      'b.suite.yaml': `
suite_name: B
base_url: ${echo.url}
steps:
  - { name: Read, request: { url: '/anything/{{a.status}}' } }
`,
    })
    expect((await project.run(...files)).code).toBe(1)
    expect((await project.step('b', 'Read')).status).toBe('success')
    expect(echo.count('/anything/200')).toBe(1)
  },
)

test.each([
  [
    'does not load',
    { 'a.suite.yaml': (text: string) => `${text}    nonsense: 1\n` },
    'Unknown field `nonsense`',
  ],
  [
    'has the node id of another',
    { 'a2.suite.yaml': (text: string) => text },
    'The node id `auth` is also that of',
  ],
])('a producer beside the run that %s fails those that need it, told once', async (_, changed, why) => {
  await using echo = await startLoggedEcho()
  const text = producer(echo.url)
  await using project = await createProject({
    'a.suite.yaml': text,
    ...Object.fromEntries(Object.entries(changed).map(([name, change]) => [name, change(text)])),
    'b.suite.yaml': consumer(echo.url),
    'd.suite.yaml': `suite_name: Depends\nbase_url: ${echo.url}\ndepends: [auth]\nsteps:\n${steps('alone')}`,
  })
  const { code, output } = await project.run('b.suite.yaml', 'd.suite.yaml')
  expect(code).toBe(1)
  expect(output.split('which this one needs, could not be loaded.')).toHaveLength(2)
  expect(output).toContain(why)
  expect(echo.count('/anything/login')).toBe(0)
})

test('a producer that cannot be loaded fails alone; its consumer is skipped', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': `${producer(echo.url)}    nonsense: 1\n`,
    'b.suite.yaml': consumer(echo.url),
    'c.suite.yaml': `suite_name: Other\nbase_url: ${echo.url}\nsteps:\n${steps('alone')}`,
    'd.suite.yaml': `${consumer(echo.url).replace('node_id: profile', 'node_id: caller')}  - { name: Call, call: { suite: auth } }\n`,
  })
  const { code, output } = await project.run()
  expect(output).toContain('nonsense')
  for (const nodeId of ['profile', 'caller'])
    expect((await project.step(nodeId, 'Fetch profile')).skip_reason).toBe(
      'needs `auth.token`, which the suite `auth` (it could not be loaded) did not provide',
    )
  expect(output).toMatch(/1 failed \| 5 passed \| 2 skipped/)
  expect(code).toBe(1)
  expect(echo.count('/anything/login')).toBe(0)
})

test('an exported variable is given by the call that it reads, and is missing like a capture that it reads', async () => {
  await using project = await createProject({
    'users.suite.yaml': `suite_name: Users
base_url: '{{echo_url}}'
steps: [{ name: Create, request: { url: '/get?id=7' }, capture: { id: body.args.id } }]
`,
    'shop.suite.yaml': `suite_name: Shop
base_url: '{{echo_url}}'
exports: [user, coupon]
variables: { user: 'u-{{users.id}}', coupon: '{{js: "c-" + code}}' }
steps:
  - { name: Call, call: { suite: users } }
  - { name: Coupon, skip: 1 < 2, request: { url: /get }, capture: { code: status_code } }
`,
    'reader.suite.yaml': `suite_name: Reader
base_url: '{{echo_url}}'
steps:
  - { name: User, request: { url: '/get?id={{shop.user}}' }, assert: { body.args.id: u-7 } }
  - { name: Default, request: { url: '/get?id={{shop.coupon ?? "none"}}' }, assert: { body.args.id: none } }
  - { name: None, request: { url: '/get?id={{shop.coupon}}' } }
`,
  })
  for (const filter of ['reader', '.suite.yaml']) {
    await project.run(filter)
    const { steps_results } = await project.result('reader')
    expect(steps_results.map(({ status }) => status)).toEqual(['success', 'success', 'skipped'])
  }
})
