import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startHttpServer } from '../../src/request/fixtures/http-server.ts'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject, type Project } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

const REPORTERS = [
  '--reporter=default',
  '--reporter=junit',
  '--reporter=json',
  '--outputFile.junit=junit.xml',
  '--outputFile.json=results.json',
]

/** Everything that a run leaves behind: its output, JUnit's file, the reports. */
async function runForTexts(project: Project, ...args: string[]) {
  const { output } = await project.run(...REPORTERS, ...args)
  return { output, texts: [output, ...(await readTexts(project))] }
}

async function readTexts(project: Project): Promise<string[]> {
  const folder = join('.vitest', 'suitecase', 'suites')
  const suites = (await project.results()).map((name) => join(folder, name))
  const names = [...suites, '.vitest/suitecase/index.html', 'junit.xml', 'results.json']
  return Promise.all(names.map((name) => project.read(name)))
}

const inOneRun = shareRun(
  { env: { DOOR: 'env-canary-six' }, test: '{ isolate: false }' },
  ...REPORTERS,
  '--reporter=blob',
)

const token = Array.from({ length: 40 }, (_, index) => `t${index}-Zq`).join('.')
const long = inOneRun((url) => ({
  'long.suite.yaml': `
suite_name: A
base_url: ${url}
variables: { token: '${token}' }
steps:
  - name: Long
    request: { method: POST, url: /anything, headers: { X-Other: '{{token}}' }, body: { code: 'c {{token}}', pad: '${'x'.repeat(100)} {{token}}' } }
    assert: { body.json.code: wrong, body.json.pad: { equals: ['${'y'.repeat(90)}{{token}}'] }, body.json: { contains: { a: 1 } } }
`,
}))

test('a long secret is in no output of a failed check, nor is a part of it that a message shows', async () => {
  const { output, project } = await long()
  const { error_message = '' } = await project.step('long', 'Long')
  expect(error_message).toContain('[redacted]')
  expect(output).toContain(error_message.split('\n')[0])
  for (const text of [output, ...(await readTexts(project))]) expect(text).not.toContain(token.slice(0, 12))
})

const tokens = Array.from({ length: 23 }, (_, index) => `${'kqzvw'[index % 5]}${index}-canary-${index ** 7}`)
let sent = 0
const api = await startHttpServer((_request, response) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ token: tokens[sent++] })),
)
afterAll(api.close)
const attempts = inOneRun(() => ({
  'attempts.suite.yaml': `
suite_name: A
base_url: ${api.url}
steps:
  - name: Log in
    request: { url: / }
    retry: { max_attempts: 23, base_delay_ms: 0 }
    assert: { body.token: expected }
`,
}))

test('the error of an attempt whose answer no result shows is without what is secret', async () => {
  const { output, project } = await attempts()
  expect((await project.step('attempts', 'Log in')).attempts).toHaveLength(23)
  const texts = [output, ...(await readTexts(project))]
  for (const token of tokens) for (const text of texts) expect(text).not.toContain(token.slice(0, 9))
})

const credentials = inOneRun((url) => {
  const fails = 'assert: { body.method: x }'
  return {
    'credentials.suite.yaml': `
suite_name: A
base_url: ${url}
variables: { k: canary-header, cs: canary-client, site: 'https://me:canary-site@a.example/' }
steps:
  - name: Header
    request: { url: /anything, auth: { api_key: { in: header, name: X-Key, value: '{{k}}' } } }
    ${fails}
  - name: Query
    request: { url: /anything, auth: { api_key: { in: query, name: key, value: canary-query } } }
    ${fails}
  - name: XML
    request: { method: POST, url: /anything, body: '<a><password>canary-xml</password></a>' }
    ${fails}
  - name: JSON
    request: { method: POST, url: /anything, body: { token: canary-token } }
    assert: { body.json.token: canary-other }
  - name: OAuth
    request: { url: /anything, auth: { oauth2: { token_url: /post, client_id: shop, client_secret: '{{cs}}' } } }
`,
    'session.suite.yaml': `
suite_name: B
redact: [session_id]
steps:
  - { name: x, request: { url: 'http://u:canary-url@127.0.0.1:1/', body: { session_id: canary-session } } }
`,
  }
})

const shop = await startHttpServer((_request, response) => {
  response.setHeader('set-cookie', ['laravel_session=k9Zq2-k9Zq2-k9Zq2', 'expires_with_dash=k9Zq2; Path=/'])
  response.setHeader('content-type', 'text/plain').end('Sign AWS4-HMAC-SHA256 laravel_session')
})
afterAll(shop.close)
const publicNames = inOneRun(() => ({
  'public-names.suite.yaml': `
suite_name: A
base_url: ${shop.url}
steps:
  - name: Cookie of laravel_session
    request: { url: / }
    assert:
      cookies.laravel_session.path: /x
      cookies.expires_with_dash.path: /y
      body: { contains: laravel_sessions }
      headers.set-cookie: { some: { contains: laravel_session } }
  - name: Scheme of a header
    request: { url: /, headers: { authorization: 'Hawk-Version-2 id="k9Zq2-k9Zq2-k9Zq3"' } }
    assert: { body: { equals: the scheme Hawk-Version-2 is unknown } }
`,
}))

test('the names of cookies and schemes of credentials are readable everywhere, their values nowhere', async () => {
  const { output, project } = await publicNames()
  for (const line of [
    'nothing at `cookies.laravel_session.path`;',
    'Expected `cookies.expires_with_dash.path` to equal `"/y"`',
    '|       cookies.laravel_session.path: /x',
    '|       body: { contains: laravel_sessions }',
    '|     assert: { body: { equals: the scheme Hawk-Version-2 is unknown } }',
    'to equal `"the scheme Hawk-Version-2 is unknown"` (string), got `"Sign AWS4-HMAC-SHA256 laravel_session"`',
  ])
    expect(output).toContain(line)
  const { assertions_results: checks } = await project.step('public-names', 'Cookie of laravel_session')
  const fields = ['cookies.laravel_session.path.equals', 'cookies.expires_with_dash.path.equals']
  expect(checks?.map(({ field }) => field)).toEqual(expect.arrayContaining(fields))
  for (const text of [output, ...(await readTexts(project))]) expect(text).not.toMatch(/k9Zq2-k9Zq|dash=k9Z/)
})

test('credentials of any name, texts of XML elements and passwords in addresses are in no output', async () => {
  const { echo, output, project, statuses } = await credentials()
  expect(await statuses('credentials')).toBe('failure failure failure failure failure')
  expect(output).toContain('to equal `"[redacted]"` (string), got `"[redacted]"` (string); the two differ')
  expect(output).toContain(`curl '${echo.url}/anything' -H 'X-Key: [redacted]'`)
  expect(output).toContain('api_key: { in: header, name: X-Key')
  for (const text of [output, ...(await readTexts(project))]) expect(text).not.toContain('canary')
})

const brokenTyped = inOneRun(() => ({
  'broken.test.ts': `
import { defineSuite } from 'suitecase'

defineSuite({
  suite_name: 'Broken',
  redact: ['pin'],
  variables: { pin: 'hidden-two-2' },
  steps: [
    {
      name: 'First',
      request: { url: 'http://x' },
      delay_ms:
        'hidden-two-2',
    } as never,
  ],
})
`,
}))

test('a suite in TypeScript that cannot be loaded keeps the values of secret names out of its errors', async () => {
  const { output, project } = await brokenTyped()
  expect(output).toMatch(/broken\.test\.ts.*\n.*`steps\[0\]\.delay_ms`.*\[redacted\]/)
  for (const text of [output, ...(await readTexts(project))]) expect(text).not.toMatch(/got `"?hidden-two/)
})

test('the name of a suite in TypeScript hides what a secret variable of the options is, also where no test runs', async () => {
  await using project = await createProject(
    {
      'b.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'B {{place}} {{door}}', steps: [{ name: 'Get', request: { url: '{{echo_url}}/get' } }] })
`,
    },
    { suites: "{ variables: { place: 'Rome', password: 'canary-1', door: 'canary-1' } }" },
  )
  await project.run('-t', 'nothing')
  expect((await project.result('b')).suite_name).toBe('B Rome [redacted]')
  expect(await project.read('.vitest/suitecase/index.html')).not.toContain('canary-1')
})

const written = inOneRun(() => ({
  'written.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({
  suite_name: 'B canary-1234',
  variables: { token: 'canary-1234' },
  steps: [{ name: 'Get canary-1234', request: { url: '{{echo_url}}/get' }, assert: { status_code: 500 } }],
})
`,
}))

test('a secret variable written in the name and in the lines of a suite in TypeScript is in no output', async () => {
  const { output, project } = await written()
  expect(output).toContain("variables: { token: '***********' }")
  for (const text of [output, ...(await readTexts(project))]) expect(text).not.toContain('canary-1234')
})

const unloadable = inOneRun(() => {
  const file = `
suite_name: List of plain-canary-one for env-canary-six
variables:
  door: '{{$env.DOOR}}'
  token:
    - plain-canary-one
    - { deep: 'deep-hidden-two' }
steps:
  - name: One with plain-canary-one
    request: { url: /get, auth: { bearer: [bearer-canary-three] }, headers: { authorization: { x: map-canary-four } } }
  - name: Two with env-canary-six
    request: { url: /get, auth: { basic: 'user:basic-canary-five' } }
    nonsense: [bearer-canary-three, env-canary-six]
`
  // The lines around its mistake are shown as they are.
  const typed = `import { defineSuite } from 'suitecase'
defineSuite({
  nonsense: 1,
  suite_name: 'Typed',
  base_url: 'http://127.0.0.1:1',
  timeout: 1000,
  steps: [{ name: 'One with typed-canary-seven', request: { url: '/{{$env.DOOR}}' } }, { name: 'For env-canary-six', request: { url: '/' } }],
  variables: { token: 'typed-canary-seven' },
} as never)
`
  return {
    'list.suite.yaml': file,
    'open.suite.yaml': `${file}broken: [\n`,
    'typed.test.ts': typed,
  }
})

test('what a suite file that cannot be loaded has under secret names or in the environment is in no output', async () => {
  const { output, project } = await unloadable()
  expect(output).toContain('`steps[0].request.auth.bearer`')
  const { suite_name, steps_results } = await project.result('open')
  expect(suite_name).toBe('List of [redacted] for [redacted]')
  expect(steps_results.map(({ step_id }) => step_id)).toEqual([
    'step-1-one-with-redacted',
    'step-2-two-with-redacted',
  ])
  for (const text of [output, ...(await readTexts(project))]) expect(text).not.toContain('canary')
})

test('a snapshot stores no secret, and one that was stored in clear is not printed when it changes', async () => {
  await using echo = await startLoggedEcho()
  const suite = (value: string): string => `
suite_name: S
base_url: ${echo.url}
variables: { token: '${value}' }
steps:
  - name: Take
    request: { method: POST, url: /anything, body: { token: '{{token}}', pin: 4711, list: [1] } }
    assert: { body.json: { snapshot: true }, body.json.token: { snapshot: { name: '{{token}}' } } }
  - name: Capture
    request: { method: POST, url: /anything, body: { id: canary-captured-here } }
    assert: { body.json: { snapshot: true } }
    capture: { session_token: body.json.id }
`
  await using project = await createProject({ 's.suite.yaml': suite('canary-first-value') })
  await project.run('-u')
  const snapshots = join('__snapshots__', 's.suite.yaml.snap')
  const stored = await project.read(snapshots)
  expect(stored).toContain('"token": "[redacted]"')
  expect(stored).toContain('S > Take > [redacted] 1')
  expect(stored).toContain('"id": "[redacted]"')
  expect(stored).not.toContain('canary')
  await project.write({
    [snapshots]: stored.replaceAll(/(?<!"id": )"\[redacted\]"/g, '"canary-stored-before"'),
  })
  const { texts, output } = await runForTexts(project)
  expect(output).toContain('mismatched')
  for (const text of texts) expect(text).not.toContain('canary')
})

const open = (url: string, plain: string): string => `
suite_name: Open
base_url: ${url}
variables: { plain: '${plain}' }
steps:
  - name: Sends openly
    request: { method: POST, url: '/post?q={{plain}}', body: { x: '{{plain}}' } }
    assert: { body.json.x: wrong }
`
const other = (url: string, rest: string): string => `
suite_name: Other
base_url: ${url}
${rest}
`
const waits = 'steps: [{ name: Waits, delay_ms: 300, request: { url: /get'

const captured = inOneRun((url) => ({
  'captured.suite.yaml': `${open(url, 'canary-captured-late')}  - name: Captures
    request: { method: POST, url: /post, body: { x: '{{plain}}' } }
    capture: { token: body.json.x }
`,
}))
const named = inOneRun((url) => ({
  'named.suite.yaml': open(url, 'canary-named-late'),
  'names.suite.yaml': other(url, `variables: { token: 'canary-named-late' }\n${waits} } }]`),
}))
const header = inOneRun((url) => ({
  'header.suite.yaml': open(url, 'canary-header-late'),
  'sends.suite.yaml': other(url, `${waits}, headers: { X-Api-Key: canary-header-late } } }]`),
}))
const short = inOneRun((url) => ({
  'short.suite.yaml': open(url, 'q!7x'),
  'captures.suite.yaml': other(
    url,
    `
steps:
  - name: Captures
    delay_ms: 300
    request: { method: POST, url: /post, body: { x: "{{js: 'q!' + '7x'}}" } }
    capture: { token: body.json.x }`,
  ),
}))

test.each([
  { what: 'a capture of the same suite', run: captured, nodeId: 'captured', secret: 'canary' },
  { what: 'a variable of another suite', run: named, nodeId: 'named', secret: 'canary' },
  { what: 'a header of another suite', run: header, nodeId: 'header', secret: 'canary' },
  { what: 'a capture of four characters of another suite', run: short, nodeId: 'short', secret: 'q!7x' },
])(
  '$what that becomes secret after it was sent openly is in no output, nor in a blob',
  async ({ run, nodeId, secret }) => {
    const { output, project } = await run()
    expect((await project.step(nodeId, 'Sends openly')).error_message).toContain('Expected `body.json.x`')
    const folder = join('.vitest', 'blob')
    const blobs = await readdir(join(project.root, folder))
    expect(blobs).toHaveLength(1)
    const texts = [output, ...(await readTexts(project)), await project.read(join(folder, String(blobs[0])))]
    for (const text of texts) expect(text).not.toContain(secret)
  },
)

test('a secret of four characters that is part of a path leaves the paths as they are, and one that is a word of a message fails nothing', async () => {
  await using echo = await startLoggedEcho()
  const log =
    'steps:\n  - { name: Log in, request: { method: POST, url: /post, body: { password: q7xz, secret: allows } } }'
  const fails = 'steps:\n  - { name: Fails, request: { url: /get }, assert: { status_code: 201 } }'
  await using project = await createProject(
    { 'q7xz/a.suite.yaml': other(echo.url, fails), 'q7xz/q7xz.suite.yaml': other(echo.url, log) },
    { suites: '{ report: { thresholds: { p95: 0 } } }' },
  )
  const { output } = await runForTexts(project)
  expect(output).toMatch(/❯ q7xz\/a\.suite\.yaml:\d/)
  expect(await project.report('failures.json')).toContain('"file": "q7xz/a.suite.yaml"')
  // The secret `allows` is also a word of our own message, which is no leak.
  expect(output).toMatch(/A threshold was not met: `p95` .* allows 0 ms/)
  expect(output).not.toContain('is in the reports')
  expect((await project.result('a')).file_path).toBe('q7xz/a.suite.yaml')
})

test('a secret that another program leaves in a written file fails the run, which names the places and the variable', async () => {
  await using echo = await startLoggedEcho()
  const report = { errors: ['with canary-of-an-answer'], other: 'canary-of-the-env', listed: 'listed-canary' }
  await using project = await createProject(
    {
      'a.suite.yaml': `
suite_name: A
base_url: ${echo.url}
variables: { door: '{{$env.DOOR}}' }
steps:
  - name: Captures
    request:
      method: POST
      url: /post
      body: { id: "{{js: 'canary-' + 'of-an-answer'}}", credentials: { '': listed-canary } }
    capture: { session_token: body.json.id }
`,
      'change-files.ts': `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { renameSync } = fs
fs.renameSync = (from, to) => {
  if (String(to).endsWith('performance.json')) fs.writeFileSync(from, ${JSON.stringify(JSON.stringify(report))})
  renameSync(from, to)
}
export const setup = () => syncBuiltinESMExports()
`,
    },
    { test: "{ globalSetup: './change-files.ts' }", env: { DOOR: 'canary-of-the-env' } },
  )
  // In a process of its own, since its file system is not the usual one.
  const { code, output } = await project.start('run').ended()
  const told = output.split('\n').filter((line) => line.includes('is in the reports'))
  const advice = 'Name the field that holds it in the `redact` option.'
  expect(told.map((line) => line.replace(/^.*?The/, 'The'))).toEqual([
    `The secret \`session_token\` is in the reports, in performance.json: errors[0]. ${advice}`,
    `The secret \`DOOR\` is in the reports, in performance.json: other. ${advice}`,
    `The secret \`credentials\` is in the reports, in performance.json: listed. ${advice}`,
  ])
  expect(output).not.toContain('canary')
  expect(code).toBe(1)
})

test('what the plan of a suite in another shard names as secret is in no shard’s blob, nor in the merged reports', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': open(echo.url, 'canary-of-the-shard'),
    'b.suite.yaml': other(echo.url, `variables: { token: 'canary-of-the-shard' }\n${waits} } }]`),
  })
  for (const shard of ['1/2', '2/2']) await project.run(`--shard=${shard}`, '--reporter=blob')
  const folder = join('.vitest', 'blob')
  const blobs = await readdir(join(project.root, folder))
  expect(blobs).toHaveLength(2)
  for (const name of blobs) expect(await project.read(join(folder, name))).not.toContain('canary')
  const { texts, output } = await runForTexts(project, '--merge-reports')
  expect(output).not.toContain('The report of shard')
  for (const text of texts) expect(text).not.toContain('canary')
})

const app = `
import { createServer } from 'node:http'

const charge = { method: 'POST', headers: { authorization: 'Bearer canary-of-header' }, body: '{"door_pin":"canary-of-body"}' }
export default createServer(({ url, headers }, response) => {
  response.setHeader('content-type', 'application/json')
  if (url === '/token') return response.end('{"access_token":"canary-of-oauth2"}')
  if (url === '/charge')
    return fetch('https://pay.example/charges', charge).then(() => response.end(), () => response.end('refused'))
  if (url === '/write') {
    process.stdout.write('out ' + headers.authorization + '\\n')
    process.stderr.write(Buffer.from('err ' + headers.authorization + '\\n'), () => {})
    return response.end()
  }
  console.log('asked', url, headers.authorization)
  // What is printed is shown before the step has ended.
  setTimeout(() => response.end(JSON.stringify({ token: 'canary-of-the-answer', name: 'n' })), 100)
})
`
const inOneApplication = shareRun({ suites: "{ app: './app.ts' }" }, ...REPORTERS)

const prints = inOneApplication(() => ({
  'app.ts': app,
  'prints.suite.yaml': `
suite_name: A
variables: { password: canary-of-the-suite, url_part: canary-of-the-url }
steps:
  - name: Log in
    request: { url: '/login?p={{password}}' }
    capture: { token: body.token }
  - name: Ask
    request: { url: /ask, headers: { Authorization: 'Bearer {{token}}' } }
    assert:
      custom:
        - { name: gives a token, condition: body.name === 'm' }
        - condition: body.data.token.length > 3
        - condition: body.data.other
  - name: Written
    request: { url: '/w?token={{url_part}}', auth: { bearer: canary-of-the-auth } }
  - name: Fetched
    request:
      url: /f
      auth: { oauth2: { token_url: '{{app_url}}/token', client_id: c, client_secret: canary-of-the-client } }
`,
}))

test('what the application prints belongs to the step that asks, without what is secret; an error has no secret name', async () => {
  const { output, project } = await prints()
  expect(output.match(/^stdout \| prints.*\n.*/gm)).toEqual([
    'stdout | prints.suite.yaml:5 > A > Log in\nasked /login?p=[redacted] undefined',
    'stdout | prints.suite.yaml:8 > A > Ask\nasked /ask Bearer [redacted]',
    'stdout | prints.suite.yaml:15 > A > Written\nasked /w?token=[redacted] Bearer [redacted]',
    'stdout | prints.suite.yaml:17 > A > Fetched\nasked /f Bearer [redacted]',
  ])
  expect(output.match(/^AssertionError: .*the condition.*/gm)).toEqual([
    'AssertionError: gives a token: Expected the condition `body.name === \'m\'` to be true, got `false`: `body.name` is `"n"`',
    "AssertionError: Expected the condition `body.data.token.length > 3` to be true, but it failed with `TypeError: Cannot read properties of undefined (reading 'token') (there is no value before `.token`; for a default, write `?.token… ?? 'none'`)`: `body.data` is `undefined`",
    "AssertionError: Expected the condition `body.data.other` to be true, but it failed with `TypeError: Cannot read properties of undefined (reading 'other') (there is no value before `.other`; for a default, write `?.other… ?? 'none'`)`: `body.data` is `undefined`",
  ])
  for (const text of [output, ...(await readTexts(project))]) expect(text).not.toContain('canary-of')
})

test('an error after the application has closed shows no secret, neither in its members', async () => {
  await using project = await createProject(
    {
      'app.ts': `
import { createServer } from 'node:http'
const token = process.env.A_TOKEN
const fail = () => {
  const cause = Object.assign(new Error('inner ' + token), { config: { data: token } })
  cause.self = cause
  throw Object.assign(new Error('too late ' + token, { cause }), { config: { data: token }, self: { cause } })
}
export default async () => {
  const server = createServer((request, response) => response.end())
  await new Promise((resolve) => server.listen(0, resolve))
  const close = async () => void (server.close(), setTimeout(fail, 50))
  return { url: 'http://127.0.0.1:' + server.address().port, close }
}
`,
      'a.suite.yaml': `suite_name: A\nvariables: { t: '{{$env.A_TOKEN}}' }\nsteps:\n  - { name: One, request: { url: / } }\n`,
      'b.suite.yaml': `suite_name: B\nbase_url: '{{echo_url}}'\nsteps:\n  - { name: One, request: { url: /delay/1 } }\n`,
    },
    { suites: "{ app: './app.ts' }", env: { A_TOKEN: 'canary-1234' } },
  )
  const { texts, output } = await runForTexts(project)
  expect(output).toContain('too late [redacted]')
  for (const text of texts) expect(text).not.toContain('canary')
})

const suiteThatWrites =
  'suite_name: A\nsteps: [{ name: Ask, request: { url: /write, auth: { bearer: canary-1234 } } }]\n'
const writes = inOneApplication(() => ({ 'writes.suite.yaml': suiteThatWrites }))

test('what the application writes without the console is without what is secret, too', async () => {
  await using project = await createProject(
    { 'app.ts': app, 'writes.suite.yaml': suiteThatWrites },
    { suites: "{ app: './app.ts' }" },
  )
  for (const { output } of [await writes(), await project.run('--disableConsoleIntercept')])
    expect(output.match(/^(?:out|err) .*/gm)?.toSorted()).toEqual([
      'err Bearer [redacted]',
      'out Bearer [redacted]',
    ])
})

const large = inOneRun(() => ({
  'large.suite.yaml': `suite_name: A
redact: [door_pin]
steps:
  - name: Ask
    request: { url: '{{echo_url}}/get' }
    assert: { status_code: 500, body.door_pin: q7z }
    variables: { api_token: canary-in-large }
${'# a comment\n'.repeat(10_000)}`,
}))

test('a code frame of a suite file of more than 100,000 characters shows no secret', async () => {
  const { output } = await large()
  expect(output).toContain('large.suite.yaml:6:28')
  expect(output).toMatch(/assert: \{ status_code: 500, body.door_pin: \*{3} \}\n.*\^/)
  expect(output).not.toContain('canary-in-large')
})

const unanswered = inOneRun(() => ({
  'unanswered.suite.yaml': `suite_name: A
redact: [door_pin]
steps: [{ name: Ask, request: { url: 'http://127.0.0.1:1/a?door_pin=12&b=3' } }]
`,
}))

test('a failure without a response shows the query once, without a short secret in it', async () => {
  const { output } = await unanswered()
  expect(output.match(/.*127\.0\.0\.1:1\/a.*/g)).toEqual([
    expect.stringMatching(
      /GET http:\/\/127\.0\.0\.1:1\/a\?door_pin=\[redacted\]&b=3 failed while connecting/,
    ),
    expect.stringContaining('door_pin=**&b'),
  ])
})

const twoSecrets = inOneRun(() => ({
  'two.suite.yaml': `suite_name: A
variables: { api_token: canary-first-one, other_token: canary-other-one }
steps:
  - name: Ask
    request: { method: POST, url: '{{echo_url}}/post', body: { list: ['{{api_token}}'], text: '{{api_token}}' } }
    assert:
      body.json.list: ['{{other_token}}']
      body.json.text: { any_of: ['{{other_token}}', { starts_with: '{{other_token}}' }] }
`,
}))

test('of two secrets that differ a failure says so, wherever they are', async () => {
  const { output, project } = await twoSecrets()
  expect(output).not.toContain('no visual difference')
  const { assertions_results: rows } = await project.step('two', 'Ask')
  const shown = 'got `"[redacted]"` (string); the two differ'
  expect(rows.map(({ message }) => message.split(shown).length)).toEqual([2, 3])
  for (const { message } of rows) expect(output).toContain(message)
})

const mocked = inOneApplication(() => ({
  'mocked.suite.yaml': `suite_name: A
redact: [door_pin]
steps:
  - name: Header
    request: { url: /charge }
    mocks: [{ url: 'https://pay.example/charges', when: { headers: { authorization: Bearer canary-of-mock } }, respond: {} }]
  - name: Body
    request: { url: /charge }
    mocks: [{ url: 'https://pay.example/charges', when: { body: { door_pin: canary-of-mock-2 } }, respond: {} }]
`,
}))

test('why no mock matched is told without what the application sent, and what the mock wants, under secret names', async () => {
  const { output, project } = await mocked()
  const where = '[redacted]` (string), but the request has `'
  expect(output).toContain(`\`when.headers.authorization\` is \`Bearer ${where}Bearer [redacted]\` (string)`)
  expect(output).toContain(`\`when.body.door_pin\` is \`${where}[redacted]\` (string)`)
  for (const text of [output, ...(await readTexts(project))]) expect(text).not.toContain('canary')
})

const warned = inOneRun(() => {
  const step = (name: string, more: string): string =>
    `  - name: ${name}\n    request: { method: POST, url: '{{echo_url}}/post', body: { n: 77123456 } }\n${more}`
  return {
    'warns.suite.yaml': `suite_name: A\nsteps:\n${step('One', "    assert: { body: { json.n: { not: '77123456' } } }\n")}`,
    'learns.suite.yaml': `suite_name: B\ndepends: [warns]\nsteps:\n${step('Two', '    capture: { token: body.json.n }\n')}`,
  }
})

test('a warning hides what another suite learns only later', async () => {
  const { output, project } = await warned()
  expect(output).toContain('The check of `body.json.n` passed only because the types differ: `[redacted]`')
  for (const text of [output, ...(await readTexts(project))]) expect(text).not.toContain('77123456')
})

test('what is printed while suites in TypeScript run is without what is secret, in tests beside them too', async () => {
  await using project = await createProject(
    {
      'app.ts': `
import { createServer } from 'node:http'

export default createServer((request, response) => {
  console.log('asked', request.url)
  console.error('sent', request.headers.authorization)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ token: 'canary-of-the-answer' }))
})
`,
      'a.test.ts': `
import { defineSuite } from 'suitecase'
import { test } from 'vitest'

defineSuite({
  suite_name: 'A',
  variables: { password: 'canary-of-the-suite' },
  steps: [
    { name: 'Log in', request: { url: '/login?p={{password}}' }, capture: { token: 'body.token' } },
    { name: 'Ask', request: { url: '/ask', headers: { Authorization: 'Bearer {{token}}' } } },
  ],
})
test('after it', () => console.log('knows canary-of-the-answer'))
test('fails', () => {
  const data = ['canary', 'of', 'the', 'answer'].join('-')
  throw Object.assign(new Error('request failed'), { config: { data } })
})
`,
      // No suite runs in the worker of this file.
      'b.test.ts': `
import { test } from 'vitest'

const data = ['canary', 'of', 'the', 'answer'].join('-')
test('notes it', async ({ annotate }) => {
  await annotate('noted ' + data)
  void Promise.reject(new Error('nobody waits for ' + data))
})
test('fails with what is no JSON', () => {
  const config = { data, maxSockets: Infinity }
  throw Object.assign(new Error('sent', { cause: Object.assign(new Error('with ' + data), { config }) }), { config })
})
`,
    },
    { suites: "{ app: './app.ts' }", test: "{ pool: 'POOL' }" },
  )
  for (const pool of ['forks', 'threads', 'vmThreads']) {
    await project.write({
      'vitest.config.ts': (await project.read('vitest.config.ts')).replace(/(?<=pool: ')\w+/, pool),
    })
    const { texts, output } = await runForTexts(project)
    expect(output.match(/^std(out|err) \| .*\n.*/gm)).toEqual([
      'stdout | a.test.ts:9 > A > Log in\nasked /login?p=[redacted]',
      'stderr | a.test.ts:9 > A > Log in\nsent undefined',
      'stdout | a.test.ts:10 > A > Ask\nasked /ask',
      'stderr | a.test.ts:10 > A > Ask\nsent Bearer [redacted]',
      'stdout | a.test.ts > after it\nknows [redacted]',
    ])
    for (const text of texts) expect(text).not.toContain('canary-of')
  }
})

describe('what a suite hides is hidden from its start on', () => {
  const secret = 'Sup3rSecret99'
  const env = { ANN_PASSWORD: secret, BOB_PASSWORD: 'B0bSecret77', CAT_PASSWORD: 'CatS3cret55' }
  const auth = (base: string, user = 'ann'): string => `suite_name: Auth
exports: [token]
base_url: '${base}'
variables: { password: '{{$env.${user.toUpperCase()}_PASSWORD}}' }
steps:
  - name: Log in
    request: { method: POST, url: /post, body: { user: ${user}, password: '{{password}}' } }
    assert: { body.data: welcome }
    capture: { token: body.json.user }
`
  const reader = (name: string, step: string): string =>
    `suite_name: ${name}\nbase_url: '{{echo_url}}'\nsteps:\n  - name: Get\n    ${step}\n`

  test('also where it runs for another one, unreported, and in what an application prints then', async () => {
    await using project = await createProject(
      {
        'app.ts': `export default async (request) => {
  const data = await request.text()
  console.log('printed', data)
  return Response.json({ data, json: { user: 'ann' } })
}
`,
        'ann.suite.yaml': auth('{{app_url}}', 'ann'),
        'bob.suite.yaml': auth('{{app_url}}', 'bob'),
        'cat.suite.yaml': auth('{{app_url}}', 'cat'),
        'run/reads.suite.yaml': reader('Reads', `request: { url: '/get?{{ann.token}}' }`),
        'run/calls.suite.yaml': reader('Calls', 'call: { suite: bob }'),
        'run/typed.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Typed', base_url: '{{echo_url}}', steps: [{ name: 'Get', request: { url: '/get?{{cat.token}}' } }] })\n`,
      },
      { env, suites: `{ app: './app.ts' }` },
    )
    const ran = await project.run('run/', ...REPORTERS)
    expect(ran.code).toBe(1)
    for (const user of ['ann', 'bob', 'cat']) {
      expect(ran.output).toContain(`printed {"user":"${user}","password":"[redacted]"}`)
      expect(ran.output).toMatch(
        new RegExp(`${user}\\.suite\\.yaml:8.*: Expected \`body\\.data\` to equal \`"welcome"\``),
      )
    }
    const texts = [ran.output, await project.read('junit.xml')]
    for (const each of Object.values(env)) for (const text of texts) expect(text).not.toContain(each)
  })

  test('also in what an application throws when it starts, with its members, such as the request of an HTTP client', async () => {
    await using project = await createProject(
      {
        'app.ts': `
const { ANN_PASSWORD: password, BAD } = process.env
const config = { headers: { authorization: 'Bearer ' + password }, data: [password], send() {} }
const cause = Object.assign(new Error('inner ' + password, { cause: new Error('at postgres://u:PGpassw0rd@h/db') }), { config })
const request = { url: '/' + password }
request.self = request
export default () => {
  if (BAD) throw AbortSignal.abort().reason
  Object.defineProperty(cause, 'kind', { value: 'fixed' })
  throw Object.assign(new AggregateError([cause], 'as root with ' + password, { cause: { password, n: 1 } }), { cause, config, request, code: 'E1' })
}
`,
        'auth.suite.yaml': auth('{{app_url}}'),
      },
      { env, suites: `{ app: './app.ts' }` },
    )
    const { output, texts } = await runForTexts(project, '--reporter=blob')
    const blob = (await readdir(join(project.root, '.vitest/blob')))[0] as string
    texts.push(await project.read(join('.vitest/blob', blob)), await project.report('failures.json'))
    expect(output).toContain('Error: as root with [redacted]')
    expect(output).toContain('Error: at postgres://u:[redacted]@h/db')
    expect(output).toContain("headers: { authorization: '[redacted]' }")
    for (const text of texts) for (const each of [secret, 'PGpassw0rd']) expect(text).not.toContain(each)
    await project.write({ 'app.ts': (await project.read('app.ts')).replace('if (BAD)', '') })
    expect((await project.run()).output).toContain('AbortError: This operation was aborted')
  })

  test('also in hooks of `extend` before the first step', async () => {
    await using project = await createProject(
      {
        'ext.ts': `export default { beforeSuite({ variables }) {
  console.log('hook', JSON.stringify(variables))
  throw new Error('before: ' + variables.password)
} }\n`,
        'auth.suite.yaml': auth('{{echo_url}}'),
      },
      { env, suites: `{ extend: './ext.ts' }` },
    )
    const { output } = await project.run()
    expect(output).toContain('hook {')
    expect(output).toContain('before: [redacted]')
    expect(output + (await project.report('suites/auth.json'))).not.toContain(secret)
  })
})
