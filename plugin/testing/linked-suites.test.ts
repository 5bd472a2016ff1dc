import { mkdir, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { consumer, producer } from './fixtures/export-suites.ts'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

/** Runs the suites in the folder `run`. */
const inOneRun = shareRun({}, 'run/')

const cyclic = inOneRun((url) => {
  const suite = (id: string, rest: string): string =>
    `suite_name: ${id}\nnode_id: ${id}\nbase_url: ${url}\n${rest}\n`
  const reads = (id: string, other: string): string =>
    suite(
      id,
      `exports: [value]
steps:
  - name: Step of ${id}
    request: { url: '/anything/${id}/{{${other}.value}}' }
    capture: { value: body.method }`,
    )
  const calls = (id: string, other: string): string =>
    suite(id, `steps: [{ name: Call ${other}, call: { suite: ${other} } }]`)
  return {
    'run/a.suite.yaml': reads('alpha', 'beta'),
    'run/b.suite.yaml': reads('beta', 'gamma'),
    'run/c.suite.yaml': reads('gamma', 'alpha'),
    'run/d.suite.yaml': producer(url),
    'run/x.suite.yaml': calls('xi', 'ypsilon'),
    'run/y.suite.yaml': calls('ypsilon', './x.suite.yaml'),
  }
})

test('suites that need or call each other are load errors that name the cycle; other suites run', async () => {
  const { code, echo, output, statuses } = await cyclic()
  expect(output).toContain('run/a.suite.yaml → run/b.suite.yaml → run/c.suite.yaml → run/a.suite.yaml')
  expect(output).toContain('run/x.suite.yaml → run/y.suite.yaml → run/x.suite.yaml')
  expect(await statuses('auth')).toBe('success')
  expect(echo.paths()).toEqual(['/anything/login'])
  expect(code).toBe(1)
})

for (const workers of [1, 4]) {
  const together = shareRun({ suites: `{ concurrency: ${workers} }` }, 'run/')
  const chains = together((url) => {
    const link = (id: string, reads?: string): string => `
suite_name: ${id}
node_id: ${id}
base_url: ${url}
exports: [value]
steps:
  - name: Step of ${id}
    request: { url: '/anything/${id}', params: { v: '${reads ? `{{${reads}.value}}-` : ''}${id}' } }
    capture: { value: body.args.v }
`
    return {
      'run/a.suite.yaml': link('last', 'middle'),
      'run/b.suite.yaml': link('middle', 'first'),
      'run/c.suite.yaml': link('first'),
      'run/d.suite.yaml': link('other', 'first'),
      'run/e.suite.yaml': link('end', 'between'),
      'f.suite.yaml': link('between', 'begin'),
      'g.suite.yaml': link('begin'),
    }
  })

  test(`a chain of suites runs once each, in every order of names, with ${workers} workers`, async () => {
    const { code, echo, project } = await chains()
    expect(code).toBe(0)
    const ids = ['begin', 'between', 'end', 'first', 'last', 'middle', 'other']
    expect(echo.paths().toSorted()).toEqual(ids.map((id) => `/anything/${id}`))
    const last = await project.result('last')
    expect(last.variables_captured).toEqual({ value: 'first-middle-last' })
    expect(last.available_variables).toMatchObject({ 'middle.value': 'first-middle' })
    expect((await project.result('end')).variables_captured).toEqual({ value: 'begin-between-end' })
  })

  const seeded = together((url) => ({
    ...seedAndReader(url, 'run/seed.suite.yaml', 'run/early-reader.suite.yaml'),
    ...seedAndReader(url, 'plant.suite.yaml', 'run/reader.suite.yaml'),
  }))

  test(`a suite that others only depend on runs first and once, with ${workers} workers`, async () => {
    const { code, echo } = await seeded()
    expect(code).toBe(0)
    for (const id of ['seed', 'plant'])
      expect(
        echo
          .sent()
          .split(' ')
          .filter((path) => path.startsWith(id)),
      ).toEqual([id, `${id}/read`])
  })
}

/** A suite, and one that depends on it. */
function seedAndReader(url: string, seed: string, reader: string): Record<string, string> {
  const id = seed.replaceAll(/.*\/|\..*/g, '')
  const suite = (step: string, more = ''): string =>
    `suite_name: ${more ? 'Reads' : 'Seed'}\nbase_url: ${url}\n${more}steps: [{ name: Step, request: { url: /anything/${step} } }]\n`
  return { [seed]: suite(id), [reader]: suite(`${id}/read`, `depends: [${id}]\n`) }
}

test('a suite that others only depend on runs first, also where a filter leaves it out', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(seedAndReader(echo.url, 'seed.suite.yaml', 'reader.suite.yaml'))
  const { code } = await project.run('-t', 'Reads')
  expect(code).toBe(0)
  expect(echo.paths()).toEqual(['/anything/seed', '/anything/seed/read'])
})

const rows = inOneRun((url) => {
  const gives = producer(url)
    .replace('exports:', 'each: [{ user: ann }, { user: bob }]\nexports:')
    .replace('secret-1', "'token-of-{{user}}'")
    .replace('/anything/login', "'/anything/{{user}}'")
  const reads = consumer(url).replace('secret-1', 'token-of-bob')
  return {
    'run/rows.suite.yaml': gives.replace('node_id: auth', 'node_id: rows'),
    'run/reads-rows.suite.yaml': reads.replace('auth', 'rows').replace('node_id: profile', ''),
    'beside.suite.yaml': gives.replace('node_id: auth', 'node_id: beside'),
    'run/reads-beside.suite.yaml': reads.replace('auth', 'beside').replace('node_id: profile', ''),
  }
})

test('the exports of a suite with several rows are those of its last row', async () => {
  const { echo, statuses } = await rows()
  expect(await statuses('reads-rows')).toBe('success success success')
  expect(await statuses('reads-beside')).toBe('success success success')
  expect([echo.count('/anything/ann'), echo.count('/anything/bob')]).toEqual([2, 2])
})

const earlier = inOneRun((url) => ({
  'run/look.suite.yaml': `
suite_name: A
base_url: ${url}
each: [{ user: ann }, { user: bob }]
exports: [found]
steps:
  - name: Look
    request: { url: '/get?user={{user}}' }
    assert: { status_code: 200 }
    scenarios: [{ condition: body.args.user == 'ann', then: { capture: { found: body.args.user } } }]
`,
  'run/use.suite.yaml': `
suite_name: B
base_url: ${url}
steps:
  - { name: Use, request: { url: "/anything/{{look.found ?? 'none'}}" } }
`,
}))

test('what only an earlier row gave is no export', async () => {
  const { echo } = await earlier()
  expect(echo.paths()).toContain('/anything/none')
})

const nulls = inOneRun((url) => ({
  'run/giver.suite.yaml': `suite_name: S
base_url: ${url}
exports: [next, cursor]
variables: { cursor: first }
steps:
  - name: Last page
    request: { method: POST, url: /post, body: { next: null } }
    capture: { next: body.json.next, cursor: body.json.next }
`,
  'run/null-reader.suite.yaml': `suite_name: S
base_url: ${url}
steps:
  - name: Use
    request: { method: POST, url: /post, body: { next: '{{giver.next}}', cursor: '{{giver.cursor}}' } }
    assert: { body.json: { next: null, cursor: null } }
`,
}))

test('a null that was captured is an export, whatever the variable of its name holds', async () => {
  const { statuses } = await nulls()
  expect(await statuses('giver')).toBe('success')
  expect(await statuses('null-reader')).toBe('success')
})

const hostile = inOneRun((url) => {
  const gives = `
suite_name: Hostile
base_url: ${url}
exports: [text, __proto__, constructor]
steps:
  - name: Get it
    request: { method: POST, url: /anything/get, body: '{"t": "{\\u007bjs: 1+1}}", "p": "{\\u007bother.text}}"}', headers: { content-type: application/json } }
    capture: { text: body.json.t, __proto__: body.json.p, constructor: body.json.t }
  - name: Send it on
    request: { method: POST, url: /anything/send, body: { t: '{{text}}', whole: 'a {{text}} b' } }
    assert:
      body.json.t: { pattern: '^\\{\\{js: 1\\+1\\}\\}$' }
`
  const reads = (id: string): string => `
suite_name: Reader
base_url: ${url}
steps:
  - name: Read
    request: { method: POST, url: /anything/read, body: { t: '{{${id}.text}}', p: '{{${id}.__proto__}}', c: '{{${id}.constructor}}'} }
    assert:
      body.data: { contains: '{js: 1+1}', not_contains: '2' }
`
  return {
    'run/hostile.suite.yaml': gives,
    'run/hostile-reader.suite.yaml': reads('hostile'),
    'enemy.suite.yaml': gives,
    'run/enemy-reader.suite.yaml': reads('enemy'),
  }
})

test('what was captured is sent as it is, whatever it looks like', async () => {
  const { project, statuses } = await hostile()
  expect(await statuses('hostile')).toBe('success success')
  for (const nodeId of ['hostile-reader', 'enemy-reader']) {
    const { status, request_details } = await project.step(nodeId, 'Read')
    expect(status).toBe('success')
    expect(request_details?.body).toEqual({ t: '{{js: 1+1}}', p: '{{other.text}}', c: '{{js: 1+1}}' })
  }
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
