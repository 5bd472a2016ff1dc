import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startServer, type EchoServer } from '../../server/index.ts'
import { setUserFunctions } from '../interpolation/sandbox/extension-functions.ts'
import { stringifySafely } from '../safe-json.ts'
import type { Position } from '../source.ts'
import { RunStopped } from './attempt/attempt.ts'
import { runText } from './fixtures/run-text.ts'
import { rememberState, restoreState } from './record-outcome.ts'
import type { StepOutcome } from './step-outcome.ts'
import { listVisible, resolveSuiteVariables } from './suite-run.ts'

let echo: EchoServer
beforeAll(async () => void (echo = await startServer()))
afterAll(() => echo.close())

const suite = (steps: string, top = ''): string =>
  `suite_name: Test\nnode_id: test\nbase_url: '${echo.url}'\n${top}\nsteps:\n${steps}`

/** Starts a server for one test, to give answers that no well-behaved server would. */
async function serve(listener: RequestListener): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('what an answer of another status has not is told in one line', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Order
    request: { method: POST, url: /status/401, headers: { x: y } }
    assert: { status_code: 201, headers.location: /orders/1, body: { id: 1, name: { type: string } } }
    capture: { id: body.id }
  - name: Other values
    request: { url: /get }
    assert: { status_code: 201, body: { url: /other, id: 1 } }
`),
  )
  const { failures = [], result } = outcomes['Order'] ?? {}
  expect(failures.map(({ message }) => message)).toEqual([
    'Expected `status_code` to be 201, got 401\nThese could not be checked: headers.location, body.id, body.name, the capture `id`',
  ])
  expect(result?.assertions_results.filter(({ passed }) => !passed)).toHaveLength(4)
  expect(outcomes['Other values']?.failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^Expected `status_code` to be 201, got 200\nThese could not be checked: body\.id\nAlso: Expected `body\.url` to equal .*$/,
    ),
  ])
})

test('what has a cause of its own beside an unexpected status is told on its own', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Own causes
    request: { url: /status/404 }
    assert:
      status_code: 200
      headers.content-type: { pattern: '{{nobody}}' }
      body: { length: 7 }
      redirects: 1
      custom: [{ name: own, condition: run_id === 7 }, { name: told, condition: status_code < 300 }]
  - name: No status to compare with
    request: { url: /get }
    assert: { status_code: '{{nobody}}', body.url: /other }
  - name: Several responses
    burst: { times: 2 }
    request: { url: /get }
    assert: { status_code: 201, body.url: /other }
`),
  )
  const messages = (name: string) => outcomes[name]?.failures.map(({ message }) => message)
  expect(messages('Own causes')).toEqual([
    expect.stringMatching(/^Expected `status_code` to be 200, got 404\nAlso: .*`body`.*\nAlso: told: .*$/),
    expect.stringContaining('`nobody` has no value'),
    expect.stringContaining('`redirects`'),
    expect.stringMatching(/^own: /),
  ])
  expect(messages('No status to compare with')).toHaveLength(2)
  expect(messages('Several responses')).toHaveLength(2)
})

test('what is looked for below a part that is missing is told once', async () => {
  const { outcomes } = await runText(
    suite(`  - name: No parent
    request: { url: /get }
    assert: { body.user.name: { optional: true, type: string }, body.user.id: 1, body.usr: 2, body.url: 3 }
    capture: { city: body.user.address.city, other: body.other }
`),
  )
  const { failures = [], result } = outcomes['No parent'] ?? {}
  expect(failures.map(({ about }) => about)).toEqual([
    'body.user.name',
    'body.usr',
    'body.url',
    'the capture `other`',
  ])
  expect(failures[0]?.message).toMatch(
    /^nothing at `body\.user\.name`; `body` has: .*\nThese could not be checked: body\.user\.id, the capture `city`$/,
  )
  expect(result?.assertions_results.filter(({ passed }) => !passed)).toHaveLength(5)
  expect(result?.error_message?.match(/body\.user\.id/g)).toHaveLength(1)
})

test('a header that is missing, a value of a wrong type and a document that cannot be read are told once', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Missing header
    request: { url: /get }
    assert: { headers.etag: { pattern: x } }
    capture: { etag: headers.etag, whole: headers.ETag }
  - name: Wrong type
    request: { method: POST, url: /post, body: { id: '1', list: [{ n: 1 }, {}] } }
    assert: { body.json: { id: { type: integer, greater_than: 0, less_than: 9 }, list: { length: 1, sorted_by: n } } }
  - name: Unreadable
    request: { url: /get }
    body_as: xml
    assert: { xpath: { 'count(//item)': 1, //title: A } }
    capture: { title: { xpath: //title } }
`),
  )
  const messages = (name: string) => outcomes[name]?.failures.map(({ message }) => message)
  expect(messages('Missing header')).toEqual([
    expect.stringMatching(
      /^nothing at `headers\.etag`; .*\nThese could not be checked: the capture `etag`, the capture `whole`$/,
    ),
  ])
  expect(messages('Wrong type')).toEqual([
    'Expected `body.json.id` to be of type integer, got `"1"` (string)\nThese could not be checked: body.json.id.greater_than, body.json.id.less_than',
    expect.stringMatching(/^Expected `body.json.list` to have a length of 1, got 2/),
    expect.stringMatching(
      /^The `sorted_by` check of `body.json.list` finds nothing at `body.json.list\[1\].n`/,
    ),
  ])
  expect(outcomes['Wrong type']?.result.assertions_results.filter(({ passed }) => !passed)).toHaveLength(5)
  expect(messages('Unreadable')).toEqual([
    expect.stringMatching(
      /^xpath\["count\(\/\/item\)"\]: The body could not be read as XML.*\nThese could not be checked: xpath\["\/\/title"\], the capture `title`$/,
    ),
  ])
})

test('captures and conditions read the cookies of the answer', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Log in
    request: { url: '/cookies/set?XSRF-TOKEN=a=b&other=c', follow_redirects: false }
    assert: { custom: [{ condition: "cookies['XSRF-TOKEN'] === 'a=b' && cookies.none === undefined" }] }
    capture: { xsrf: cookies.XSRF-TOKEN, all: cookies }
`),
  )
  expect(outcomes['Log in']?.failures).toEqual([])
  expect(outcomes['Log in']?.result.captured_variables).toEqual({
    xsrf: 'a=b',
    all: { 'XSRF-TOKEN': 'a=b', other: 'c' },
  })
})

test('the result of a step has the fields of the specification', async () => {
  const { outcomes } = await runText(
    suite(
      `  - name: Search for "it" & more!
    request:
      method: POST
      url: '/anything/{{path}}?fixed=1'
      params: { q: '{{term}}', n: 5 }
      headers: { X-Kind: test }
      body: { a: '{{n}}' }
    assert: { status_code: 200, body: { json: { a: { equals: 5 } } } }
    capture: { got: body.json.a }
`,
      'variables: { path: search, term: a b, n: 5 }',
    ),
  )
  const { result } = outcomes['Search for "it" & more!'] ?? {}
  expect(result).toMatchObject({
    step_id: 'step-1-search-for-it-more',
    qualified_step_id: 'test::step-1-search-for-it-more',
    step_name: 'Search for "it" & more!',
    status: 'success',
    line: 6,
    captured_variables: { got: 5 },
    available_variables: { path: 'search', term: 'a b', n: 5, got: 5 },
    assertions_results: [
      { field: 'status_code', expected: 200, actual: 200, passed: true, message: 'OK' },
      { field: 'body.json.a.equals', expected: 5, actual: 5, passed: true, message: 'OK' },
    ],
    request_details: {
      method: 'POST',
      url: '/anything/search?fixed=1',
      params: { q: 'a b', n: 5 },
      base_url: echo.url,
      full_url: `${echo.url}/anything/search?fixed=1&q=a%20b&n=5`,
      raw_url: '{{base_url}}/anything/{{path}}?fixed=1',
      body: { a: 5 },
    },
    response_details: { status_code: 200 },
  })
  expect(result?.start_time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(Object.hasOwn(result ?? {}, 'attempts')).toBe(false)
})

test('absent values are absent', async () => {
  const { outcomes } = await runText(
    `suite_name: Test\nsteps:\n  - name: Get\n    request: { url: '${echo.url}/status/204' }\n`,
  )
  const details = outcomes['Get']?.result.request_details ?? {}
  for (const name of ['params', 'base_url', 'body']) expect(Object.hasOwn(details, name)).toBe(false)
  expect(details).toMatchObject({ raw_url: `${echo.url}/status/204` })
})

test('a step that is skipped has no start', async () => {
  const { outcomes } = await runText(
    suite(`  - { name: Skipped, skip: true, request: { url: /get } }
  - { name: Failed, request: { url: /get, headers: { x: "a\\nb" } } }
`),
  )
  expect(outcomes['Skipped']?.result).not.toHaveProperty('start_time')
  expect(outcomes['Failed']?.result).toHaveProperty('start_time')
})

test('a whole address is shown without the `base_url` that it does not use', async () => {
  const { outcomes } = await runText(
    suite(
      `  - { name: Whole, request: { url: '{{host}}/status/204' } }\n  - { name: Colon, request: { url: 'status:204' } }\n`,
      `variables: { host: '${echo.url}' }`,
    ),
  )
  expect(outcomes['Whole']?.result.request_details?.raw_url).toBe('{{host}}/status/204')
  expect(outcomes['Colon']?.result.request_details?.raw_url).toBe('{{base_url}}status:204')
})

test('a JSON body that is null, false or empty is that value', async () => {
  await using server = await serve((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(decodeURIComponent(request.url?.slice(1) ?? ''))
  })
  const step = (name: string, body: string): string =>
    `  - name: ${name}\n    request: { url: '${server.url}/${encodeURIComponent(body)}' }\n    assert: { body: { equals: ${body} } }\n`
  const { outcomes } = await runText(
    suite(['null', 'false', '0', '""', '[]'].map((body, index) => step(`s${index}`, body)).join('')),
  )
  for (const outcome of Object.values(outcomes)) expect(outcome.failures).toEqual([])
  expect(outcomes['s0']?.result.response_details?.body).toBe(null)
})

test('what the client noticed becomes warnings of the step', async () => {
  await using server = await serve((_request, response) => {
    response.setHeader('content-type', 'text/plain; charset=no-such')
    response.setHeader('set-cookie', 'a=1; Domain=example.com')
    response.end('x')
  })
  const { outcomes } = await runText(
    suite(`  - name: Get\n    request: { url: '${server.url}/' }\n`, 'cookies: true'),
  )
  const messages = outcomes['Get']?.result.warnings?.map(({ message }) => message)
  expect(messages).toEqual([
    expect.stringContaining('cookie `a`'),
    expect.stringContaining('charset `no-such`'),
  ])
})

test('a request with null for `cookie` takes none from the jar, nor after a redirect', async () => {
  const seen: unknown[] = []
  await using server = await serve(({ headers, url }, response) => {
    seen.push(headers.cookie)
    response.writeHead(url === '/moved' ? 302 : 200, { 'set-cookie': 'sid=1', location: '/' }).end()
  })
  const step = (name: string, more: string): string =>
    `  - { name: ${name}, request: { url: '${server.url}/${more} } }\n`
  await runText(
    suite(
      step('In', "'") + step('Out', "moved', headers: { cookie: null }") + step('Back', "'"),
      'cookies: true',
    ),
  )
  expect(seen).toEqual([undefined, undefined, undefined, 'sid=1'])
  await runText(suite(step('In', "'") + step('Back', "'"), 'cookies: false'))
  expect(seen.slice(4)).toEqual([undefined, undefined])
})

test('a refused request says which cookie the suite did not keep', async () => {
  await using server = await serve(({ headers, url }, response) => {
    if (url === '/login') response.writeHead(303, { 'set-cookie': 'sid=1', location: '/me' }).end()
    else response.writeHead(headers.cookie === undefined ? 401 : 403).end()
  })
  const step = (name: string, more: string): string =>
    `  - { name: ${name}, request: { url: '${server.url}/${more} }\n`
  const wanted =
    step('In', "login' }, assert: { status_code: 200 }") + step('Me', "me' }, assert: { status_code: 200 }")
  const own = step('Own', "me', headers: { cookie: sid=2 } }, assert: { status_code: 200 }")
  const token = step('Token', "me', auth: { bearer: x } }, assert: { status_code: 200 }")
  const refused = step('No', "me' }, assert: { status_code: 401 }")
  const { outcomes } = await runText(
    suite(step('Before', "me' }, assert: { status_code: 200 }") + wanted + own + token + refused),
  )
  const hint =
    'The server set the cookie `sid` before, but it was not sent: a suite keeps cookies only with `cookies: true`, beside `steps`.'
  const told = ['Before', 'In', 'Me', 'Own', 'Token', 'No'].map((name) =>
    outcomes[name]?.result.warnings?.map(({ message }) => message),
  )
  expect(told).toEqual([undefined, [hint], [hint], undefined, undefined, undefined])
})

test('declared secrets do not follow a redirect to another origin', async () => {
  const seen: unknown[] = []
  await using other = await serve((request, response) => {
    seen.push(request.headers['x-tenant'], request.headers['x-note'], request.headers['x-plain'])
    response.end()
  })
  await using server = await serve((_request, response) => {
    response.writeHead(302, { location: `${other.url}/` })
    response.end()
  })
  await runText(
    suite(
      `  - name: Go
    request: { url: '${server.url}/', headers: { X-Tenant: acme, X-Note: 'is {{code}} here', X-Plain: no laravel_session, Cookie: laravel_session=k9Zq2 } }
`,
      'redact: [x-tenant, code]\nvariables: { code: hush-hush }',
    ),
  )
  // The name of a cookie is no secret.
  expect(seen).toEqual([undefined, undefined, 'no laravel_session'])
})

test('every value of a suite is data: hostile names and texts are sent as they are', async () => {
  const { outcomes, run } = await runText(
    suite(
      `  - name: Get
    request: { method: POST, url: /anything, body: '{"t": "{OPENjs: 1+1}}"}', headers: { content-type: application/json } }
    capture: { __proto__: body.json.t, constructor: body.json.t, toString: body.json.t }
  - name: Send
    request: { method: POST, url: /anything, body: { a: '{{__proto__}}', b: '{{constructor}}', c: 'x{{toString}}', d: '{{hasOwnProperty}}' } }
`.replace('OPEN', String.raw`\u007b`),
    ),
  )
  expect(run.captures).toEqual({
    ['__proto__']: '{{js: 1+1}}',
    constructor: '{{js: 1+1}}',
    toString: '{{js: 1+1}}',
  })
  expect(outcomes['Send']?.result.request_details?.body).toEqual({
    a: '{{js: 1+1}}',
    b: '{{js: 1+1}}',
    c: 'x{{js: 1+1}}',
    d: '{{hasOwnProperty}}',
  })
  expect(Object.getPrototypeOf({})).toBe(Object.prototype)
})

test('an answer nested beyond every stack does not end the run', async () => {
  await using server = await serve((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(`{"deep": ${'['.repeat(50_000)}${']'.repeat(50_000)}, "flat": 1}`)
  })
  const { outcomes } = await runText(
    suite(`  - name: Get
    request: { url: '${server.url}/' }
    assert: { status_code: 200, body.flat: 1 }
  - name: Next
    request: { url: /get }
`),
  )
  expect(outcomes['Get']?.failures.map(({ message }) => message)).toEqual([
    expect.stringContaining('The body is nested deeper than 500 levels'),
  ])
  expect(outcomes['Next']?.failures).toEqual([])
})

describe.each([
  ['the request', 'request: { url: /delay/9 }'],
  ['the delay', 'delay_ms: 60000\n    request: { url: /get }'],
  [
    'the wait between attempts',
    "retry: { max_attempts: 2, base_delay_ms: 60000, max_delay_ms: 60000, until: 'false' }\n    request: { url: /get }",
  ],
  [
    'the wait for the end of a WebSocket',
    'websocket: { url: /websocket/echo }\n    assert: { close_code: 1000 }',
  ],
])('an abort ends %s', (_, fields) => {
  async function stopWith(reason: Error): Promise<StepOutcome | undefined> {
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 100)
    const { signal } = controller
    return (await runText(suite(`  - name: Step\n    ${fields}\n`), { context: { signal } })).outcomes['Step']
  }

  test.each([new Error('enough'), new RunStopped('enough', { skips: false })])(
    'and the step fails with the reason: %s',
    async (reason) => {
      const outcome = await stopWith(reason)
      expect(outcome?.result.status).toBe('failure')
      expect(outcome?.failures[0]).toMatchObject({ kind: 'stopped', message: 'The step was stopped: enough' })
      expect(outcome?.result.warnings).toBeUndefined()
    },
  )

  test('and the step has not run when the run was to end for another reason', async () => {
    const outcome = await stopWith(new RunStopped('the run ended', { skips: true }))
    expect(outcome?.result).toMatchObject({ status: 'not_run', skip_reason: 'the run ended' })
    expect(outcome?.failures).toEqual([])
  })
})

test('JavaScript conditions find headers in any case, also where one must not be there', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Get
    request: { url: /get, headers: { X-Kind: Test } }
    retry: { max_attempts: 2, base_delay_ms: 1, until: "headers['Content-Type'] === 'application/json'" }
    assert:
      custom:
        - condition: headers['Content-Type'] === headers["content-type"] && headers.Server !== undefined
        - condition: request.headers?.['X-Kind'] === 'Test' && body.headers['X-Kind'] === 'Test'
        - { name: not there, condition: "!headers['Content-Type']" }
`),
  )
  const rows = outcomes['Get']?.result.assertions_results ?? []
  expect(rows.map(({ passed }) => passed)).toEqual([true, true, false])
  expect(outcomes['Get']?.result).not.toHaveProperty('attempts')
})

test('the name of a step in its result is filled in with its own, loop, row, suite and plugin variables, but not with what they say', async () => {
  const { outcomes } = await runText(
    suite(
      `  - name: 'Get {{kind}} {{ it.id }} {{far}} {{odd}} {{none}} {{js: 1}} {{size}}'
    variables: { size: 'very {{kind}}', kind: huge }
    iterate: { over: [{ id: 7 }], as: it }
    request: { url: /get }
`,
      'variables: { kind: big, odd: \'{{ "{{kind}}" }}\' }',
    ),
    { settings: { variables: { far: 'out', kind: 'small' } } },
  )
  expect(Object.values(outcomes)[0]?.result.step_name).toBe(
    'Get huge 7 out {{odd}} {{none}} {{js: 1}} very huge',
  )
})

test('loop variables are seen by conditions, scenarios and captures', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Loop
    iterate: { over: [{ id: 1 }, { id: 2 }], as: item }
    skip: item.id === 1
    retry: { max_attempts: 2, base_delay_ms: 1, until: item.id === 2 }
    request: { url: '/anything/{{item.id}}' }
    scenarios:
      - condition: variables.item.id == 2
        then:
          capture: { last: body.url }
          variables: { copy: 'of {{item.id}} {{last}} {{status_code}}' }
`),
  )
  expect(outcomes['Loop']?.failures).toEqual([])
  expect(outcomes['Loop']?.result.captured_variables).toEqual({
    last: `${echo.url}/anything/2`,
    copy: `of 2 ${echo.url}/anything/2 200`,
  })
})

test('a loop reads suite variables that have waited for the capture of the step before', async () => {
  const { outcomes } = await runText(
    suite(
      `  - { name: Give, request: { method: POST, url: /post, body: { of: [3, 4], n: 2 } }, capture: { of: body.json.of, n: body.json.n } }
  - { name: Over, iterate: { over: '{{list}}', as: i }, request: { url: '/anything/{{i}}' } }
  - { name: Range, iterate: { range: '1..{{count}}', as: i }, request: { url: '/anything/{{i}}' } }
`,
      "variables: { list: '{{of}}', count: '{{n}}' }",
    ),
  )
  expect(outcomes['Over']?.result.iteration).toEqual({ index: 1, i: 4 })
  expect(outcomes['Range']?.result.iteration).toEqual({ index: 1, i: 2 })
})

test('the variables of a step are neither in the loop of the next one, nor in suite variables, nor in what is there at the end', async () => {
  const { run, outcomes } = await runText(
    suite(
      `  - { name: First, variables: { n: 5, who: local }, request: { url: /get } }
  - { name: Loop, iterate: { range: '1..{{n}}', as: i }, request: { url: '/get?i={{i}}' } }
  - { name: Give, request: { method: POST, url: /post, body: { who: real } }, capture: { who: body.json.who } }
  - { name: Last, variables: { n: 5 }, request: { url: '/anything/{{greeting}}' } }
`,
      "variables: { n: 2, greeting: 'hello-{{who}}' }",
    ),
  )
  expect(outcomes['Loop']?.result.iteration).toEqual({ index: 1, i: 2 })
  expect(outcomes['Last']?.result.request_details?.url).toBe('/anything/hello-real')
  expect(outcomes['Last']?.result.available_variables).toMatchObject({ n: 5 })
  expect(listVisible({ run })).toEqual({ n: 2, greeting: 'hello-real', who: 'real' })
})

test('a template without a value in the list of a loop is told with its first iteration, or fails the step where the option says so', async () => {
  const loop = (list: string): string =>
    suite(
      `  - { name: Loop, iterate: { over: ${list}, as: i }, request: { url: '/get?i={{i}}' } }\n`,
      'variables: { user: { a: 1 } }',
    )
  const told = async (...given: Parameters<typeof runText>): Promise<unknown[]> => {
    const {
      status,
      warnings,
      error_message: error,
    } = (await runText(...given)).outcomes['Loop']?.result ?? {}
    return [status, error ?? warnings?.map(({ message }) => message)]
  }
  const message = '`user.b` has no value; `user` has: a.'
  expect(await told(loop("['{{user.b}}']"))).toEqual(['success', [`${message} It stays as written.`]])
  expect(await told(loop("['{{user.b}}', last]"))).toEqual(['success', undefined])
  const settings = { unresolved: 'error' } as const
  expect(await told(loop("['{{user.b}}']"), { settings })).toEqual(['failure', message])
  expect(await told(loop("['{{user.b}}', '{{user.b}}', '{{x}}']"), { settings })).toEqual([
    'failure',
    `${message} \`x\` has no value.`,
  ])
  expect(await told(loop("['{{user.a}}']"), { settings })).toEqual(['success', undefined])
  expect(await told(loop("'{{user.b}}'"))).toEqual(['failure', message])
  expect(await told(loop("'{{user.b}}'").replace("over: '", "range: '1.."))).toEqual(['failure', message])
})

test.each(["over: '{{n}}'", "over: '{{js: n.a.b}}'", "range: '1..{{n}}x'"])(
  'a loop that cannot be read from `%s` fails there',
  async (list) => {
    const text = suite(
      `  - { name: Loop, iterate: { as: i, ${list} }, request: { url: /get } }\n`,
      'variables: { n: 5 }',
    )
    const lines = text.slice(0, text.indexOf('{{', text.indexOf('iterate'))).split('\n')
    const { outcomes } = await runText(text)
    expect(outcomes['Loop']?.failures).toMatchObject([
      { at: [lines.length, (lines.at(-1) ?? '').length + 1] },
    ])
  },
)

const asked = (list: string): string =>
  `it calls \`${list}.every(…)\` on an empty list, which is always true: also require \`${list}.length > 0\`, or \`>= 0\` to allow an empty list.`

test.each([
  [
    'assert: { custom: [{ name: all, condition: "body.json.every((item) => item.name.length > 0)" }] }',
    `The check \`all\` passed, but ${asked('body.json')}`,
  ],
  [
    'assert: { custom: [{ name: all, condition: "body.json.filter(({ id }) => id > 9).every(({ id }) => id > 5)" }] }',
    `The check \`all\` passed, but ${asked('body.json.filter(({ id }) => id > 9)')}`,
  ],
  [
    'retry: { max_attempts: 1, until: "body.json.every((item) => item.done)" }',
    `\`retry.until: body.json.every((item) => item.done)\` held, but ${asked('body.json')}`,
  ],
  [
    'assert: { custom: [{ condition: "body.json.length >= 0 && body.json.every((item) => item.done)" }] }',
    undefined,
  ],
])(
  'a condition on each element of an empty list is told, unless it asks for the length: %s',
  async (judged, told) => {
    const step = `  - name: Step\n    request: { method: POST, url: /post, body: [] }\n    ${judged}\n`
    const { result } = (await runText(suite(step))).outcomes['Step'] as StepOutcome
    expect([result.status, result.warnings?.[0]?.message]).toEqual(['success', told])
  },
)

describe('what a condition compares of the result of a call', () => {
  let called = 0
  beforeAll(() =>
    setUserFunctions({
      rows: () => [{ state: 'new', n: ++called }],
      fail: () => (called = 99),
      none: () => undefined,
    }),
  )
  beforeEach(() => void (called = 0))
  afterAll(() => setUserFunctions({}))

  const judge = async (condition: string): Promise<unknown> => {
    const step = `  - name: Step\n    request: { method: POST, url: /post, body: [{ id: 1, state: new }] }\n    assert: { custom: [{ name: it, condition: "${condition}" }] }\n`
    const { result } = (await runText(suite(step))).outcomes['Step'] as StepOutcome
    return result.error_message ?? result.warnings?.[0]?.message
  }

  test.each([
    ['body.json.find(({ id }) => id === 1).stat', "!== 'paid'"],
    ["rows('select')[0].paid_at", '!== 1'],
    ['none()', '!== 1'],
    ['body.json.find(({ id }) => id === 2)', "!== 'x'"],
    ["rows('select')[0].amount", '> 5', true],
  ])('is told if it is not there and the condition holds: %s', async (read, rest, isNegated = false) => {
    expect(await judge(isNegated ? `!(${read} ${rest})` : `${read} ${rest}`)).toBe(
      `The check \`it\` passed, but it compares \`${read}\`, which is not there (if it may be missing, write a default: \`(… ?? 0)\`).`,
    )
  })

  test('is told if it was passed on and is not there, and if it only is no null', async () => {
    const told = 'The check `it` passed, but it compares'
    expect(await judge('rows(body.json[0].org).length === 1')).toContain(
      `${told} \`body.json[0].org\`, which`,
    )
    expect(await judge('rows(1)[0].done_at !== null')).toBe(
      `${told} \`rows(1)[0].done_at\`, which is not there (a missing value is no null: to refuse both, write \`!= null\`).`,
    )
  })

  test.each([
    "rows('select')[0].state !== 'paid'",
    "rows('select')[0].done_at === undefined",
    'none() === undefined && rows(1).length === 1',
    "body.json.find(({ id }) => id === 1)?.stat !== 'paid'",
  ])('is not told if it is there or asked for: %s', async (condition) => {
    expect(await judge(condition)).toBeUndefined()
  })

  test('is not asked again of your own functions, nor what was not reached', async () => {
    expect(await judge('rows(1)[0].n === 5')).toContain('`rows(1)[0].n` is `1`')
    expect(await judge('rows(2)[0].n === 5 && fail() === 1')).toMatch(/: `rows\(2\)\[0\]\.n` is `2`$/)
    expect(called).toBe(2)
  })
})

describe('what holds only because a name has no value', () => {
  const top = "variables: { limit: '{{$env.LIMIT}}', of: { most: '{{$env.LIMIT}}', least: 0 } }"
  const why = '`limit` has no value: `$env.LIMIT` has no value'

  test.each([
    [
      'assert: { custom: [{ condition: "!(response_time > limit)" }] }',
      `Expected the condition \`!(response_time > limit)\` to be true: ${why}`,
    ],
    [
      'assert: { custom: [{ condition: "response_time >= of.least && !(response_time > of.most)" }] }',
      `Expected the condition \`response_time >= of.least && !(response_time > of.most)\` to be true: ${why.replace('limit', 'of.most')}`,
    ],
    [
      'assert: { custom: [{ condition: "response_time < limit" }] }',
      `Expected the condition \`response_time < limit\` to be true, got \`false\`: ${why}`,
    ],
    [
      'assert: { custom: [{ condition: limit }] }',
      `Expected the condition \`limit\` to be true, got \`undefined\`: ${why}`,
    ],
    [
      'scenarios: [{ condition: "{{js: !(response_time > limit)}}", then: { variables: { a: 1 } } }]',
      `The condition \`{{js: !(response_time > limit)}}\` could not be evaluated: ${why}`,
    ],
    [
      'scenarios: [{ condition: status_code != variables.limit, then: { variables: { a: 1 } } }]',
      'The condition `status_code != variables.limit` could not be evaluated: `variables.limit` has no value',
    ],
    [
      'retry: { max_attempts: 1, until: "!(response_time > limit)" }',
      `\`retry.until: !(response_time > limit)\` did not hold after 1 attempt; it gave ${why}.`,
    ],
    ['skip: "!(5 > limit)"', `\`skip: !(5 > limit)\` could not be evaluated: ${why}`],
    ['skip: "{{js: !(5 > limit)}}"', `\`js: !(5 > limit)\` has no value: ${why}.`],
    [
      'assert: { body.url: "{{js: \'http://\' + limit}}" }',
      `The \`equals\` check of \`body.url\` has an operand that could not be computed: \`js: 'http://' + limit\` has no value: ${why}`,
    ],
    [
      'iterate: { over: "{{js: [1, 2].filter((n) => n > limit)}}", as: n }',
      `\`js: [1, 2].filter((n) => n > limit)\` has no value: ${why}.`,
    ],
  ])('fails the step: %s', async (judged, message) => {
    const { outcomes } = await runText(
      suite(`  - name: Step\n    request: { url: /get }\n    ${judged}\n`, top),
    )
    expect(outcomes['Step']?.failures.map((failure) => failure.message)).toEqual([message])
  })

  test('is not repeated', async () => {
    const retry = 'retry: { max_attempts: 2, base_delay_ms: 1, on: "!(response_time > limit)" }'
    const { outcomes } = await runText(
      suite(`  - name: Step\n    request: { url: /get }\n    ${retry}\n`, top),
    )
    const { attempts, warnings } = outcomes['Step']?.result ?? {}
    expect([attempts, warnings?.map(({ message }) => message)]).toEqual([
      undefined,
      [
        `Expected \`retry.on: !(response_time > limit)\` to be true or false, got ${why}: the request is not repeated.`,
      ],
    ])
  })

  test('holds where a suite of flow-test-engine says it', async () => {
    const step = '  - name: Step\n    request: { method: GET, url: /get }\n    skip: "!(5 > limit)"\n'
    const { outcomes } = await runText(suite(step, top), { compat: true })
    expect(outcomes['Step']?.result.status).toBe('skipped')
  })
})

test('a variable of a scenario without a value fails the step', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Sets
    request: { url: /get }
    scenarios:
      - condition: status_code == 200
        then: { variables: { v: '{{body.args.none}}' } }
`),
  )
  expect(outcomes['Sets']?.result).toMatchObject({
    status: 'failure',
    error_message: 'The variable `v`: `body.args.none` has no value.',
    captured_variables: {},
  })
})

test('a JMESPath condition reads what other suites export as they are named', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Reads
    request: { url: /get }
    scenarios:
      - condition: variables.auth.user.name == 'ada'
        then: { variables: { found: true } }
`),
    { exports: { auth: { user: { name: 'ada' } } } },
  )
  expect(outcomes['Reads']?.result.captured_variables).toEqual({ found: true })
})

test('a step run again starts from the state before its first run', async () => {
  const { run } = await runText(
    suite(
      `  - name: Get\n    request: { url: /status/500 }\n    assert: { status_code: 200 }\n    capture: { token: body.token }\n`,
      "on_failure: stop\nvariables: { path: '/{{token}}' }",
    ),
  )
  const [step] = run.plan.steps
  if (!step) throw new Error('the suite has a step')
  expect([...run.absent]).toEqual([['token', { provider: '“Get” (line 7)', why: 'did not provide' }]])
  expect(run.stopped).toContain('“Get”')
  const { exports, variables } = run
  restoreState(run, step, { given: [['token', undefined]], exports, variables, stopped: undefined })
  expect(run.absent.size).toBe(0)
  expect(run.stopped).toBe(undefined)
  run.captures['token'] = 'old'
  const before = rememberState(run, step)
  run.captures['token'] = 'new'
  resolveSuiteVariables(run)
  expect(run.variables).toEqual({ path: '/new' })
  run.stopped = 'enough'
  const later = rememberState(run, step)
  restoreState(run, step, before)
  expect(run.captures).toEqual({ token: 'old' })
  resolveSuiteVariables(run)
  expect(run.variables).toEqual({ path: '/old' })
  expect(run.stopped).toBeUndefined()
  restoreState(run, step, later)
  expect(run).toMatchObject({ captures: { token: 'new' }, stopped: 'enough' })
})

test('a snapshot counts as passed until something compares it, and a difference fails the step like every check', async () => {
  const text = suite(
    `  - name: Get
    request: { method: POST, url: /anything, body: { v: 1 } }
    assert: { body.json: { snapshot: { name: one } }, status_code: 200 }
  - name: After
    request: { url: /get }
`,
    'on_failure: stop',
  )
  const { outcomes: pending } = await runText(text)
  expect(pending['Get']?.result.status).toBe('success')
  expect(pending['Get']?.snapshots).toMatchObject([{ name: 'Get > one', value: { v: 1 } }])
  const { outcomes } = await runText(text, {
    context: { compareSnapshot: ({ name }) => ({ message: `${name} differs` }) },
  })
  expect(outcomes['Get']?.result).toMatchObject({ status: 'failure', error_message: 'one differs' })
  expect(outcomes['Get']?.result.assertions_results.filter(({ passed }) => !passed)).toMatchObject([
    { field: 'body.json.snapshot', message: 'one differs' },
  ])
  expect(outcomes['After']?.result).toMatchObject({
    status: 'skipped',
    skip_reason: expect.stringContaining('“Get”'),
  })
})

test('what mocks and late errors found fails a step like its own checks', async () => {
  const text = suite(
    `  - name: Get
    request: { url: /get }
    capture: { seen: body.url }
  - name: After
    request: { url: '/get?{{seen}}' }
`,
    'on_failure: stop',
  )
  const at = [1, 1] as const
  const { outcomes } = await runText(text, {
    context: {
      watch: () => ({
        end: async () => ({
          problems: [{ message: 'nothing was mocked', at }],
          met: ['a mock called 1 time'],
          calls: [],
          late: [{ message: 'it threw', at }],
          warnings: [],
        }),
        close() {},
      }),
    },
  })
  expect(outcomes['Get']?.result).toMatchObject({
    status: 'failure',
    error_message: 'it threw\nnothing was mocked',
    assertions_results: [
      { field: 'mocks', passed: false, message: 'nothing was mocked' },
      { field: 'mocks', expected: 'a mock called 1 time', passed: true, message: 'OK' },
    ],
  })
  expect(outcomes['After']?.result.status).toBe('skipped')
  expect(outcomes['Get']?.result).not.toHaveProperty('mock_calls')
})

test('mocks and late errors are watched while a step waits for its `delay_ms`', async () => {
  const text = suite(
    '  - { name: Get, delay_ms: 1h, request: { url: /get }, assert: { status_code: 200 } }\n',
  )
  const late = [{ message: 'it threw', at: [1, 1] as const }]
  const { outcomes } = await runText(text, {
    context: {
      watch: () => ({
        signal: AbortSignal.abort(new Error('it had a second')),
        end: async () => ({ problems: [], met: [], calls: [], late, warnings: [] }),
        close() {},
      }),
    },
  })
  expect(outcomes['Get']?.failures.map(({ message }) => message)).toEqual([
    'it threw',
    'The step was stopped: it had a second',
  ])
})

test('a step that its own `skip` leaves out is told from one that could not run', async () => {
  const { outcomes } = await runText(
    suite(`  - { name: Unwanted, skip: true, request: { url: /get } }
  - { name: Fails, request: { url: /get }, capture: { id: body.nothing } }
  - { name: Dependent, request: { url: '/get?{{id}}' } }
`),
  )
  expect(outcomes['Unwanted']).toMatchObject({ isLeftOut: true, result: { status: 'skipped' } })
  expect(outcomes['Dependent']?.result.status).toBe('skipped')
  expect(outcomes['Dependent']).not.toHaveProperty('isLeftOut')
})

test('a date of Retry-After that has passed asks for no wait', { timeout: 20_000 }, async () => {
  let count = 0
  await using server = await serve((_request, response) => {
    count += 1
    response.writeHead(count === 1 ? 503 : 200, { 'retry-after': new Date(1000).toUTCString() })
    response.end()
  })
  const { outcomes } = await runText(
    suite(`  - name: Get
    request: { url: '${server.url}/' }
    retry: { max_attempts: 2, on: [503], base_delay_ms: 1, max_delay_ms: 60000 }
`),
  )
  expect(outcomes['Get']?.result.attempts?.map(({ delay_ms }) => delay_ms)).toEqual([0, 1])
})

test('a step that passed without looking at its answer gives a warning', async () => {
  const { outcomes } = await runText(
    suite(`  - name: no match
    request: { url: /get }
    scenarios: [{ condition: status_code == 404, then: { assert: { status_code: 404 } } }]
  - name: no condition
    request: { url: /get }
    scenarios: [{ condition: status_code, then: { assert: { status_code: 404 } } }]
  - name: server error
    request: { url: /status/503 }
    capture: { code: status_code }
  - name: error asked for
    request: { url: /status/503 }
    assert: { status_code: 503 }
  - name: error matched
    request: { url: /status/503 }
    scenarios: [{ condition: status_code == 503, then: { variables: { down: true } } }]
  - name: not found, and nothing asked
    request: { url: /status/404 }
    assert: { headers: { x-none: { exists: false } } }
  - name: not found, and looked at
    request: { url: /status/404 }
    assert: { body: '' }
  - name: error beside what matched
    request: { url: /status/503 }
    scenarios: [{ condition: response_time_ms >= \`0\`, then: { variables: { quick: true } } }]
  - name: other check
    request: { url: /get }
    scenarios: [{ condition: status_code == 404, then: { assert: { status_code: 404 } } }]
    assert: { status_code: 200 }
  - name: like a field
    request: { method: POST, url: /post, body: { exists: false, list: [] } }
    assert: { body: { json: { exists: true, list: { each: { id: 1 } } } } }
`),
  )
  const warnings = Object.entries(outcomes).map(([name, { failures, result }]) =>
    [name, failures.length, (result.warnings ?? []).map(({ message }) => message)].flat(),
  )
  expect(warnings).toEqual([
    [
      'no match',
      0,
      'Nothing was checked: none of the scenarios matched (`status_code == 404`), and the step has no check of its own. Give it an `assert`, or the last scenario an `else`.',
    ],
    ['no condition', 1],
    [
      'server error',
      0,
      'The response had status 503, and no check looks at it. Write `status_code: 503` if that is expected; otherwise, write the status it must have.',
    ],
    ['error asked for', 0],
    ['error matched', 0],
    [
      'not found, and nothing asked',
      0,
      'The response had status 404, and no check looks at it. Write `status_code: 404` if that is expected; otherwise, write the status it must have.',
    ],
    ['not found, and looked at', 0],
    [
      'error beside what matched',
      0,
      'The response had status 503, and no check looks at it. Write `status_code: 503` if that is expected; otherwise, write the status it must have.',
    ],
    ['other check', 0],
    [
      'like a field',
      0,
      '`body.json` has a field called `exists` in the response, but here `exists` is the check of that name. To check the field, write `field: {exists: …}`.',
      '`each` of `body.json.list` checked nothing: the list is empty. Add `notEmpty: true` beside it to reject an empty list, or `minLength: 0` to allow one.',
    ],
  ])
})

test('a server error is told that was to be repeated, where the step passes all the same', async () => {
  const steps = (retry: string): string =>
    suite(`  - name: Down
    request: { url: /status/503 }
    ${retry}
`)
  const repeat = 'retry: { max_attempts: 2, base_delay_ms: 1, on: [503] }'
  const retry = { max_attempts: 2, base_delay_ms: 1, max_delay_ms: 1, backoff: 'fixed' } as const
  const read = ({ outcomes }: Awaited<ReturnType<typeof runText>>): unknown[] => [
    outcomes['Down']?.result.status,
    ...(outcomes['Down']?.result.warnings ?? []).map(({ message }) => message),
  ]
  const told = expect.stringMatching(/^The response had status 503, and no check looks at it\./)
  expect(read(await runText(steps(repeat)))).toEqual(['failure'])
  expect(
    read(await runText(steps(''), { settings: { retry: { ...retry, at: [1, 1], on: [503] } } })),
  ).toEqual(['failure'])
  expect(read(await runText(steps(repeat.replace('}', ", until: 'true' }"))))).toEqual(['success', told])
  expect(read(await runText(steps(repeat), { compat: true }))).toEqual(['success', told])
})

test('cookies, redirects, sizes and times of the answer are checked', async () => {
  const { outcomes } = await runText(
    suite(`  - name: redirected
    request: { url: /redirect/2 }
    assert: { status_code: 200, redirects: 2, 'redirects[0].status_code': 302, duration_ms: { greater_than: 0, less_than: 30000 }, size_bytes: { greater_than: 10 } }
  - name: cookie
    request: { url: '/cookies/set?theme=dark', follow_redirects: false }
    assert: { status_code: 302, redirects: 0, cookies: { theme: { ends_with: rk, path: / } }, cookies.session.exists: false }
`),
  )
  for (const { failures } of Object.values(outcomes)) expect(failures).toEqual([])
  expect(outcomes['cookie']?.result.assertions_results.map(({ field }) => field)).toEqual([
    'status_code',
    'cookies.theme.value.ends_with',
    'cookies.theme.path.equals',
    'cookies.session.exists',
    'redirects.length',
  ])
})

test('integers above 2⁵³ keep their digits from YAML and answers to checks, captures and the next request', async () => {
  const { outcomes } = await runText(
    suite(
      `  - name: first
    request: { method: POST, url: /post, body: { id: 9007199254740993, list: ['{{big}}'], text: 'no {{big}}' } }
    assert:
      body.data.contains: '{"id":9007199254740993,"list":[-12345678901234567890],"text":"no -12345678901234567890"}'
      body.json:
        id: { equals: 9007199254740993, type: integer, greater_than: 9007199254740992, not_equals: 9007199254740992 }
        list: { same_items: [-12345678901234567890], contains: -12345678901234567890 }
      body.json.schema: { properties: { id: { type: integer } } }
      custom: [{ condition: body.json.text.length > 5 }]
    capture: { id: body.json.id, found: 'body.json.[id][?@ == 9007199254740993 && @ > 5] | [0]' }
  - name: second
    request: { method: POST, url: /post, body: { again: '{{id}}', found: '{{found}}' }, params: { id: '{{id}}' } }
    assert: { body.data: '{"again":9007199254740993,"found":9007199254740993}', body.args.id: '9007199254740993' }
  - name: differs
    request: { method: POST, url: /post, body: { id: 9007199254740992 } }
    assert: { body.json.id: 9007199254740993 }
`,
      'variables: { big: -12345678901234567890 }',
    ),
  )
  expect(outcomes['first']?.failures).toEqual([])
  expect(outcomes['second']?.failures).toEqual([])
  expect(outcomes['differs']?.failures).toMatchObject([
    {
      message:
        'Expected `body.json.id` to equal `9007199254740993` (number), got `9007199254740992` (number)',
      diff: { expected: 9007199254740993n, actual: 9007199254740992n },
    },
  ])
  expect(stringifySafely(outcomes['first']?.result.captured_variables)).toBe(
    '{"id":9007199254740993,"found":9007199254740993}',
  )
})

test('a request is repeated as often as allowed, and what it was repeated for must be over then', async () => {
  const step = (name: string, path: string, retry: string): string =>
    `  - name: ${name}\n    request: { url: ${path} }\n    retry: { base_delay_ms: 1, ${retry} }\n`
  const { outcomes } = await runText(
    suite(
      step('Listed', '/status/503', 'max_attempts: 4, on: [503], backoff: exponential') +
        step('Once', '/status/503', 'max_attempts: 1, on: [503]') +
        step('Other', '/status/404', 'max_attempts: 3, on: [503]') +
        step('Asked', '/status/503', 'max_attempts: 2, on: [503]') +
        '    assert: { status_code: 503 }\n' +
        step('Until', '/get', "max_attempts: 2, until: 'false', backoff: fixed") +
        step('Gives', '/get', "max_attempts: 2, until: '5'") +
        step('First', '/get', "max_attempts: 1, until: 'false'") +
        '    assert: { status_code: 404 }\n' +
        step('Holds', '/get', "max_attempts: 3, until: 'true'") +
        step('Both', '/get', "max_attempts: 3, on: 503, until: 'false'") +
        step('Condition', '/get', "max_attempts: 2, on: 'body.url.length > 0'") +
        '    assert: { status_code: 200 }\n' +
        step('Size', '/get', "max_attempts: 2, on: 'size_bytes > 0'") +
        '    assert: { status_code: 200 }\n' +
        step('Status', '/status/503', "max_attempts: 2, on: 'status_code === 503'") +
        '    assert: { status_code: 503 }\n' +
        step('Passes', '/get', 'max_attempts: 3') +
        step('Fails', '/get', 'max_attempts: 3, backoff: fixed') +
        '    assert: { status_code: 404 }\n' +
        step('Refused', "'http://127.0.0.1:1/'", "max_attempts: 2, until: 'true'"),
    ),
  )
  const told = Object.entries(outcomes).map(([name, { result }]) => [
    name,
    result.attempts?.map(({ delay_ms }) => delay_ms),
    result.error_message,
  ])
  expect([...(outcomes['Listed']?.earlier?.keys() ?? [])]).toEqual([1, 2, 3])
  expect(outcomes['Listed']?.result.attempts?.map(({ attempt, status }) => `${attempt} ${status}`)).toEqual([
    '1 failure',
    '2 failure',
    '3 failure',
    '4 failure',
  ])
  expect(Object.keys(outcomes['Listed']?.result.attempts?.[0] ?? {})).toEqual([
    'attempt',
    'start_time',
    'duration_ms',
    'delay_ms',
    'status',
    'status_code',
    'request_details',
    'response_details',
  ])
  expect(outcomes['Listed']?.result.assertions_results).toMatchObject([
    { field: 'retry', expected: 'no further attempt', actual: 503, passed: false },
  ])
  const held = '`retry.on: [503]` still held after'
  expect(told).toEqual([
    ['Listed', [0, 1, 2, 4], `${held} 4 attempts: the response has status 503.`],
    ['Once', undefined, `${held} 1 attempt: the response has status 503.`],
    ['Other', undefined, undefined],
    ['Asked', [0, 1], undefined],
    ['Until', [0, 1], '`retry.until: false` did not hold after 2 attempts.'],
    ['Gives', [0, 1], '`retry.until: 5` did not hold after 2 attempts; it gave 5.'],
    [
      'First',
      undefined,
      '`retry.until: false` did not hold after 1 attempt.\nExpected `status_code` to be 404, got 200',
    ],
    ['Holds', undefined, undefined],
    ['Both', undefined, '`retry.until: false` did not hold after 1 attempt.'],
    [
      'Condition',
      [0, 1],
      '`retry.on: body.url.length > 0` still held after 2 attempts: the response has status 200.',
    ],
    ['Size', [0, 1], '`retry.on: size_bytes > 0` still held after 2 attempts: the response has status 200.'],
    ['Status', [0, 1], undefined],
    ['Passes', undefined, undefined],
    ['Fails', [0, 1, 1], 'Expected `status_code` to be 404, got 200'],
    ['Refused', [0, 1], expect.stringMatching(/^GET .* failed while connecting .*$/)],
  ])
  expect(outcomes['Listed']?.failures[0]?.at[0]).toBe(8)
})

test('a setting from a template is a number in its range, or fails the step', async () => {
  const step = (name: string, rest: string): string =>
    `  - name: ${name}\n    request: { url: /get }\n    ${rest}\n    assert: { status_code: 200 }\n`
  const { outcomes } = await runText(
    suite(
      step('Zero', "retry: { max_attempts: '{{zero}}', base_delay_ms: 1 }") +
        step('Half', "retry: { max_attempts: '{{half}}', base_delay_ms: 1 }") +
        step('Many', "retry: { max_attempts: '{{many}}', base_delay_ms: 1 }") +
        step('One', "retry: { max_attempts: '{{one}}', base_delay_ms: 1 }") +
        step('Second', "retry: { max_attempts: '{{second}}', base_delay_ms: 1 }") +
        step('Minus', "delay_ms: '{{minus}}'") +
        step('Wait', "delay_ms: '{{half}}'"),
      'variables: { zero: 0, half: 1.5, many: 1000000000, one: 1, second: 1s, minus: -1 }',
    ),
  )
  const count = 'to be a whole number from 1 to 1000, got'
  expect(Object.entries(outcomes).map(([name, { result }]) => [name, result.error_message])).toEqual([
    ['Zero', `Expected \`max_attempts: {{zero}}\` ${count} \`0\` (number).`],
    ['Half', `Expected \`max_attempts: {{half}}\` ${count} \`1.5\` (number).`],
    ['Many', `Expected \`max_attempts: {{many}}\` ${count} \`1000000000\` (number).`],
    ['One', undefined],
    ['Second', `Expected \`max_attempts: {{second}}\` ${count} \`"1s"\` (string).`],
    [
      'Minus',
      'Expected `delay_ms: {{minus}}` to be milliseconds or a duration such as `5s`, got `-1` (number).',
    ],
    ['Wait', undefined],
  ])
})

test('a setting, a step variable and a `save` without a usable value are told at their place', async () => {
  const { outcomes } = await runText(
    suite(
      `  - name: Wait
    request: { url: /get }
    delay_ms: '{{minus}}'
  - name: Variable
    variables: { a: 1, b: ['{{none}}'] }
    request: { url: /get }
  - name: Save
    request: { url: /get }
    save: '{{folder}}'
`,
      "variables: { minus: -1, folder: '..' }",
    ),
  )
  const failures = Object.values(outcomes).map(({ failures: [first] }) => first?.at)
  expect(failures).toEqual([
    [8, 16],
    [10, 29],
    [14, 12],
  ])
})

test('a url that is a number is sent, and shown, as its text', async () => {
  const { outcomes } = await runText(
    `suite_name: Test\nbase_url: ${echo.url}/status\nvariables: { code: 204, long: 12345678901234567890 }\nsteps:\n` +
      `  - { name: Number, request: { url: '{{code}}' }, assert: { status_code: 204 } }\n` +
      `  - { name: Long, request: { url: '{{long}}' }, assert: { status_code: 400 } }\n`,
  )
  expect(Object.values(outcomes).map(({ result }) => result.request_details?.url)).toEqual([
    '204',
    '12345678901234567890',
  ])
})

test('a request that fails is one failure, however many checks it leaves without an answer', async () => {
  const { outcomes } = await runText(
    suite(
      `  - name: Down\n    request: { url: 'http://127.0.0.1:1/' }\n    assert: { status_code: 200, body: { a: 1 } }\n    capture: { a: body.a }\n`,
    ),
  )
  const { result } = outcomes['Down'] ?? {}
  expect(result?.error_message?.match(/ECONNREFUSED/g)).toHaveLength(1)
  expect(result?.assertions_results.map(({ passed }) => passed)).toEqual([false, false])
})

test('an expression that fails is told at its place', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Fails
    request:
      url: '/get?ok={{js: 1}}&bad={{js: nobody.x}}'
`),
  )
  expect(outcomes['Fails']?.failures).toMatchObject([
    { at: [8, 35], message: expect.stringContaining('`js: nobody.x` failed.') },
  ])
})

test('a check that holds because a name in it is misspelt is told', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Post
    request: { method: POST, url: /post, body: { items: [{ price: 1 }, { price: 7 }], user: { password: x }, status: failed } }
    retry: { max_attempts: 1, until: "body.json.statis !== 'running'" }
    assert:
      'body.json.items[?prise > 5]': { length: 0 }
      'body.json.items[?prise != 5].price': { length: 2 }
      body.json.usr.hash: { exists: false }
      body.json.user.pasword: { exists: false }
      custom:
        - { name: state, condition: "body.json.statuss !== 'failed'" }
        - { name: item, condition: "body.json.items[0].prise !== 5" }
    scenarios:
      - { condition: "body.json.statuss != 'failed'", then: { variables: { x: 1 } } }
  - name: Absent
    request: { method: POST, url: /post, body: { items: [{ id: 1, price: 1 }], errors: [], user: { a: x, data: 1 }, status: failed, gone: [], 'did you mean': 1 } }
    assert:
      'body.json.items[?price > 9]': { length: 0 }
      'body.json.items[?deleted == true]': { length: 0 }
      'body.json.gone[?price > 9]': { length: 0 }
      body.json.error: { exists: false }
      body.json.error.message: { exists: false }
      body.json.user.b: { exists: false }
      body.json.user.date: { exists: false }
      body.json.items[0].ip: { exists: false }
      body.json.other.name: { exists: false }
      custom:
        - { name: a, condition: "typeof body.json.statuss === 'undefined'" }
        - { name: b, condition: "body.json?.statuss === undefined && (body.json.statusses || body.json.status) === 'failed'" }
        - { name: c, condition: "(body.json.statuss ?? 'x') === 'x'" }
        - { name: d, condition: "!body.json.error && !(body.json.error && body.json.code)" }
        - { name: e, condition: "!body.json.items.some((item) => item.deleted || item.price === 9)" }
        - { name: f, condition: "body.json.gone.every((item) => item.prise > 5) && body.json.gone.length === 0" }
        - { name: g, condition: "Object.keys(body.json).filter((key) => key.lenght > 99).length === 0" }
        - { name: i, condition: "({ list: body.json.items }).list.map((item) => ({ prise: item.id })).every((one) => one.prise === 1)" }
        - { name: j, condition: "!body.json.status.includes('in.every(')" }
`),
  )
  const { failures, result } = outcomes['Post'] ?? {}
  expect(failures).toEqual([])
  expect(result?.warnings?.map(({ message }) => message)).toEqual([
    "The condition `body.json.statuss != 'failed'` reads `statuss`, which is not there (did you mean `status`?).",
    '`prise` in `[?prise > 5]` was not found; available: price (did you mean `price`?).',
    '`prise` in `[?prise != 5]` was not found; available: price (did you mean `price`?).',
    '`exists: false` holds: nothing at `body.json.usr.hash`; `body.json` has: items, status, user (did you mean `user`?).',
    '`exists: false` holds: nothing at `body.json.user.pasword`; `body.json.user` has: password (did you mean `password`?).',
    'The check `state` passed, but it reads `body.json.statuss`, which is not there (did you mean `status`?).',
    'The check `item` passed, but it reads `body.json.items[0].prise`, which is not there (did you mean `price`?).',
    "`retry.until: body.json.statis !== 'running'` held, but it reads `body.json.statis`, which is not there (did you mean `status`?).",
  ])
  // Checking that something is absent is normal, so there is no warning.
  const { failures: none, result: absent } = outcomes['Absent'] ?? {}
  expect([none, absent?.warnings]).toEqual([[], undefined])
})

test('a condition that came out so because of a misspelt name is told: short names, branches not taken, repetitions', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Post
    request: { method: POST, url: /post, body: { name: n, page: 1, data: 1, state: open, items: [{ name: a }] } }
    retry: { max_attempts: 2, on: "body.json.stae === 'pending'", base_delay_ms: 1 }
    assert:
      status_code: 200
      custom:
        - { name: short, condition: "body.json.nam !== 'x'" }
        - { name: others, condition: "!body.json.age && !body.json.date && !body.json.i" }
    scenarios:
      - { condition: "{{js: body.json.statte === 'open'}}", then: { variables: { x: 1 } } }
      - { condition: "{{js: body.json.done === true}}", then: { variables: { x: 1 } } }
      - { condition: "{{js: status_code === 400 && body.url.error === 'x'}}", then: { variables: { x: 1 } } }
      - { condition: "body.json.nam != 'x'", then: { variables: { x: 1 } } }
  - name: Until
    request: { method: POST, url: /post, body: { state: done } }
    retry: { max_attempts: 2, until: "body.json.stat === 'done'", base_delay_ms: 1 }
  - name: On
    request: { method: POST, url: /post, body: { state: done } }
    retry: { max_attempts: 2, on: "body.json.stat !== 'open'", base_delay_ms: 1 }
  - name: Once
    request: { method: POST, url: /post, body: { state: done } }
    retry: { max_attempts: 2, on: "body.json.state === 'open'", base_delay_ms: 1 }
`),
  )
  const { failures, result } = outcomes['Post'] ?? {}
  expect(failures).toEqual([])
  expect(result?.warnings?.map(({ message }) => message)).toEqual([
    "The condition `{{js: body.json.statte === 'open'}}` reads `body.json.statte`, which is not there (did you mean `state`?).",
    "The condition `body.json.nam != 'x'` reads `nam`, which is not there (did you mean `name`?).",
    'The check `short` passed, but it reads `body.json.nam`, which is not there (did you mean `name`?).',
    "`retry.on: body.json.stae === 'pending'` did not hold, and reads `body.json.stae`, which is not there (did you mean `state`?): the request is not repeated.",
  ])
  expect(outcomes['Until']?.failures.map(({ message }) => message)).toEqual([
    "`retry.until: body.json.stat === 'done'` did not hold after 2 attempts: it reads `body.json.stat`, which is not there (did you mean `state`?).",
  ])
  expect(outcomes['On']?.failures.map(({ message }) => message)).toEqual([
    "`retry.on: body.json.stat !== 'open'` still held after 2 attempts: the response has status 200.",
  ])
  expect(['On', 'Once'].map((name) => outcomes[name]?.result.warnings)).toEqual([undefined, undefined])
})

test('a filter that finds nothing because of types alone is told in checks, captures and conditions', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Post
    request: { method: POST, url: /post, body: { items: [{ id: 1, at: '2024-01', on: 'true' }, { id: 22, at: '2025-01', on: 'x' }] } }
    assert:
      "body.json.items[?id == '1']": { length: 0 }
      "body.json.items[?id != '1']": { length: 2 }
      'body.json.items[?on == \`true\`]': { length: 0 }
      "body.json.items[?at > '2024-06']": { length: 0 }
      "body.json.items[?at == '2023-06']": { length: 0 }
      "body.json.items[?id == 'x']": { length: 0 }
      'body.json.items[?id == \`7\`]': { length: 0 }
      'body.json.items[?id > \`100\`]': { length: 0 }
    capture: { ids: "body.json.items[?id == '22'].id" }
    scenarios:
      - { condition: "body.json.items[?id == '22'] | [0].at == '2025-01'", then: { variables: { x: 1 } } }
      - { condition: "length(body.json.items[?id == '22']) == \`0\`", then: { variables: { x: 1 } } }
  - name: Nothing
    request: { method: POST, url: /post, body: { items: [{ id: 1 }] } }
    capture: { id: "body.json.items[?id == '1'].id | [0]" }
`),
  )
  const { failures, result } = outcomes['Post'] ?? {}
  expect(failures?.map(({ message }) => message)).toEqual([
    "The condition `body.json.items[?id == '22'] | [0].at == '2025-01'` compares `1` (number) with `\"22\"` (string), which are never equal",
  ])
  expect(result?.warnings?.map(({ message }) => message)).toEqual([
    'The condition “length(body.json.items[?id == \'22\']) == `0`” compares `1` (number) with `"22"` (string), which are never equal.',
    '`[?id == \'1\']` compares `1` (number) with `"1"` (string), which are never equal.',
    '`[?id != \'1\']` compares `1` (number) with `"1"` (string), which are never equal.',
    '“[?on == `true`]” compares `"true"` (string) with `true` (boolean), which are never equal.',
    '`[?at > \'2024-06\']` compares `"2024-01"` (string) with `"2024-06"` (string), but `>` needs numbers.',
    'The capture `ids`: `body.json.items[?id == \'22\'].id` compares `1` (number) with `"22"` (string), which are never equal.',
  ])
  expect(outcomes['Nothing']?.failures.map(({ message }) => message)).toEqual([
    "The capture `id` has no value: `body.json.items[?id == '1'].id | [0]` found nothing; `body.json.items[?id == '1'].id | [0]` compares `1` (number) with `\"1\"` (string), which are never equal",
  ])
})

test.each([
  ['503,200', true],
  ['429,200', undefined],
  ['429,503,200', true],
])('a step that passed after answers of %s is flaky: %s', async (statuses, flaky) => {
  const { outcomes } = await runText(
    suite(
      `  - name: Again
    request: { url: '/sequence/${statuses}?statuses=${statuses}' }
    retry: { max_attempts: 3, on: [429, 5xx], base_delay_ms: 1 }
    assert: { status_code: 200 }
`,
    ),
  )
  expect(outcomes['Again']?.result).toMatchObject({ status: 'success' })
  expect(outcomes['Again']?.result.flaky).toBe(flaky)
})

test('a step that waited as the option `retry` says is not flaky', async () => {
  const at: Position = [1, 1]
  const retry = {
    max_attempts: 2,
    base_delay_ms: 1,
    max_delay_ms: 1,
    backoff: 'fixed',
    until: 'body.attempt !== 1',
    at,
  } as const
  const { outcomes } = await runText(suite(`  - { name: Wait, request: { url: '/flaky/{{$env.KEY}}' } }\n`), {
    settings: { retry },
    env: { KEY: crypto.randomUUID() },
  })
  expect(outcomes['Wait']?.result).toMatchObject({ status: 'success', attempts: [{}, {}] })
  expect(outcomes['Wait']?.result.flaky).toBeUndefined()
})

test('a suite variable waits for the captures that its expressions read, but not where it has a default', async () => {
  const { outcomes } = await runText(
    suite(
      `  - { name: First, request: { url: '/get?c={{choice}}' }, assert: { body.args.c: x } }
  - { name: Capture, request: { url: '/get?a=7' }, capture: { id: body.args.a, args: body.args } }
  - { name: Read, request: { url: '/get?id={{name}}&a={{member}}&b={{other}}&c={{choice}}' }, assert: { body.args: { id: n-7, a: 7!, b: none, c: x } } }
`,
      `variables: { ok: false, name: '{{js: "n-" + id}}', member: '{{args.a + "!"}}', other: '{{id || "none"}}', choice: '{{ok ? id : "x"}}' }`,
    ),
  )
  expect(outcomes['First']?.result.status).toBe('success')
  expect(outcomes['Read']?.result.error_message).toBeUndefined()
})

test('a suite variable whose template has no value has none itself, and neither has what holds it', async () => {
  const { outcomes } = await runText(
    suite(
      `  - name: Fails
    continue_on_failure: true
    request: { url: /get }
    capture: { cap: headers.x-none }
  - name: Reads
    request: { method: POST, url: '/anything/{{late}}', body: { user: '{{user}}', name: '{{user.name}}' } }
    assert: { body.method: { not_equals: '{{next}}' }, custom: [{ name: none, condition: late === undefined }] }
  - name: Captures
    request: { url: /get }
    capture: { cap: status_code }
  - name: Reads again
    request: { method: POST, url: '/anything/{{next}}', body: '{{user}}' }
`,
      `variables: { late: 'x-{{cap}}', next: '{{late}}', user: { name: ada, id: '{{late}}' } }`,
    ),
    { settings: { variables: { late: 'of the plugin' } } },
  )
  const sent = (name: string): unknown[] => {
    const { url, body } = outcomes[name]?.exchange?.request ?? {}
    return [url, body?.toString()]
  }
  expect(sent('Reads')).toEqual([`${echo.url}/anything/%7B%7Blate%7D%7D`, '{"user":"{{user}}","name":"ada"}'])
  expect(outcomes['Reads']?.result.warnings?.map(({ message }) => message)).toEqual([
    '`user` has no value: `cap` has no value. It stays as written.',
    '`late` has no value: `cap` has no value. It stays as written.',
  ])
  expect(outcomes['Reads']?.failures.map(({ message }) => message)).toEqual([
    expect.stringContaining('`next` has no value: `cap` has no value'),
  ])
  expect(sent('Reads again')).toEqual([`${echo.url}/anything/x-200`, '{"name":"ada","id":"x-200"}'])
})

test('default credentials without a `base_url`, whose origin alone gets them, are not sent and warned of', async () => {
  const { outcomes } = await runText(`suite_name: Test
variables: { host: '${echo.url}' }
defaults: { auth: { basic: { username: ann, password: pw-123456 } } }
steps:
  - name: Open
    request: { url: '{{host}}/headers' }
    assert: { body.headers.Authorization: { exists: false } }
  - name: Own
    request: { url: '{{host}}/headers', auth: { bearer: t-123456 } }
    assert: { body.headers.Authorization: Bearer t-123456 }
`)
  const told = (name: string): unknown => [
    outcomes[name]?.result.status,
    outcomes[name]?.result.warnings?.map(({ message }) => message),
  ]
  expect(told('Open')).toEqual([
    'success',
    [
      'The default `auth` was not sent: it goes only to the origin of `base_url`, and there is none. Write a `base_url`.',
    ],
  ])
  expect(told('Own')).toEqual(['success', undefined])
})
