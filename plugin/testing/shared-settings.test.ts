import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

test('defaults of the plugin, also integers that a double cannot hold, of a fragment and the suite are in what is sent and judged; credentials stay at home', async () => {
  await using echo = await startLoggedEcho()
  await using other = await startLoggedEcho()
  await using project = await createProject(
    {
      'shared/tenant.yaml': 'defaults: { headers: { x-tenant: acme } }\n',
      'a.suite.yaml': `
suite_name: A
use: [shared/tenant.yaml]
base_url: ${echo.url}
variables: { elsewhere: '${other.url}' }
defaults: { auth: { bearer: '{{token}}' }, assert: { body: { method: GET } } }
steps:
  - name: Log in
    request: { method: POST, url: /anything/login, auth: none, body: { token: t-123456 } }
    assert: { body: { method: POST } }
    capture: { token: body.json.token }
  - name: Home
    request: { url: /anything/home }
  - name: Away
    request: { url: '{{elsewhere}}/anything/away' }
  - name: Gone
    request: { url: /status/404 }
    assert: { body: '', status_code: 404 }
  - name: Wrong
    request: { method: PUT, url: /anything/wrong }
`,
    },
    {
      suites:
        "{ defaults: { headers: { 'X-From': 'option' }, params: { id: 12345678901234567890n }, assert: { status_code: '2xx' } } }",
    },
  )
  const { output } = await project.run()
  expect(output).toContain('4 passed')
  expect(output).toMatch(/a\.suite\.yaml:6:\d+/)
  const home = echo.requests.find(({ url }) => url === '/anything/home?id=12345678901234567890')
  expect(home?.headers).toMatchObject({
    'x-tenant': 'acme',
    'x-from': 'option',
    authorization: 'Bearer t-123456',
  })
  expect(echo.requests[0]?.headers.authorization).toBeUndefined()
  expect(other.requests[0]?.headers).toMatchObject({ 'x-tenant': 'acme' })
  expect(other.requests[0]?.headers.authorization).toBeUndefined()
  const { assertions_results: rows } = await project.step('a', 'Home')
  expect(rows.map(({ field }) => field)).toEqual(['status_code', 'body.method.equals'])
})

const strict = shareRun({
  suites: `{
    variables: {
      user: 'al', seen: '{{user}}', home: '{{host}}/anything', host: '{{echo_url}}', sent: 'Bearer {{auth.token}}',
    },
    unresolved: 'error',
  }`,
})

const filled = strict(() => {
  const steps = `[{ name: 'Here', request: { url: '/x/{{seen}}' }, assert: { body: { url: '{{host}}/anything/x/{{seen}}' } } }]`
  return {
    'al.suite.yaml': `suite_name: A\nbase_url: '{{home}}'\nsteps: ${steps}\n`,
    'bob.suite.yaml': `suite_name: B\nvariables: { user: bob }\nbase_url: '{{home}}'\nsteps: ${steps}\n`,
    'typed.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'C', base_url: '{{home}}', steps: ${steps} })
`,
  }
})

test('templates in the variables of the plugin are filled in each suite, a suite in TypeScript too', async () => {
  const { project, statuses } = await filled()
  for (const nodeId of ['al', 'bob', 'typed']) expect(await statuses(nodeId)).toBe('success')
  expect((await project.step('al', 'Here')).request_details?.url).toBe('/x/al')
  expect((await project.step('bob', 'Here')).request_details?.url).toBe('/x/bob')
})

const exported = strict(() => {
  const suite = (name: string, rest: string): string =>
    `suite_name: ${name}\nuse: [shared.yaml]\nbase_url: '{{echo_url}}'\n${rest}`
  return {
    'shared.yaml': "variables: { other: '{{auth.token}}{{nope}}{{app_url}}' }\n",
    'auth.suite.yaml': suite(
      'Auth',
      'exports: [token]\nsteps: [{ name: Log in, request: { url: /get }, capture: { token: body.url } }]\n',
    ),
    'sends.suite.yaml': suite(
      'B',
      "steps: [{ name: Send, request: { url: '/get?x={{sent}}' }, assert: { body.args.x: { starts_with: 'Bearer http' } } }]\n",
    ),
    'alone.suite.yaml': suite('C', 'steps: [{ name: Alone, request: { url: /get } }]\n'),
  }
})

test('a shared variable that reads an export asks nothing of suites that do not read it', async () => {
  const { code, statuses } = await exported()
  for (const nodeId of ['auth', 'sends', 'alone']) expect(await statuses(nodeId)).toBe('success')
  expect(code).toBe(0)
})

test('an environment is chosen by SUITECASE_ENV, else the option, else --mode; one that is missing is told with those there are', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'environments/staging.yaml': `base_url: ${echo.url}/anything/staging\nsecrets: { pin: '{{$env.STAGING_PIN}}' }\n`,
      'environments/prod.yaml': `base_url: ${echo.url}/anything/prod\n`,
      'environments/test.yaml': `base_url: ${echo.url}/anything/test\n`,
      'a.suite.yaml': `
suite_name: A
base_url: ${echo.url}/anything/own
steps:
  - name: Where
    request: { url: /here, headers: { x-pin: '{{pin}}' } }
`,
    },
    { env: { STAGING_PIN: 'pin-4711-abc' } },
  )
  await project.run()
  const output = (await project.run('--mode', 'staging')).output
  await project.run('--mode', 'staging')
  await project.run('--mode', 'test')
  const missing = await project.run('--mode', 'stage')
  const names = ['own', 'staging', 'staging', 'test']
  expect(echo.paths()).toEqual(names.map((name) => `/anything/${name}/here`))
  expect(echo.requests[1]?.headers['x-pin']).toBe('pin-4711-abc')
  expect(output + (await project.read('.vitest/suitecase/suites/a.json'))).not.toContain('pin-4711-abc')
  expect(missing.code).toBe(1)
  expect(missing.output).toContain(
    'the environment `stage`, chosen by --mode, does not exist. Available: prod, staging, test. Create `environments/stage.yaml`, or choose another.',
  )
  await using chosen = await createProject(
    {
      'environments/prod.yaml': `base_url: ${echo.url}/anything/prod\n`,
      'environments/staging.yaml': `base_url: ${echo.url}/anything/staging\n`,
      'a.suite.yaml': 'suite_name: A\nsteps:\n  - name: Where\n    request: { url: /here }\n',
      'b.suite.yaml':
        "suite_name: B\nsteps:\n  - { name: Fails, request: { url: '{{echo_url}}/get' }, assert: { status_code: 201 } }\n",
    },
    { suites: "{ environment: 'prod' }", env: { SUITECASE_ENV: 'staging' } },
  )
  const again = 'SUITECASE_ENV=staging npx vitest run b.suite.yaml:3'
  expect((await chosen.run()).output).toContain(`\n  ${again}\n`)
  expect(await chosen.report('failures.json')).toContain(`"command": "${again}"`)
  expect(echo.paths().at(-1)).toBe('/anything/staging/here')
  await chosen.write({ 'environments/staging.yml': `base_url: ${echo.url}/anything/other\n` })
  expect((await chosen.run()).output).toContain(
    'the environment `staging` has two files, staging.yaml and staging.yml: keep one of them.',
  )
})

test('suites in TypeScript have defaults, steps to do and GraphQL as well', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'environments/local.yaml': `base_url: ${echo.url}\n`,
      'shared/tenant.yaml': 'defaults: { headers: { x-tenant: acme } }\n',
      'typed.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({
  suite_name: 'Typed',
  use: ['shared/tenant.yaml'],
  defaults: { params: { v: 2 }, assert: { status_code: '2xx' } },
  steps: [
    { name: 'Own', variables: { id: () => 7 }, request: { url: '/anything/{{id}}', timeout: '5s' }, retry: 2 },
    { name: 'Asked', request: { url: '/graphql', graphql: { query: '{ hello }' } }, assert: { 'data.hello': 'Hello, world!' } },
    { name: 'Wrong', request: { url: '/status/404' } },
    { name: 'Later', todo: true },
  ],
})
`,
    },
    { suites: "{ environment: 'local', defaults: { headers: { 'x-from': 'option' } } }" },
  )
  await project.write({
    'other.suite.yaml': 'suite_name: O\nsteps:\n  - name: o\n    request: { url: /get }\n',
  })
  const { output } = await project.run()
  expect(output).toContain('1 failed | 3 passed | 1 todo (5)')
  const own = echo.requests.find(({ url }) => url.startsWith('/anything'))
  expect(own?.url).toBe('/anything/7?v=2')
  expect(own?.headers).toMatchObject({ 'x-tenant': 'acme', 'x-from': 'option' })
})

test('what fails because of a shared file names the step and the shared file', async () => {
  await using project = await createProject(
    {
      'environments/staging.yaml': "# staging\nsecrets: { password: '{{$env.SUITECASE_NO_SUCH}}' }\n",
      'shared/ok.yaml': 'defaults:\n  assert: { status_code: 2xx }\n',
      'tests/pay.suite.yaml': `suite_name: Pay
use: [../shared/ok.yaml]
base_url: '{{echo_url}}'
steps:
  - name: Teapot
    request: { url: /status/418 }
`,
      'tests/login.suite.yaml': `suite_name: Login
base_url: '{{echo_url}}'
steps:
  - name: In
    request: { url: '/anything/{{password}}' }
`,
    },
    { suites: "{ environment: 'staging', unresolved: 'error' }" },
  )
  const { output } = await project.run()
  expect(output).toContain('Expected `status_code` to be 2xx, got 418 (from shared/ok.yaml:2)')
  expect(output).toContain('tests/pay.suite.yaml:5:5')
  expect(output).toContain(
    'environments/staging.yaml:2:25 error unknown-variable: `$env.SUITECASE_NO_SUCH` has no value',
  )
  expect(output).toContain('1 failed (1)')
})
