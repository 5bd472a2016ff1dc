import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createSuiteProject } from './fixtures/suite-project.ts'

/** A suite that exports `token`, in one step. */
const producer = (url: string, more = ''): string => `
suite_name: Auth
node_id: auth
base_url: ${url}
exports: [token]
steps:
  - name: Log in
    request: { method: POST, url: /anything/login, body: { token: secret-1 } }
    assert: { status_code: 200 }
    capture: { token: body.json.token }
${more}`

/** Steps that each send one request, to a path like their name. */
const steps = (...names: string[]): string =>
  names
    .map(
      (name) =>
        `  - name: ${name}\n    request: { url: /anything/${name.toLowerCase().replaceAll(' ', '-')} }\n`,
    )
    .join('')

/** A suite of three steps whose last reads the token. */
const consumer = (url: string): string => `
suite_name: Profile
node_id: profile
base_url: ${url}
steps:
  - name: Ping
    request: { url: /anything/ping }
  - name: Ping again
    request: { url: /anything/ping }
  - name: Fetch profile
    request: { url: /anything/profile, params: { t: '{{auth.token}}' } }
    assert: { body.args.t: secret-1 }
`

const constellations = [1, 2, 4].flatMap((workers) =>
  [
    ['a', 'b'],
    ['b', 'a'],
  ].map(([first, second]) => ({ workers, first, second })),
)

test.each(constellations)(
  'the producer runs once with $workers workers when it is called $first and the consumer $second',
  async ({ workers, first, second }) => {
    await using echo = await startLoggedEcho()
    await using project = await createSuiteProject(
      { [`${first}.suite.yaml`]: producer(echo.url), [`${second}.suite.yaml`]: consumer(echo.url) },
      { suites: `{ maxWorkers: ${workers} }` },
    )
    const { code, output } = await project.run()
    expect(output).toContain('4 passed')
    expect(code).toBe(0)
    expect(echo.count('/anything/login')).toBe(1)
  },
)

test('over two shards the producer runs once in each', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createSuiteProject({
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
  await using project = await createSuiteProject({
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
  await using project = await createSuiteProject({
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
  await using project = await createSuiteProject(
    {
      'a.suite.yaml': producer(echo.url, steps('Chosen one')),
      'b.suite.yaml': consumer(echo.url),
    },
    { suites: '{ maxWorkers: 1 }' },
  )
  const { output } = await project.run('-t', 'Chosen one')
  expect(output).toContain('1 passed')
  expect(echo.paths()).toEqual(['/anything/chosen-one'])
})

test('a failed producer skips the consumer, naming the failed step', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createSuiteProject({
    'a.suite.yaml': producer(echo.url).replace('status_code: 200', 'status_code: 201'),
    'b.suite.yaml': consumer(echo.url),
  })
  const { code, output } = await project.run()
  expect(output).toMatch(/1 failed \| 3 skipped/)
  expect(code).toBe(1)
  expect(echo.paths()).toEqual(['/anything/login'])
  const { skip_reason } = await project.step('profile', 'Fetch profile')
  expect(skip_reason).toBe('needs the suite `auth`: step “Log in” (a.suite.yaml:7) failed')
})

test('a producer that fails without being part of the run skips the consumer and fails the run', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createSuiteProject({
    'a.suite.yaml': producer(echo.url).replace('status_code: 200', 'status_code: 201'),
    'b.suite.yaml': consumer(echo.url),
  })
  const { code, output } = await project.run('b.suite.yaml')
  expect(output).toContain('3 skipped')
  expect(output).toMatch(/a\.suite\.yaml:\d+:\d+: The step “Log in” .* failed: .*status_code/)
  expect(code).toBe(1)
  expect((await project.result('profile')).status).toBe('failure')
})

test('a producer that cannot be loaded fails alone; its consumer is skipped', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createSuiteProject({
    'a.suite.yaml': `${producer(echo.url)}    nonsense: 1\n`,
    'b.suite.yaml': consumer(echo.url),
    'c.suite.yaml': `suite_name: Other\nbase_url: ${echo.url}\nsteps:\n${steps('alone')}`,
  })
  const { code, output } = await project.run()
  expect(output).toContain('nonsense')
  expect((await project.step('profile', 'Ping')).skip_reason).toBe(
    'needs the suite `auth`: it could not be run',
  )
  expect(output).toMatch(/1 passed \| 3 skipped/)
  expect(code).toBe(1)
  expect(echo.count('/anything/login')).toBe(0)
})

test('suites that need each other are load errors that name the circle; other suites run', async () => {
  await using echo = await startLoggedEcho()
  const circle = (id: string, other: string): string => `
suite_name: ${id}
node_id: ${id}
base_url: ${echo.url}
exports: [value]
steps:
  - name: Step of ${id}
    request: { url: '/anything/${id}/{{${other}.value}}' }
    capture: { value: body.method }
`
  await using project = await createSuiteProject({
    'a.suite.yaml': circle('alpha', 'beta'),
    'b.suite.yaml': circle('beta', 'gamma'),
    'c.suite.yaml': circle('gamma', 'alpha'),
    'd.suite.yaml': producer(echo.url),
  })
  const { code, output } = await project.run()
  expect(output).toContain('a.suite.yaml → b.suite.yaml → c.suite.yaml → a.suite.yaml')
  expect(output).toContain('1 passed')
  expect(code).toBe(1)
})

test('suites that call each other are load errors that name the circle', async () => {
  await using echo = await startLoggedEcho()
  const caller = (id: string, other: string): string => `
suite_name: ${id}
node_id: ${id}
base_url: ${echo.url}
steps:
  - name: Call ${other}
    call: { suite: ${other} }
`
  await using project = await createSuiteProject({
    'a.suite.yaml': caller('alpha', 'beta'),
    'b.suite.yaml': caller('beta', './a.suite.yaml'),
  })
  const { code, output } = await project.run()
  expect(output).toContain('a.suite.yaml → b.suite.yaml → a.suite.yaml')
  expect(code).toBe(1)
})

test('a chain of suites runs once each, in every order of names and with every number of workers', async () => {
  await using echo = await startLoggedEcho()
  const link = (id: string, reads?: string): string => `
suite_name: ${id}
node_id: ${id}
base_url: ${echo.url}
exports: [value]
steps:
  - name: Step of ${id}
    request: { url: '/anything/${id}', params: { v: '${reads ? `{{${reads}.value}}-` : ''}${id}' } }
    capture: { value: body.args.v }
`
  for (const workers of [1, 2, 4]) {
    await using project = await createSuiteProject(
      {
        'a.suite.yaml': link('last', 'middle'),
        'b.suite.yaml': link('middle', 'first'),
        'c.suite.yaml': link('first'),
        'd.suite.yaml': link('other', 'first'),
      },
      { suites: `{ maxWorkers: ${workers} }` },
    )
    echo.requests.length = 0
    const { code } = await project.run()
    expect(code).toBe(0)
    expect(echo.paths().toSorted()).toEqual(
      ['first', 'last', 'middle', 'other'].map((id) => `/anything/${id}`),
    )
    expect((await project.result('last')).variables_captured).toEqual({ value: 'first-middle-last' })
    expect((await project.result('last')).available_variables).toMatchObject({
      'middle.value': 'first-middle',
    })
    echo.requests.length = 0
    expect((await project.run('a.suite.yaml')).code).toBe(0)
    expect(echo.paths()).toEqual(['/anything/first', '/anything/middle', '/anything/last'])
  }
})

test('a suite that others only depend on runs first and once', async () => {
  await using echo = await startLoggedEcho()
  const files = {
    'b.suite.yaml': `
suite_name: Seed
node_id: seed
base_url: ${echo.url}
steps:
  - name: Fill the tables
    request: { url: /anything/seed }
`,
    'a.suite.yaml': `
suite_name: Reader
base_url: ${echo.url}
depends: [seed]
steps:
  - name: Read the tables
    request: { url: /anything/read }
`,
  }
  for (const workers of [1, 2]) {
    await using project = await createSuiteProject(files, { suites: `{ maxWorkers: ${workers} }` })
    for (const args of [[], ['a.suite.yaml'], ['-t', 'Read']]) {
      echo.requests.length = 0
      const { code } = await project.run(...args)
      expect(code).toBe(0)
      expect(echo.paths()).toEqual(['/anything/seed', '/anything/read'])
    }
  }
})

test('the exports of a suite with several rows are those of its last row', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createSuiteProject({
    'a.suite.yaml': producer(echo.url)
      .replace('exports:', 'each: [{ user: ann }, { user: bob }]\nexports:')
      .replace('secret-1', "'token-of-{{user}}'"),
    'b.suite.yaml': consumer(echo.url).replace('secret-1', 'token-of-bob'),
  })
  const all = await project.run()
  expect(all.output).toContain('5 passed')
  expect(echo.count('/anything/login')).toBe(2)
  const alone = await project.run('b.suite.yaml')
  expect(alone.code).toBe(0)
  expect(echo.count('/anything/login')).toBe(4)
})

test('what was captured is sent as it is, whatever it looks like', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createSuiteProject({
    'a.suite.yaml': `
suite_name: Hostile
node_id: hostile
base_url: ${echo.url}
exports: [text, __proto__, constructor]
steps:
  - name: Get it
    request: { method: POST, url: /anything/get, body: '{"t": "{\\u007bjs: 1+1}}", "p": "{\\u007bother.text}}"}', headers: { content-type: application/json } }
    capture: { text: body.json.t, __proto__: body.json.p, constructor: body.json.t }
  - name: Send it on
    request: { method: POST, url: /anything/send, body: { t: '{{text}}', whole: 'a {{text}} b' } }
    assert:
      body.json.t: { pattern: '^\\{\\{js: 1\\+1\\}\\}$' }
`,
    'b.suite.yaml': `
suite_name: Reader
base_url: ${echo.url}
steps:
  - name: Read
    request: { method: POST, url: /anything/read, body: { t: '{{hostile.text}}', p: '{{hostile.__proto__}}', c: '{{hostile.constructor}}'} }
    assert:
      body.data: { contains: '{js: 1+1}', not_contains: '2' }
`,
  })
  const { code, output } = await project.run()
  expect(output).toContain('3 passed')
  expect(code).toBe(0)
  const { request_details } = await project.step('b', 'Read')
  expect(request_details?.body).toEqual({
    t: '{{js: 1+1}}',
    p: '{{other.text}}',
    c: '{{js: 1+1}}',
  })
})

test('exports that cannot be handed on fail the run and skip those who read them', async () => {
  await using project = await createSuiteProject({
    'a.suite.yaml': `
suite_name: Deep
node_id: deep
exports: [value]
variables:
  value: ${'['.repeat(90)}${']'.repeat(90)}
steps:
  - name: Grow
    request: { method: POST, url: '{{echo_url}}/post', body: '{{text}}', headers: { content-type: application/json } }
    capture: { value: body.json }
`.replace('{{text}}', `${'['.repeat(600)}${']'.repeat(600)}`),
    'b.suite.yaml': `
suite_name: Reader
steps:
  - name: Read
    request: { url: '{{echo_url}}/get', params: { n: '{{deep.value.length}}' } }
`,
  })
  const { code, output } = await project.run()
  expect(output).toContain('the export `value` is nested deeper than 500 levels')
  expect(output).not.toContain('Unhandled')
  expect(code).toBe(1)
  expect((await project.step('b', 'Read')).status).toBe('skipped')
})
