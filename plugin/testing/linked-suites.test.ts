import { mkdir, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { consumer, producer } from './fixtures/export-suites.ts'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'

test('suites that need each other are load errors that name the cycle; other suites run', async () => {
  await using echo = await startLoggedEcho()
  const cycle = (id: string, other: string): string => `
suite_name: ${id}
node_id: ${id}
base_url: ${echo.url}
exports: [value]
steps:
  - name: Step of ${id}
    request: { url: '/anything/${id}/{{${other}.value}}' }
    capture: { value: body.method }
`
  await using project = await createProject({
    'a.suite.yaml': cycle('alpha', 'beta'),
    'b.suite.yaml': cycle('beta', 'gamma'),
    'c.suite.yaml': cycle('gamma', 'alpha'),
    'd.suite.yaml': producer(echo.url),
  })
  const { code, output } = await project.run()
  expect(output).toContain('a.suite.yaml → b.suite.yaml → c.suite.yaml → a.suite.yaml')
  expect(output).toContain('1 passed')
  expect(code).toBe(1)
})

test('suites that call each other are load errors that name the cycle', async () => {
  await using echo = await startLoggedEcho()
  const caller = (id: string, other: string): string => `
suite_name: ${id}
node_id: ${id}
base_url: ${echo.url}
steps:
  - name: Call ${other}
    call: { suite: ${other} }
`
  await using project = await createProject({
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
  for (const workers of [1, 4]) {
    await using project = await createProject(
      {
        'a.suite.yaml': link('last', 'middle'),
        'b.suite.yaml': link('middle', 'first'),
        'c.suite.yaml': link('first'),
        'd.suite.yaml': link('other', 'first'),
      },
      { suites: `{ concurrency: ${workers} }` },
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
    await using project = await createProject(files, { suites: `{ concurrency: ${workers} }` })
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
  await using project = await createProject({
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

test('what only an earlier row gave is no export', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': `
suite_name: A
node_id: a
base_url: ${echo.url}
each: [{ user: ann }, { user: bob }]
exports: [found]
steps:
  - name: Look
    request: { url: '/get?user={{user}}' }
    assert: { status_code: 200 }
    scenarios: [{ condition: body.args.user == 'ann', then: { capture: { found: body.args.user } } }]
`,
    'b.suite.yaml': `
suite_name: B
base_url: ${echo.url}
steps:
  - { name: Use, request: { url: "/anything/{{a.found ?? 'none'}}" } }
`,
  })
  await project.run()
  expect(echo.paths()).toContain('/anything/none')
})

test('a null that was captured is an export, whatever the variable of its name holds', async () => {
  await using echo = await startLoggedEcho()
  const suite = (nodeId: string, rest: string): string =>
    `suite_name: S\nnode_id: ${nodeId}\nbase_url: ${echo.url}\n${rest}`
  await using project = await createProject({
    'a.suite.yaml': suite(
      'giver',
      `exports: [next, cursor]
variables: { cursor: first }
steps:
  - name: Last page
    request: { method: POST, url: /post, body: { next: null } }
    capture: { next: body.json.next, cursor: body.json.next }
`,
    ),
    'b.suite.yaml': suite(
      'reader',
      `steps:
  - name: Use
    request: { method: POST, url: /post, body: { next: '{{giver.next}}', cursor: '{{giver.cursor}}' } }
    assert: { body.json: { next: null, cursor: null } }
`,
    ),
  })
  const { output } = await project.run()
  expect(output).toMatch(/Tests {2}2 passed \(2\)/)
})

test('what was captured is sent as it is, whatever it looks like', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
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
  expect((await project.run('b.suite')).output).toContain('1 passed')
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

test('suites in a folder behind a link are called and read by suites of both kinds', async () => {
  const calls = (path: string): string =>
    `[{ name: 'Call', call: { suite: '${path}' } }, { name: 'Read', request: { url: '/get?code={{login.code}}' }, assert: { 'body.args.code': '200' } }]`
  const login = `suite_name: Log in
node_id: login
base_url: '{{echo_url}}'
steps:
  - name: Log in
    request: { url: /get }
    capture: { code: status_code }
exports: [code]
`
  await using project = await createProject({
    'shared/login.suite.yaml': login,
    'tests/orders.suite.yaml': `suite_name: Orders\nbase_url: '{{echo_url}}'\nsteps: ${calls('shared/login.suite.yaml')}\n`,
    'tests/typed.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Typed', base_url: '{{echo_url}}', steps: ${calls('shared/login.suite.yaml')} })
`,
  })
  const elsewhere = `${project.root}-shared`
  await mkdir(elsewhere)
  await rename(join(project.root, 'shared'), join(elsewhere, 'suites'))
  await symlink(join(elsewhere, 'suites'), join(project.root, 'tests/shared'))
  const { output } = await project.run()
  expect(output).toContain('Tests  5 passed (5)')
})
