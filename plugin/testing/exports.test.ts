import { expect, test } from 'vitest'
import { consumer, producer, steps } from './fixtures/export-suites.ts'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

/** Runs the suites in the folder `run`. */
const inOneRun = shareRun({}, 'run/')
const strict = shareRun({ suites: "{ unresolved: 'error' }" }, 'run/')
/** Of the suites there, runs the steps with “Chosen” in their name, or in that of their suite. */
const filtered = shareRun({}, 'run/', '-t', 'Chosen')

const gives = (url: string, nodeId: string, more?: string): string =>
  producer(url, more).replace('node_id: auth', `node_id: ${nodeId}`)
const reads = (url: string, nodeId: string): string =>
  consumer(url).replace('node_id: profile', '').replace('auth.token', `${nodeId}.token`)

test.each([1, 2])('producers run once with %d workers, whatever the order of names', async (workers) => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'a.suite.yaml': gives(echo.url, 'early'),
      'b.suite.yaml': reads(echo.url, 'early'),
      'c.suite.yaml': reads(echo.url, 'late'),
      'd.suite.yaml': gives(echo.url, 'late'),
    },
    { suites: `{ concurrency: ${workers} }` },
  )
  const { code, output } = await project.run()
  expect(output).toContain('8 passed')
  expect(code).toBe(0)
  expect(echo.count('/anything/login')).toBe(2)
  const report = JSON.parse(await project.report('performance.json')) as object
  expect(report).toHaveProperty('concurrency', workers)
})

const marked = inOneRun(() => ({
  'run/marked.suite.yaml': `\uFEFFnode_id: login
suite_name: Log in
base_url: '{{echo_url}}'
steps:
  - name: Log in
    request: { url: /get }
    capture: { code: status_code }
exports: [code]
`,
  'run/orders.suite.yaml': `suite_name: Orders
base_url: '{{echo_url}}'
steps:
  - name: Order
    request: { url: '/get?code={{login.code}}' }
    assert: { body.args.code: '200' }
`,
}))

test('a producer whose file begins with a byte order mark has its node id', async () => {
  const { statuses } = await marked()
  expect(await statuses('login')).toBe('success')
  expect(await statuses('orders')).toBe('success')
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

const fileChosen = inOneRun((url) => ({
  'producer.suite.yaml': gives(url, 'apart', steps('after login')),
  'run/consumer.suite.yaml': reads(url, 'apart'),
}))

test('selecting only the consumer’s file runs what it needs of the producer, unreported', async () => {
  const { echo, project, statuses } = await fileChosen()
  expect(await statuses('consumer')).toBe('success success success')
  expect(await project.results()).not.toContain('apart.json')
  expect(echo.sent().split(' ').toSorted()).toEqual(['login', 'ping', 'ping', 'profile'])
})

const stepChosen = filtered((url) => ({
  'run/within.suite.yaml': producer(url, steps('after login')).replace('node_id: auth', ''),
  'run/profile.suite.yaml': reads(url, 'within').replace('Fetch profile', 'Chosen'),
  'beside.suite.yaml': producer(url, steps('after login')).replace('node_id: auth', ''),
  'run/other-profile.suite.yaml': reads(url, 'beside').replace('Fetch profile', 'Chosen'),
}))

test('selecting only the consumer’s last step runs what it needs of the producer, unreported', async () => {
  const { echo, project } = await stepChosen()
  for (const nodeId of ['profile', 'other-profile'])
    expect(await project.result(nodeId)).toMatchObject({ steps_successful: 1, steps_executed: 1 })
  expect(await project.result('within')).toMatchObject({ steps_executed: 0 })
  expect(await project.results()).not.toContain('beside.json')
  expect(echo.sent().split(' ').toSorted()).toEqual(['login', 'login', 'profile', 'profile'])
})

const failed = inOneRun((url) => ({
  'run/failed.suite.yaml': gives(url, 'failed')
    .replace('status_code: 200', 'status_code: 201')
    .replace('[token]', "[token, header]\nvariables: { header: 'Bearer {{token}}' }"),
  'run/reads.suite.yaml': `${reads(url, 'failed')}  - name: Read the header
    request: { url: '/anything/{{failed.header}}' }
`,
}))

test('a failed producer skips the consumer, naming the failed step, also where a suite variable reads its capture', async () => {
  const { echo, project, statuses } = await failed()
  expect(await statuses('failed')).toBe('failure')
  expect(await statuses('reads')).toBe('success success skipped skipped')
  expect(echo.paths()).toEqual(['/anything/login', '/anything/ping', '/anything/ping'])
  const { steps_results } = await project.result('reads')
  expect(steps_results.flatMap(({ skip_reason }) => skip_reason ?? [])).toEqual(
    ['token', 'header'].map(
      (name) =>
        `needs \`failed.${name}\`, which step “Log in” (run/failed.suite.yaml:8) captured, but it failed`,
    ),
  )
})

/** Suites of which `a` gives values to `b`, and `b` to `c`. */
const threeSuites = (url: string, a: string, id: string): Record<string, string> => ({
  [a]: `
suite_name: A
node_id: a${id}
base_url: ${url}
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
  [`run/b${id}.suite.yaml`]: `
suite_name: B
base_url: ${url}
exports: [end]
variables: { either: "{{a${id}.left ?? 'none'}}" }
steps:
  - { name: Default, request: { url: "/anything/${id}-{{a${id}.there}}-{{a${id}.branch ?? 'none'}}-{{either}}" } }
  - { name: Branch, request: { url: '/anything/{{a${id}.branch}}' } }
  - { name: Left, request: { url: '/anything/{{a${id}.left}}' } }
  - { name: Failed, request: { url: "/anything/{{a${id}.failed ?? 'none'}}" } }
  - { name: Goes on, request: { url: "/anything/${id}-{{a${id}.goes ?? 'on'}}" } }
  - { name: After, request: { url: '/anything/{{a${id}.after}}' }, capture: { end: body.url } }
`,
  [`run/c${id}.suite.yaml`]: `
suite_name: C
base_url: ${url}
steps: [{ name: End, request: { url: '/anything/{{b${id}.end}}' } }]
`,
})
const withDefaults = inOneRun((url) => ({
  ...threeSuites(url, 'run/a1.suite.yaml', '1'),
  ...threeSuites(url, 'a2.suite.yaml', '2'),
}))

test.each([
  ['run/a1.suite.yaml', '1'],
  ['a2.suite.yaml', '2'],
])(
  'a default stands for an export of a branch that was not taken, or of a step that was left out or may fail, of %s',
  async (a, id) => {
    const { echo, project } = await withDefaults()
    expect(echo.paths()).toEqual(
      expect.arrayContaining([`/anything/${id}-1-none-none`, `/anything/${id}-on`]),
    )
    const { steps_results } = await project.result(`b${id}`)
    expect(steps_results.map(({ skip_reason }) => skip_reason)).toEqual([
      undefined,
      `needs \`a${id}.branch\`, which step “Branch” (${a}:8) did not capture, because no branch that captures it was taken`,
      `needs \`a${id}.left\`, which step “Left” (${a}:12) did not provide`,
      `needs \`a${id}.failed\`, which step “Failed” (${a}:13) did not provide`,
      undefined,
      `needs \`a${id}.after\`, which step “After” (${a}:15) did not provide, because it was skipped: needs \`failed\`, which “Failed” (${a}:13) did not provide`,
    ])
    expect((await project.step(`c${id}`, 'End')).skip_reason).toBe(
      `needs \`b${id}.end\`, which step “After” (run/b${id}.suite.yaml:12) did not provide, because it was skipped: needs \`failed\`, which “Failed” (${a}:13) did not provide`,
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

const variables = strict((url) => {
  const gives = `
suite_name: A
base_url: ${url}
exports: [header]
variables: { header: 'Bearer {{token}}' }
steps:
  - name: Unrelated
    request: { url: /anything/unrelated }
  - name: Log in
    request: { url: '/anything/login?token=T1' }
    capture: { token: body.args.token }
`
  const reads = (nodeId: string): string => `
suite_name: B
base_url: ${url}
steps:
  - name: Read
    request: { url: /headers, headers: { authorization: '{{${nodeId}.header}}' } }
    assert: { body.headers.Authorization: Bearer T1 }
`
  return {
    'run/a.suite.yaml': gives,
    'run/reads-a.suite.yaml': reads('a'),
    'b.suite.yaml': gives,
    'run/reads-b.suite.yaml': reads('b'),
  }
})

test('an exported variable has what its templates read, whether its suite is part of the run or not', async () => {
  const { code, echo, output } = await variables()
  expect(output).toContain('4 passed (4)')
  expect(code).toBe(0)
  expect(echo.count('/anything/login')).toBe(2)
})

/** A suite with rows of which the first fails, and one that reads what it exports. */
const rows = (url: string, a: string, row = ''): Record<string, string> => {
  const nodeId = a.replace('run/', '')
  return {
    [`${a}.suite.yaml`]: `
suite_name: A
base_url: ${url}
exports: [status]
each: [{ code: 500${row} }, { code: 200 }]
steps:
  - name: Give
    request: { url: '/status/{{code}}' }
    assert: { status_code: 200 }
    capture: { status: status_code }
`,
    [`run/reads-${nodeId}.suite.yaml`]: `
suite_name: B
base_url: ${url}
steps:
  - { name: Chosen, request: { url: '/anything/${nodeId}-{{${nodeId}.status}}' } }
`,
  }
}
const rowsInRun = inOneRun((url) => ({ ...rows(url, 'run/all'), ...rows(url, 'beside') }))
const rowChosen = filtered((url) => rows(url, 'run/rows', ', is: Chosen'))

test('an export of rows is that of the last one, whatever failed in the others or was left out', async () => {
  const { echo, statuses } = await rowsInRun()
  expect(await statuses('all.1')).toBe('failure')
  for (const nodeId of ['all', 'beside']) {
    expect(await statuses(`reads-${nodeId}`)).toBe('success')
    expect(echo.count(`/anything/${nodeId}-200`)).toBe(1)
  }
  const chosen = await rowChosen()
  expect(await chosen.statuses('rows.1')).toBe('failure')
  expect(await chosen.statuses('reads-rows')).toBe('success')
  expect(chosen.echo.count('/anything/rows-200')).toBe(1)
})

const unusable = inOneRun((url) => {
  const readers = (nodeId: string): Record<string, string> => ({
    [`run/${nodeId}-b.suite.yaml`]: reads(url, nodeId),
    [`run/${nodeId}-d.suite.yaml`]: `suite_name: Depends\nbase_url: ${url}\ndepends: [${nodeId}]\nsteps:\n${steps('alone')}`,
  })
  return {
    'broken.suite.yaml': `${gives(url, 'broken')}    nonsense: 1\n`,
    ...readers('broken'),
    'double.suite.yaml': gives(url, 'double'),
    'double2.suite.yaml': gives(url, 'double'),
    ...readers('double'),
  }
})

test.each([
  ['does not load', 'broken', 'Unknown field `nonsense`'],
  ['has the node id of another', 'double', 'The node id `double` is also that of'],
])('a producer beside the run that %s fails those that need it, told once', async (_, nodeId, why) => {
  const { echo, output, project } = await unusable()
  const told = output.split(`The suite \`${nodeId}\`, which this one needs, could not be loaded.\n`)
  expect(told).toHaveLength(2)
  expect(told[1]?.split('❯')[0]).toContain(why)
  expect((await project.result(`${nodeId}-b`)).status).toBe('failure')
  expect((await project.result(`${nodeId}-d`)).status).toBe('skipped')
  expect(echo.count('/anything/login')).toBe(0)
})

const unloadable = inOneRun((url) => ({
  'run/unloadable.suite.yaml': `${gives(url, 'unloadable')}    nonsense: 1\n`,
  'run/profile.suite.yaml': reads(url, 'unloadable'),
  'run/alone.suite.yaml': `suite_name: Other\nbase_url: ${url}\nsteps:\n${steps('alone')}`,
  'run/calls.suite.yaml': `${reads(url, 'unloadable')}  - { name: Call, call: { suite: unloadable } }\n`,
}))

test('a producer that cannot be loaded fails alone; its consumer is skipped', async () => {
  const { echo, output, project, statuses } = await unloadable()
  expect(output).toMatch(/run\/unloadable\.suite\.yaml:\d+:\d+ error unknown-field: Unknown field `nonsense`/)
  for (const nodeId of ['profile', 'calls'])
    expect((await project.step(nodeId, 'Fetch profile')).skip_reason).toBe(
      'needs `unloadable.token`, which the suite `unloadable` (it could not be loaded) did not provide',
    )
  expect(await statuses('profile')).toBe('success success skipped')
  expect(await statuses('calls')).toBe('success success skipped failure')
  expect(await statuses('alone')).toBe('success')
  expect(echo.count('/anything/login')).toBe(0)
})

const calling = inOneRun(() => {
  const shop = `suite_name: Shop
base_url: '{{echo_url}}'
exports: [user, coupon]
variables: { user: 'u-{{users.id}}', coupon: '{{js: "c-" + code}}' }
steps:
  - { name: Call, call: { suite: users } }
  - { name: Coupon, skip: 1 < 2, request: { url: /get }, capture: { code: status_code } }
`
  const reads = (nodeId: string): string => `suite_name: Reader
base_url: '{{echo_url}}'
steps:
  - { name: User, request: { url: '/get?id={{${nodeId}.user}}' }, assert: { body.args.id: u-7 } }
  - { name: Default, request: { url: '/get?id={{${nodeId}.coupon ?? "none"}}' }, assert: { body.args.id: none } }
  - { name: None, request: { url: '/get?id={{${nodeId}.coupon}}' } }
`
  return {
    'users.suite.yaml': `suite_name: Users
base_url: '{{echo_url}}'
steps: [{ name: Create, request: { url: '/get?id=7' }, capture: { id: body.args.id } }]
`,
    'run/shop.suite.yaml': shop,
    'run/reads-shop.suite.yaml': reads('shop'),
    'market.suite.yaml': shop,
    'run/reads-other.suite.yaml': reads('market'),
  }
})

test('an exported variable is given by the call that it reads, and is missing like a capture that it reads', async () => {
  const { statuses } = await calling()
  expect(await statuses('reads-shop')).toBe('success success skipped')
  expect(await statuses('reads-other')).toBe('success success skipped')
})
