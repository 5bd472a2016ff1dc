import { afterAll, describe, expect, test } from 'vitest'
import { startHttpServer } from '../../src/request/fixtures/http-server.ts'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

const rules = (url: string, id: string, { top = '', first = '', setup = 200 } = {}): string => `
suite_name: Rules
base_url: ${url}
${top}
setup:
  - name: Prepare
    request: { url: /anything/${id}/setup }
    assert: { status_code: ${setup} }
steps:
  - name: Log in
    request: { url: '/status/500?${id}' }
    ${first}
    assert: { status_code: 200 }
    capture: { token: body.json.token }
  - name: Needs it
    request: { url: '/anything/${id}/needs/{{token}}' }
    capture: { more: body.method }
  - name: Needs what that gives
    request: { url: '/anything/${id}/needs-more/{{more}}' }
  - name: Independent
    request: { url: /anything/${id}/independent }
teardown:
  - name: Clean up
    request: { url: /anything/${id}/teardown }
`

const inOneRun = shareRun(
  {},
  '--reporter=tree',
  '--reporter=./node_modules/suitecase/dist/plugin/reporter.js',
)

describe('after a failure', () => {
  const failures = inOneRun((url) => ({
    'rules.suite.yaml': rules(url, 'rules'),
    'stop.suite.yaml': rules(url, 'stop', { top: 'on_failure: stop' }),
    'continue.suite.yaml': rules(url, 'continue', { top: 'on_failure: continue' }),
    'step.suite.yaml': rules(url, 'step', { top: 'on_failure: stop', first: 'continue_on_failure: true' }),
    'setup.suite.yaml': rules(url, 'setup', { setup: 404 }),
  }))

  const pathsOf = async (id: string): Promise<string[]> =>
    (await failures()).echo.requests
      .map(({ url }) => url)
      .filter((path) => path.includes(id))
      .map((path) => path.replace(`/${id}/`, '/').replace(`?${id}`, ''))

  test('of the first step, its dependents are skipped by name, the others and the teardown run', async () => {
    const { code, output, project } = await failures()
    expect(code).toBe(1)
    expect(await pathsOf('rules')).toEqual([
      '/anything/setup',
      '/status/500',
      '/anything/independent',
      '/anything/teardown',
    ])
    expect(output).toContain('[needs `token`, which “Log in” (line 10) did not provide]')
    expect(output).toContain('[needs `more`, which “Needs it” (line 15) did not provide]')
    const { steps_results, ...suite } = await project.result('rules')
    expect(suite).toMatchObject({ steps_successful: 3, steps_failed: 1, steps_skipped: 2, success_rate: 75 })
    expect(steps_results.map(({ step_id, status }) => `${step_id} ${status}`)).toEqual([
      'setup-1-prepare success',
      'step-1-log-in failure',
      'step-2-needs-it skipped',
      'step-3-needs-what-that-gives skipped',
      'step-4-independent success',
      'teardown-1-clean-up success',
    ])
  })

  test('`on_failure: stop` skips all the rest but the teardown, `continue` nothing, `continue_on_failure` neither', async () => {
    const { project, statuses } = await failures()
    expect(await statuses('stop')).toBe('success failure skipped skipped skipped success')
    expect((await project.step('stop', 'Independent')).skip_reason).toBe(
      'the suite stopped after “Log in” (line 10) failed',
    )
    expect(await statuses('continue')).toBe('success failure success success success success')
    expect(await statuses('step')).toBe('success failure success success success success')
    const { warnings } = await project.step('step', 'Needs it')
    expect(warnings?.[0]).toMatchObject({
      line: 16,
      message: expect.stringContaining('`token` has no value'),
    })
  })

  test('of the set-up, all steps are skipped, and the teardown runs', async () => {
    const { project } = await failures()
    expect(await pathsOf('setup/')).toEqual(['/anything/setup/setup', '/anything/setup/teardown'])
    expect((await project.step('setup', 'Independent')).skip_reason).toBe(
      'the set-up step “Prepare” (line 6) failed',
    )
  })
})

const skips = inOneRun((url) => ({
  'skips.suite.yaml': `
suite_name: Skips
base_url: ${url}
variables: { env: test, token: given, list: [1, 2] }
steps:
  - name: Always
    skip: true
    request: { url: /anything/always }
  - name: By expression
    skip: env === 'test' && list.length === 2
    request: { url: /anything/by-expression }
    capture: { token: body.json.token }
  - name: By template
    skip: "{{env === 'production'}}"
    request: { url: /anything/by-template }
  - name: Falls back to the variable
    request: { url: '/anything/{{token}}' }
  - name: Not boolean
    skip: env
    request: { url: /anything/not-boolean }
  - name: Throws
    skip: env.nothing.at
    request: { url: /anything/throws }
  - name: Unknown
    skip: '{{nothing}}'
    request: { url: /anything/unknown }
`,
}))

test('a step is skipped when its condition says so, with the reason', async () => {
  const { echo, project } = await skips()
  expect(echo.paths()).toEqual(['/anything/by-template', '/anything/given'])
  const step = async (name: string): Promise<unknown> => {
    const { status, skip_reason, error_message } = await project.step('skips', name)
    return [status, skip_reason ?? error_message]
  }
  expect(await step('Always')).toEqual(['skipped', 'skip: true'])
  expect(await step('By expression')).toEqual(['skipped', "skip: env === 'test' && list.length === 2"])
  expect(await step('Not boolean')).toEqual([
    'failure',
    'Expected `skip: env` to be true or false, got "test".',
  ])
  expect(await step('Throws')).toEqual([
    'failure',
    expect.stringContaining('`skip: env.nothing.at` could not be evaluated:'),
  ])
  expect(await step('Unknown')).toEqual(['failure', '`nothing` has no value.'])
})

const jars = inOneRun((url) => {
  const cookies = (name: string, on: boolean): string => `
suite_name: ${name}
base_url: ${url}
cookies: ${on}
steps:
  - name: Set
    request: { url: /cookies/set?kind=${name}-7f3a }
    debug: ${on}
  - name: Show
    request: { url: /cookies }
    assert:
      body.cookies: { equals: ${on ? `{ kind: ${name}-7f3a }` : '{}'} }
`
  return {
    'first.suite.yaml': cookies('first', true),
    'second.suite.yaml': cookies('second', true),
    'none.suite.yaml': cookies('none', false),
  }
})

test('cookies are kept for the steps of a suite that wants them, and for no other', async () => {
  const { output, statuses } = await jars()
  for (const nodeId of ['first', 'second', 'none']) expect(await statuses(nodeId)).toBe('success success')
  // A cookie is secret, also one that came with a redirect.
  expect(output).toContain('/cookies/set?[redacted]')
  expect(output).not.toContain('7f3a')
})

const delayed = inOneRun((url) => ({
  'delay.suite.yaml': `
suite_name: Delay
base_url: ${url}
steps:
  - name: Now
    request: { url: /anything/now }
  - name: Later
    delay_ms: 400
    request: { url: /anything/later }
`,
}))

test('delay_ms waits before the request, every time', async () => {
  const { echo } = await delayed()
  const [now, later] = echo.requests
  expect((later?.at ?? 0) - (now?.at ?? 0)).toBeGreaterThanOrEqual(395)
})

const fields = inOneRun((url) => ({
  'fields.suite.yaml': `
suite_name: Fields
base_url: ${url}
variables: { base: 1, stage: prod, id: suite }
steps:
  - name: Own
    variables: { id: '{{js: variables.base + 1}}' }
    request: { url: '/anything/{{id}}' }
    capture: { seen: body.url }
  - name: Suite again
    request: { url: '/anything/{{id}}' }
  - name: Left out
    skip: { when: stage === 'prod', reason: not on production }
    request: { url: /anything/left-out }
  - name: Cancel
    todo: true
  - name: Broken
    variables: { x: '{{nowhere}}' }
    request: { url: /anything/broken }
`,
}))

test('steps have variables of their own, reasons to be skipped, and may be still to do', async () => {
  const { echo, output, project, statuses } = await fields()
  expect(await statuses('fields')).toBe('success success skipped skipped failure')
  expect(output).toContain("The step's variable `x` has no value")
  expect(echo.paths()).toEqual(['/anything/2', '/anything/suite'])
  expect((await project.step('fields', 'Left out')).skip_reason).toBe('not on production')
  expect((await project.step('fields', 'Cancel')).skip_reason).toBe('todo')
  expect((await project.step('fields', 'Own')).available_variables).toMatchObject({ id: 2 })
})

const settings = inOneRun((url) => ({
  'settings.suite.yaml': `
suite_name: Settings
base_url: ${url}
timeout: '{{patience}}'
variables: { patience: 300ms, tries: 3, pages: 2, wait: 1ms, never: soon }
steps:
  - name: Slow
    request: { url: /delay/10 }
  - name: Patient
    request: { url: /delay/1, timeout: 30s }
  - name: Tries
    retry: { max_attempts: '{{tries}}', base_delay_ms: '{{wait}}', on: [5xx] }
    request: { url: /status/503, timeout: 30s }
  - name: Not this class
    retry: { max_attempts: 3, base_delay_ms: 1ms, on: [5xx] }
    request: { url: /status/404, timeout: 30s }
  - name: Pages
    iterate: { range: '1..{{pages}}', as: page }
    delay_ms: '{{wait}}'
    request: { url: '/anything/{{page}}', timeout: 30s }
  - name: Wrong
    delay_ms: '{{never}}'
    request: { url: /anything/wrong }
`,
}))

test('settings may be durations and templates; what cannot be used fails the step', async () => {
  const { echo, project } = await settings()
  expect(await project.step('settings', 'Slow')).toMatchObject({
    status: 'failure',
    error_message: expect.stringContaining('300 ms') as string,
  })
  expect((await project.step('settings', 'Patient')).status).toBe('success')
  expect(echo.count('/status/503')).toBe(3)
  expect(echo.count('/status/404')).toBe(1)
  expect([echo.count('/anything/1'), echo.count('/anything/2')]).toEqual([1, 1])
  expect((await project.step('settings', 'Wrong')).error_message).toBe(
    'Expected `delay_ms: {{never}}` to be milliseconds or a duration such as `5s`, got `"soon"` (string).',
  )
})

test('a snapshot is written once, compared later, and a difference fails the step and its row', async () => {
  await using echo = await startLoggedEcho()
  const suite = (value: string): string => `
suite_name: Snapshots
base_url: ${echo.url}
on_failure: stop
steps:
  - name: Take
    retry: { max_attempts: 3, base_delay_ms: 1 }
    request: { method: POST, url: /anything/take, body: { value: ${value} } }
    assert:
      body.json: { snapshot: true }
      status_code: 200
  - name: After
    request: { url: /anything/after }
`
  const same = suite('one').replace(echo.url, "'{{echo_url}}'")
  await using project = await createProject({ 's.suite.yaml': suite('one'), 'same.suite.yaml': same })
  const expectSuccess = async (nodeId: string): Promise<void> =>
    expect(await project.step(nodeId, 'Take')).toMatchObject({
      status: 'success',
      assertions_results: [{ passed: true }, { field: 'body.json.snapshot', passed: true, message: 'OK' }],
    })
  expect((await project.run('--update=new')).output).toMatch(/2 written/)
  await expectSuccess('s')
  await project.write({ 's.suite.yaml': suite('two') })
  echo.requests.length = 0
  const { code, output } = await project.run()
  expect(code).toBe(1)
  await expectSuccess('same')
  expect(output).toContain('Snapshot `Snapshots > Take 1` mismatched')
  expect(output).toMatch(/❯ s\.suite\.yaml:10:\d+/)
  expect(echo.paths()).toEqual(['/anything/take'])
  expect(await project.step('s', 'Take')).toMatchObject({
    status: 'failure',
    assertions_results: [
      { passed: true },
      { field: 'body.json.snapshot', passed: false, message: expect.stringContaining('mismatched') },
    ],
  })
  expect((await project.step('s', 'After')).status).toBe('skipped')
  expect((await project.run('-u')).code).toBe(0)
  await project.write({ 's.suite.yaml': suite('two').replace('{ snapshot: true }', '{ value: two }') })
  const obsolete = await project.run('--update=none')
  expect(obsolete.output).toMatch(/Obsolete snapshots found[^]*· Snapshots > Take 1\n\n\n?⎯/)
  expect(obsolete.code).toBe(1)
})

test('a step that failed otherwise neither writes nor updates its snapshot, and the stored one stays', async () => {
  await using project = await createProject({}, { test: "{ pool: 'threads' }" })
  const run = async (update: string, ...urls: string[]): Promise<string> => {
    const steps = ['New', 'Stored', 'Other'].map(
      (name, index) =>
        `{ name: '${name}', request: { url: '${urls[index]}' }, assert: { status_code: 200, body: { snapshot: true } } }`,
    )
    const rest = `base_url: '{{echo_url}}', on_failure: 'continue', steps: [${steps.join(', ')}]`
    await project.write({
      's.suite.yaml': `{ suite_name: S, node_id: yaml, ${rest} }`,
      's.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: 'S', node_id: 'typed', ${rest} })\n`,
    })
    return (await project.run(update)).output
  }
  const expectMessage = async (step: string, message: string): Promise<void> => {
    for (const nodeId of ['yaml', 'typed'])
      expect((await project.step(nodeId, step)).assertions_results.at(-1)?.message).toBe(message)
  }
  const read = (): Promise<string[]> =>
    Promise.all(['s.suite.yaml', 's.test.ts'].map((file) => project.read(`__snapshots__/${file}.snap`)))
  await run('--update=new', '/status/404', '/base64/b25l', '/base64/b25l')
  await expectMessage('New', 'The snapshot was not written, because the step failed for another reason')
  const stored = await read()
  for (const text of stored)
    expect(text.match(/^exports.*/gm)).toEqual([
      'exports[`S > Other 1`] = `"one"`;',
      'exports[`S > Stored 1`] = `"one"`;',
    ])
  const fails = ['/status/404', '/status/404', 'http://127.0.0.1:1/']
  expect(await run('-u', ...fails)).not.toMatch(/obsolete|removed/i)
  await expectMessage('Stored', 'The snapshot was not updated, because the step failed for another reason')
  expect(await read()).toEqual(stored)
  expect(await run('--update=none', ...fails)).not.toMatch(/obsolete|removed/i)
  await expectMessage('Stored', 'Snapshot `S > Stored 1` mismatched')
  expect(await read()).toEqual(stored)
})

const unresolved = inOneRun((url) => ({
  'u.suite.yaml': `
suite_name: Unresolved
base_url: ${url}
variables: { token: x }
steps:
  - name: Send
    request: { url: /anything/send, params: { t: '{{tokn}}' } }
`,
}))

test('an unresolved `{{…}}` is sent as written with a warning', async () => {
  const { echo, project } = await unresolved()
  const { status, warnings } = await project.step('u', 'Send')
  expect(status).toBe('success')
  expect(warnings?.at(-1)).toEqual({
    message: '`tokn` has no value (did you mean `token`?). It stays as written.',
    line: 7,
    column: 51,
  })
  expect(echo.requests.map(({ url }) => url)).toEqual(['/anything/send?t=%7B%7Btokn%7D%7D'])
})

const front = await startHttpServer(({ headers }, response) => {
  response.writeHead(307, { location: `${String(headers['x-target'])}/anything` }).end()
})
afterAll(front.close)
const away = inOneRun((url) => ({
  'away.suite.yaml': `
suite_name: Away
redact: [pin]
base_url: ${front.url}
defaults: { headers: { x-target: ${url} } }
variables: { user: { password: 'sesame + 99' }, pin: pin-7777 }
steps:
  - name: In a header
    request: { url: /, headers: { x-in: '{{pin}}', x-plain: p } }
  - name: In a form
    request: { method: POST, url: /, form: { p: '{{user.password}}' } }
  - name: Written in the body
    request: { method: POST, url: /, body: { password: written-8888 } }
  - name: Written in a query
    request: { method: POST, url: /, graphql: { query: 'mutation { login(user: "a", password: "inline-5555") }' } }
  - name: Written in a text
    request: { method: POST, url: /, body: 'a=b&password=inline-6666' }
  - name: Log in
    request: { method: POST, url: '${url}/anything', body: { access_token: token-9999 } }
    capture: { plain: body.json.access_token }
  - name: Captured under another name
    request: { url: /, headers: { x-in: 'of {{plain}}', x-plain: q } }
`,
}))

test('values of secret names do not follow a redirect to another origin', async () => {
  const { echo, project } = await away()
  expect(echo.requests.map(({ headers }) => [headers['x-plain'], headers['x-in']])).toEqual([
    ['p', undefined],
    [undefined, undefined],
    ['q', undefined],
  ])
  for (const where of ['the body', 'a query', 'a text'])
    expect((await project.step('away', `Written in ${where}`)).error_message).toContain('REDIRECT_REFUSED')
  expect((await project.step('away', 'In a form')).error_message).toContain(
    `the target ${echo.url} is another origin and the body holds a secret (REDIRECT_REFUSED)`,
  )
})

test('variables that the environment sets for suites of another engine are known where suites are loaded, also those of `.env` files', async () => {
  await using project = await createProject(
    {
      'y.suite.yaml': `suite_name: In YAML
node_id: y
base_url: '{{echo_url}}'
steps:
  - name: Send it
    request: { method: GET, url: '/get?a={{one}}&b={{two}}' }
    assert: { status_code: 200, body: { args: { a: '1', b: '2' } } }
`,
      't.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({
  suite_name: 'In TypeScript',
  base_url: '{{echo_url}}',
  steps: [{ name: 'x', request: { url: '/get?a={{one}}&b={{two}}' }, assert: { body: { args: { a: '1', b: '2' } } } }],
})
`,
      '.env': 'FLOW_TEST_ONE=1\n',
    },
    { suites: "{ compat: 'flow-test' }", env: { FLOW_TEST_TWO: '2' } },
  )
  const { code, output } = await project.run()
  expect(output).toContain('Tests  2 passed (2)')
  expect(output).not.toContain('a value')
  expect(code).toBe(0)
  expect((await project.result('y')).warnings).toBeUndefined()
  expect((await project.result('t')).warnings).toBeUndefined()
})

const unusable = 'The snapshots of this suite could not be read or written: '

test.each([
  [
    {
      'a/__snapshots__': 'a file where the folder should be',
      'b/__snapshots__/b.suite.yaml.snap/x': 'a folder where the file should be',
    },
    [`${unusable}EEXIST`, `${unusable}EISDIR`],
  ],
  [{ 'environment.ts': `throw new Error('broken environment')` }, Array(2).fill('broken environment')],
])('snapshots that cannot be used fail their own suite, and no other: %j', async (files, errors) => {
  const suite = (name: string, check: string): string => `suite_name: ${name}
base_url: '{{echo_url}}'
steps:
  - name: Send it
    request: { url: /get }
    assert: { ${check} }
`
  await using project = await createProject(
    {
      'a/a.suite.yaml': suite('A', 'body.args: { snapshot: true }'),
      'b/b.suite.yaml': suite('B', 'body.args: { snapshot: true }'),
      'c.suite.yaml': suite('C', 'status_code: 200'),
      ...files,
    },
    'environment.ts' in files ? { test: `{ snapshotEnvironment: './environment.ts' }` } : {},
  )
  const { code: exitCode, output } = await project.run('--update=new')
  expect(exitCode).toBe(1)
  // The suites run at the same time, so either may fail first.
  expect(output.match(/^Error: .*/gm)?.toSorted()).toEqual(
    errors.map((error) => expect.stringContaining(`Error: ${error}`)),
  )
  expect(output).toMatch(/Test Files {2}2 failed \| 1 passed \(3\)/)
  expect(output).not.toContain('Unhandled')
  for (const nodeId of ['a', 'b'])
    expect(await project.result(nodeId)).toMatchObject({ status: 'failure', steps_successful: 1 })
  expect(await project.result('c')).toMatchObject({ status: 'success' })
})
