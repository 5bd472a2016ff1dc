import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type EchoServer } from '../../../server/index.ts'
import { makeFolder } from '../../fixtures/make-folder.ts'
import { certificate } from '../../request/fixtures/certificate.ts'
import { startHttpServer } from '../../request/fixtures/http-server.ts'
import { runText } from '../fixtures/run-text.ts'

let echo: EchoServer
beforeAll(async () => void (echo = await startServer()))
afterAll(() => echo.close())

const suite = (steps: string): string => `suite_name: Test\nbase_url: '${echo.url}'\nsteps:\n${steps}`

const failuresOf = ({ failures }: { failures: { message: string }[] } = { failures: [] }): string[] =>
  failures.map(({ message }) => message)

test('an answer cannot choose a file outside the folder of the suite', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Capture
    request: { method: POST, url: /post, body: { file: /etc/hostname, up: ../attempt/attempt.ts, near: run-text.ts } }
    capture: { file: body.json.file, up: body.json.up, near: body.json.near }
  - name: Absolute
    request: { method: POST, url: /post, file: '{{file}}' }
  - name: Upward
    request: { method: POST, url: /post, multipart: { a: { file: '{{up}}' } } }
  - name: Written
    request: { method: POST, url: /post, multipart: { a: { file: ../run-step.ts } } }
    assert: { body: { files: { a: { contains: export } } } }
  - name: Near
    request: { method: POST, url: /post, file: '{{near}}' }
    assert: { body: { data: { contains: export } } }
`),
  )
  for (const name of ['Absolute', 'Upward'])
    expect(failuresOf(outcomes[name])).toEqual([
      expect.stringMatching(
        /^Could not read the file .* for the request: its name comes from a value, and it is outside the folder of the suite\./,
      ),
    ])
  for (const name of ['Written', 'Near']) expect(failuresOf(outcomes[name])).toEqual([])
})

test('a template may give all params, headers, fields and parts, and defaults that it does not replace stay', async () => {
  const { outcomes } = await runText(`
suite_name: Test
base_url: '${echo.url}'
defaults: { headers: { X-Tenant: acme, x-kept: a }, params: { api: 2, page: 1, Page: 1 } }
variables:
  query: { page: 5, tag: [a, b], none: null }
  none: null
steps:
  - name: All
    request: { method: POST, url: '/anything?api=3', params: '{{query}}', headers: '{{js: ({ "x-tenant": "other" })}}', form: '{{query}}' }
    assert:
      body.args: { api: '3', page: '5', Page: '1', tag: [a, b] }
      body.headers: { contains: { X-Tenant: other, X-Kept: a } }
      body.form: { page: '5', tag: [a, b] }
  - name: None
    request: { url: /anything, params: '{{none}}', headers: '{{none}}' }
    assert: { body.args: { api: '2', page: '1', Page: '1' }, body.headers.X-Tenant: acme }
  - name: Parts
    request: { method: POST, url: /anything, multipart: '{{js: ({ n: 1, me: { file: "run-text.ts" } })}}' }
    assert: { body.form: { n: '1' }, body.files.me: { contains: export } }
  - name: List
    request: { url: /anything, params: '{{query.tag}}', headers: { x-tenant: null } }
  - name: Text
    request: { url: /anything, headers: 'a{{none}}' }
  - name: Maps
    request: { method: POST, url: /anything, form: '{{js: [{ a: 1 }, { b: 2 }]}}' }
`)
  for (const name of ['All', 'None', 'Parts']) expect(failuresOf(outcomes[name])).toEqual([])
  expect(failuresOf(outcomes['List'])).toEqual([
    'Expected `params` to be an object of fields, got a list of 2',
  ])
  expect(failuresOf(outcomes['Maps'])).toEqual(['Expected `form` to be an object of fields, got a list of 2'])
  expect(failuresOf(outcomes['Text'])).toEqual([
    'Expected `headers` to be an object of fields, got `a` (string)',
  ])
})

test('captures and conditions can read where redirects led', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Create
    request: { url: '/redirect-to?url=/anything/orders/7%3Fa=b' }
    assert: { custom: [{ condition: 'redirects.length === 1 && redirects[0].target.endsWith("7?a=b")' }] }
    capture: { target: 'redirects[-1].target', id: "{{js: redirects.at(-1).target.match('orders/([0-9]+)')[1]}}" }
  - name: Use
    request: { url: '{{target}}&id={{id}}' }
    assert: { body.url: '${echo.url}/anything/orders/7?a=b&id=7' }
  - name: None
    request: { url: /get }
    scenarios: [{ condition: 'length(redirects) == \`0\`', then: { assert: { status_code: 200 } } }]
`),
  )
  for (const name of ['Create', 'Use', 'None']) expect(failuresOf(outcomes[name])).toEqual([])
})

const gone = `  - name: Capture
    request: { method: POST, url: /post, body: { id: null, empty: '', slash: a/ } }
    capture: { id: body.json.id, empty: body.json.empty, slash: body.json.slash, root: '"http://127.0.0.1:1"' }
  - name: No id
    request: { method: DELETE, url: '/anything/x{{slash}}b/{{id}}?a={{id}}' }
  - name: Missing
    request: { url: '/anything/{{id}}/b' }
  - name: Empty
    request: { url: '/anything/{{ empty }}#f' }
    assert: { status_code: 404 }
  - name: Whole
    request: { url: '/anything/x{{id}}/{{slash}}' }
  - name: Meant
    request: { url: "/anything/{{id ?? ''}}" }
    assert: { status_code: 404 }
  - name: Slash
    request: { url: '{{root}}/anything/{{slash}}' }
  - name: Address
    request: { url: '{{root}}/anything/{{id}}' }
`

const lost =
  'A `{{…}}` in the path of the URL is null or empty, so part of the path is missing. Capture or set it, or skip the step.'

test.each([
  ['literal', [], [lost]],
  ['error', [lost], []],
] as const)(
  'a part of a path that is null or empty is told, with `unresolved: %s`',
  async (unresolved, failed, warned) => {
    const { outcomes } = await runText(suite(gone), { settings: { unresolved } })
    const told = (name: string): string[][] => [
      failuresOf(outcomes[name]),
      (outcomes[name]?.result.warnings ?? []).map(({ message }) => message),
    ]
    for (const name of ['Missing', 'Empty', 'Address']) expect(told(name).flat()).toContain(lost)
    for (const name of ['Missing', 'Empty']) expect(told(name)).toEqual([failed, warned])
    expect(outcomes['Missing']?.result.warnings?.map(({ line, column }) => [line, column])).toEqual(
      unresolved === 'error' ? undefined : [[10, 32]],
    )
    for (const name of ['Whole', 'Meant']) expect(told(name)).toEqual([[], []])
    // A value that is the whole address may contain slashes.
    expect(told('Slash')[1]).toEqual([])
  },
)

test('a list or map in a path is told, and none in a query', async () => {
  const { outcomes } = await runText(
    suite(`  - name: List
    variables: { ids: [1, 2] }
    request: { url: '/anything/{{ids}}/a' }
  - name: Map
    variables: { it: { a: 1 } }
    request: { url: '/anything/x{{it}}?b={{it}}' }
  - name: Others
    variables: { it: { a: 1 }, id: 1 }
    request: { url: '/anything/{{id}}/{{true}}?b={{it}}' }
`),
  )
  const told = Object.values(outcomes).map(({ result }) => result.warnings ?? [])
  const message =
    'A `{{…}}` in the path of the URL is a list or map, and sent as JSON. Insert one of its values, or send it in `params` or `body`.'
  expect(told).toMatchObject([[{ message, line: 6, column: 32 }], [{ message, line: 9, column: 33 }], []])
})

test('a value arrives in a url as it is', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Capture
    request: { method: POST, url: /post, body: { value: 'a%2Bb+c%&d' } }
    capture: { value: body.json.value }
  - name: Query
    request: { url: '/get?q={{value}}' }
    assert: { body: { args: { q: 'a%2Bb+c%&d' } } }
  - name: Path
    request: { url: '/anything/{{value}}' }
    assert: { body: { url: { pattern: '/anything/a%252Bb[+]c%25%26d$' } } }
`),
  )
  for (const name of ['Query', 'Path']) expect(failuresOf(outcomes[name])).toEqual([])
})

test('a number without a JSON form, or a line break in a header, is refused where it would be sent', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Capture
    request: { method: POST, url: /post, headers: { content-type: application/json }, body: '{"big": 1e400}' }
    capture: { big: body.json.big }
  - name: Body
    request: { method: POST, url: /post, body: { list: [1, { big: '{{big}}' }], none: null } }
  - name: Query
    request: { url: /get, params: { big: '{{big}}' } }
  - name: Header
    request: { url: /get, headers: { x-big: '{{big}}' } }
  - name: Part
    request: { method: POST, url: /post, multipart: { big: '{{big}}' } }
  - name: Line
    variables: { line: "a\\nb" }
    request: { url: /get, headers: { x-a: b, x-line: '{{line}}' } }
`),
  )
  expect(failuresOf(outcomes['Body'])).toEqual([
    'Expected `body.list.1.big` to be a finite number, got `Infinity` (number)',
  ])
  for (const name of ['Query', 'Header', 'Part'])
    expect(failuresOf(outcomes[name])).toEqual([expect.stringContaining('to be a finite number')])
  const places = ['Body', 'Query', 'Header', 'Part', 'Line'].map((name) => outcomes[name]?.failures[0]?.at)
  expect(places).toEqual([
    [8, 68],
    [10, 43],
    [12, 46],
    [14, 61],
    [17, 55],
  ])
})

test('`tls` of the suite holds for its steps, and a step has its own', async () => {
  const folder = makeFolder({ 'me.pem': certificate.cert, 'me.key': certificate.key })
  const server = await startHttpServer((_request, response) => void response.end('in'), {
    tls: { requestCert: true, rejectUnauthorized: true, ca: certificate.cert },
  })
  const { outcomes } = await runText(
    `suite_name: Test
base_url: 'https://localhost:${server.port}'
variables: { name: me }
tls: { cert: '{{name}}.pem', key: me.key, ca: me.pem }
steps:
  - { name: Suite, request: { url: / }, assert: { body: in } }
  - { name: Step, request: { url: /, tls: { ca: me.pem } } }
  - { name: Gone, request: { url: /, tls: { ca: '{{name}}.gone' } } }
`,
    { folder },
  )
  await server.close()
  expect(failuresOf(outcomes['Suite'])).toEqual([])
  expect(failuresOf(outcomes['Step'])).toEqual([expect.stringContaining('GET https://localhost')])
  expect(failuresOf(outcomes['Gone'])).toEqual([
    expect.stringContaining('Could not read the file `me.gone` (string) for the request: ENOENT'),
  ])
})

test('a token of `oauth2` is fetched once; the result shows the request for it, without secrets', async () => {
  const server = await startHttpServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const token = { access_token: 'tok-9', token_type: 'bearer', expires_in: 60 }
    response.end(JSON.stringify(request.url === '/token' ? token : { got: request.headers.authorization }))
  })
  const step = (name: string): string => `  - name: ${name}
    request: { url: /x, auth: { oauth2: { token_url: /token, client_id: me, client_secret: '{{secret}}' } } }
    assert: { body: { got: Bearer tok-9 } }
`
  const { outcomes } = await runText(
    `suite_name: Test\nbase_url: '${server.url}'\nvariables: { secret: hush }\nsteps:\n${step('First')}${step('Second')}`,
  )
  await server.close()
  for (const name of ['First', 'Second']) expect(failuresOf(outcomes[name])).toEqual([])
  const { auth_requests } = outcomes['First']?.result ?? {}
  expect(auth_requests).toEqual([
    { method: 'POST', url: `${server.url}/token`, status_code: 200, duration_ms: expect.any(Number) },
  ])
  expect(JSON.stringify(auth_requests)).not.toMatch(/hush|tok-9/)
  expect(outcomes['Second']?.result).not.toHaveProperty('auth_requests')
})

test('a `url` that turns out to be no text fails its step, at the template', async () => {
  const { outcomes } = await runText(
    `suite_name: Test
base_url: '${echo.url}'
defaults: { auth: { basic: { username: ann, password: pw } } }
steps:
  - name: Page
    request: { url: /anything }
    capture: { next: body.json }
  - name: Next page
    request: { url: '{{next}}' }
  - name: Messages
    websocket: { url: '{{next}}' }
`,
  )
  const got = 'Expected `url` to be a string, got `null`'
  expect(['Next page', 'Messages'].flatMap((name) => outcomes[name]?.failures ?? [])).toEqual([
    { kind: 'request', message: got, at: [9, 22] },
    { kind: 'request', message: got, at: [11, 24] },
  ])
})

test('the command for a long body names its file, wherever that is and even if its name is a number', async () => {
  const folder = makeFolder({ '7': 'seven' })
  const { outcomes } = await runText(
    suite(`  - name: Number
    variables: { name: 7 }
    request: { method: POST, url: /post, file: '{{name}}' }
    assert: { body: { data: seven } }
  - name: Absolute
    request: { method: POST, url: /post, file: '${join(folder, '7')}' }
`),
    { folder },
  )
  expect(failuresOf(outcomes['Number'])).toEqual([])
  expect(outcomes['Number']?.exchange?.file).toBe('7')
  expect(outcomes['Absolute']?.exchange?.file).toBe(join(folder, '7'))
})

test('a `base_url` whose value is null is empty', async () => {
  const { outcomes } = await runText(`suite_name: Test
base_url: '{{api}}'
variables: { api: null }
steps: [{ name: One, request: { url: /get } }]
`)
  expect(failuresOf(outcomes['One'])).toEqual([
    'Expected `url` to be absolute because `base_url` is missing or empty, got `/get` (string). Add `base_url` to the suite, choose an environment that has one (SUITECASE_ENV), or write the full URL',
  ])
})

test('`beforeEach` changes the request of a step, and fails a step whose request it breaks', async () => {
  const steps = ['Changed', 'Without url', 'Misspelt'].map(
    (name) => `  - { name: ${name}, request: { url: /get } }\n`,
  )
  const { outcomes } = await runText(suite(steps.join('')), {
    hooks: {
      beforeEach: async ({ step, request }) => {
        const { name } = step as { name: string }
        if (name === 'Without url') return {}
        const key = name === 'Misspelt' ? 'headrs' : 'headers'
        return { ...(request as object), [key]: { 'x-step': name } }
      },
    },
  })
  expect(outcomes['Changed']?.result.request_details?.headers).toMatchObject({ 'x-step': 'Changed' })
  expect(['Changed', 'Without url', 'Misspelt'].map((name) => failuresOf(outcomes[name]))).toEqual([
    [],
    ['`beforeEach` left no request with a `url`.'],
    [
      expect.stringMatching(
        /^`beforeEach` set `request.headrs`, which it does not have; available: method, url/,
      ),
    ],
  ])
})

test('`afterEach` receives each response, and fails a step once, however many it has', async () => {
  const seen: unknown[] = []
  const { outcomes } = await runText(
    suite(`  - { name: One, request: { url: /get } }
  - { name: Many, request: { url: /anything }, burst: { times: 3 } }
`),
    {
      hooks: {
        afterEach: async ({ step, request, response }) => {
          const { pathname } = new URL((request as { url: string }).url)
          seen.push([pathname, (response as { status_code: number }).status_code])
          throw new Error(`not after ${(step as { name: string }).name}`)
        },
      },
    },
  )
  expect(['One', 'Many'].map((name) => failuresOf(outcomes[name]))).toEqual([
    ['not after One'],
    ['not after Many'],
  ])
  const many = ['/anything', 200]
  expect(seen).toEqual([['/get', 200], many, many, many])
})
