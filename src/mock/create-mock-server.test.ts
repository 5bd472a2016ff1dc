import http from 'node:http'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest'
import { request as undiciRequest, fetch as undiciFetch, Agent, ProxyAgent } from 'undici'
import supertest from 'supertest'
import { createClient } from '../request/create-client.ts'
import type { Json, JsonObject } from '../json.ts'
import { createMockServer } from './create-mock-server.ts'
import { http as handle, HttpResponse, passthrough, bypass, ws } from 'msw'
import type { Mock, MockContext, MockServer, MockServerOptions } from './mock.ts'
import { leadsTo, runAsOwnRequest } from './own-requests.ts'
import { watchConnections } from './stale-sockets.ts'

watchConnections()

let upstream: http.Server
let upstreamUrl: string
let server: MockServer | undefined

beforeAll(async () => {
  upstream = http.createServer((request, response) => response.end(`real ${request.url}`))
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
})
afterAll(() => upstream.close())
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(options: Partial<MockServerOptions> = {}): Promise<MockServer> {
  server = await createMockServer({ onUnhandled: 'error', ...options })
  return server
}

/** Fills in `{{a.b}}` from the locals, as often as it stands in a text, in one pass. */
function interpolate(value: Json, locals: JsonObject): Json {
  if (typeof value === 'string') {
    const whole = /^\{\{([\w.-]+)\}\}$/.exec(value)
    if (whole) return read(whole[1] as string, locals)
    return value.replaceAll(/\{\{([\w.-]+)\}\}/g, (_, path: string) => show(read(path, locals)))
  }
  if (Array.isArray(value)) return value.map((item) => interpolate(item, locals))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolate(item, locals)]))
}

function show(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function read(path: string, locals: JsonObject): Json {
  let value: Json | undefined = locals
  for (const name of path.split('.')) value = (value as JsonObject | undefined)?.[name]
  if (value === undefined) throw new Error(`\`${path}\` has no value`)
  return value
}

const context: MockContext = { file: 'shop.suite.yaml', at: [3, 5], interpolate }

function mock(fields: Omit<Mock, 'at'>, line = 10): Mock {
  return { ...fields, at: [line, 7] }
}

function get(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get(url, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk)).on('end', () => resolve(text))
      })
      .on('error', reject)
  })
}

describe('clients of the application', () => {
  const answer = { url: 'https://pay.example/charges', respond: { body: { id: 'ch_1' } } }

  test.each<[string, (url: string) => Promise<unknown>]>([
    ['fetch', async (url) => (await fetch(url)).json()],
    ['node:http', async (url) => JSON.parse(await get(url.replace('https', 'http')))],
    ['undici.request', async (url) => (await undiciRequest(url)).body.json()],
    ['undici.fetch', async (url) => (await undiciFetch(url)).json()],
    [
      'an undici Agent of its own',
      async (url) => (await undiciRequest(url, { dispatcher: new Agent() })).body.json(),
    ],
    ['supertest', async (url) => (await supertest(new URL(url).origin).get('/charges')).body],
  ])('%s is answered by the mock', async (_, send) => {
    const scope = (await start()).use([mock({ ...answer, url: '*://pay.example/charges' })], context)
    await expect(send(answer.url)).resolves.toEqual({ id: 'ch_1' })
    expect(scope.finish()).toMatchObject({
      calls: [{ method: 'GET', mock: 'shop.suite.yaml:10', status_code: 200, outcome: 'mocked' }],
      problems: [],
    })
  })
})

/** Sends a request and tells the status and the text, or the code of what went wrong. */
async function send(url: string, init?: RequestInit): Promise<string> {
  try {
    const response = await fetch(url, init)
    return `${response.status} ${await response.text()}`
  } catch (error) {
    return String(((error as Error).cause as NodeJS.ErrnoException | undefined)?.code)
  }
}

function post(body: unknown, type = 'application/json'): RequestInit {
  return {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': type },
  }
}

const anywhere = 'https://pay.example/charges'

describe('matching', () => {
  test.each<[string, Omit<Mock, 'at' | 'respond'>, string, RequestInit?]>([
    ['any method by default', { url: anywhere }, anywhere, { method: 'DELETE' }],
    ['a method in any case', { method: 'post', url: anywhere }, anywhere, { method: 'POST' }],
    ['a host in any case and its default port', { url: 'HTTPS://PAY.example:443/charges' }, anywhere],
    ['a wildcard', { url: '*/charges' }, anywhere],
    ['path parameters', { url: 'https://pay.example/:a/:b' }, 'https://pay.example/x/y'],
    ['a query that is not asked for', { url: anywhere }, `${anywhere}?page=2`],
    ['a query in the url', { url: `${anywhere}?page=2` }, `${anywhere}?size=1&page=2`],
    [
      'params as texts',
      { url: anywhere, when: { params: { page: 2, all: true } } },
      `${anywhere}?page=2&all=true`,
    ],
    ['repeated params', { url: anywhere, when: { params: { tag: ['a', 'b'] } } }, `${anywhere}?tag=a&tag=b`],
    ['an absent param', { url: anywhere, when: { params: { tag: null } } }, anywhere],
    [
      'a param named __proto__',
      { url: anywhere, when: { params: JSON.parse('{"__proto__":"1"}') } },
      `${anywhere}?__proto__=1`,
    ],
    [
      'headers in any case',
      { url: anywhere, when: { headers: { 'X-Key': 7 } } },
      anywhere,
      { headers: { 'x-kEY': '7' } },
    ],
    [
      'authorization and host',
      { url: anywhere, when: { headers: { authorization: 'Bearer x', host: 'pay.example' } } },
      anywhere,
      { headers: { authorization: 'Bearer x' } },
    ],
    [
      'a part of a JSON body',
      { url: anywhere, when: { body: { card: { last4: '42' } } } },
      anywhere,
      post({ amount: 5, card: { last4: '42', brand: 'x' } }),
    ],
    [
      'a JSON body without content type',
      { url: anywhere, when: { body: { a: [1, { b: null }] } } },
      anywhere,
      { method: 'POST', body: '{"a":[1,{"b":null,"c":1}]}' },
    ],
    [
      'a form body',
      { url: anywhere, when: { body: { amount: '5' } } },
      anywhere,
      post('amount=5&currency=eur', 'application/x-www-form-urlencoded'),
    ],
    ['a text body', { url: anywhere, when: { body: 'a & b' } }, anywhere, post('a & b', 'text/plain')],
    [
      'own keys only',
      { url: anywhere, when: { body: JSON.parse('{"__proto__":{"x":1}}') } },
      anywhere,
      post('{"__proto__":{"x":1}}'),
    ],
  ])('takes %s', async (...[, fields, url, init]) => {
    const scope = (await start()).use([mock({ ...fields, respond: {} })], context)
    await expect(send(url, init)).resolves.toBe('200 ')
    expect(scope.finish().problems).toEqual([])
  })

  test.each<[string, Omit<Mock, 'at' | 'respond'>, string, RequestInit | undefined, string]>([
    ['another method', { method: 'PUT', url: anywhere }, anywhere, undefined, 'its method is PUT'],
    [
      'another param',
      { url: anywhere, when: { params: { page: 2 } } },
      `${anywhere}?page=3`,
      undefined,
      '`when.params.page` is `2` (number) where the request has `3` (string)',
    ],
    [
      'a missing param',
      { url: `${anywhere}?page=2` },
      anywhere,
      undefined,
      '`url.page` is a list of 1 where the request has nothing',
    ],
    [
      'a param that is a map',
      { url: anywhere, when: { params: { page: {} } } },
      `${anywhere}?page=3`,
      undefined,
      '`when.params.page` is an object',
    ],
    [
      'an inherited name',
      { url: anywhere, when: { body: { constructor: {} } } },
      anywhere,
      post({}),
      '`when.body.constructor` is an object where the request has nothing',
    ],
    [
      'another type',
      { url: anywhere, when: { body: { amount: 5 } } },
      anywhere,
      post({ amount: '5' }),
      '`when.body.amount` is `5` (number) where the request has `5` (string)',
    ],
    [
      'a longer list',
      { url: anywhere, when: { body: { ids: [1] } } },
      anywhere,
      post({ ids: [1, 2] }),
      '`when.body.ids` is a list of 1 where the request has a list of 2',
    ],
    [
      'no body',
      { url: anywhere, when: { body: { a: 1 } } },
      anywhere,
      undefined,
      '`when.body` is an object where the request has `` (string)',
    ],
    [
      'another text',
      { url: anywhere, when: { body: 'yes' } },
      anywhere,
      post('yes!', 'text/plain'),
      '`when.body` is `yes` (string) where the request has `yes!` (string)',
    ],
  ])('does not take %s, and says so', async (...[, fields, url, init, reason]) => {
    const scope = (await start()).use([mock({ ...fields, respond: {} })], context)
    await expect(send(url, init)).resolves.toBe('ECONNREFUSED')
    const [problem, ...others] = scope.finish().problems
    expect(others).toEqual([])
    expect(problem?.message).toContain(
      `no mock answered it (the mock at shop.suite.yaml:10 does not match: ${reason}`,
    )
    expect(problem?.at).toEqual([3, 5])
  })

  test('takes the first mock that matches, and fills in what it asks for when the call comes', async () => {
    let key = 'one'
    const scope = (await start()).use(
      [
        mock({
          url: '{{base}}/charges',
          when: { headers: { 'x-key': '{{key}}' } },
          respond: { body: 'keyed' },
        }),
        mock({ url: '*', respond: { body: 'other' } }),
      ],
      {
        ...context,
        interpolate: (value, locals) => interpolate(value, { ...locals, base: 'https://pay.example', key }),
      },
    )
    await expect(send(anywhere, { headers: { 'x-key': 'two' } })).resolves.toBe('200 other')
    key = 'two'
    await expect(send(anywhere, { headers: { 'x-key': 'two' } })).resolves.toBe('200 keyed')
    expect(scope.finish().problems).toEqual([])
  })

  test('a body of 10,000 levels neither matches nor overflows', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    const scope = (await start()).use(
      [mock({ url: anywhere, when: { body: JSON.parse(deep) }, respond: { body: 'deep' } })],
      {
        ...context,
        interpolate: (value) => value,
      },
    )
    await expect(send(anywhere, post(deep))).resolves.toBe('200 deep')
    await expect(send(anywhere, post(deep.slice(1, -1)))).resolves.toBe('ECONNREFUSED')
    expect(scope.finish().problems).toHaveLength(1)
  })
})

describe('answers', () => {
  test('status, headers and JSON with the request filled in as data', async () => {
    const scope = (await start()).use(
      [
        mock({
          method: 'POST',
          url: 'https://pay.example/:shop/charges',
          respond: {
            status: '{{request.body.status}}',
            headers: { 'x-shop': '{{request.path.shop}}', 'set-cookie': ['a=1', 'b=2'], 'x-none': null },
            body: {
              amount: '{{request.body.amount}}',
              page: '{{request.params.page}}',
              name: '{{request.body.name}}',
              agent: '{{request.headers.x-agent}}',
              method: '{{request.method}}',
            },
          },
        }),
      ],
      context,
    )
    const response = await fetch('https://pay.example/s1/charges?page=2', {
      ...post({ status: 201, amount: 5, name: '{{request.method}}' }),
      headers: { 'x-agent': 'app' },
    })
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('x-shop')).toBe('s1')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.has('x-none')).toBe(false)
    expect(await response.json()).toEqual({
      amount: 5,
      page: '2',
      name: '{{request.method}}',
      agent: 'app',
      method: 'POST',
    })
    expect(scope.finish()).toEqual({
      calls: [
        {
          method: 'POST',
          url: 'https://pay.example/s1/charges?page=2',
          mock: 'shop.suite.yaml:10',
          status_code: 201,
          outcome: 'mocked',
        },
      ],
      problems: [],
      warnings: [],
    })
  })

  test.each<[string, Mock['respond'], string, string | null]>([
    ['nothing', {}, '200 ', null],
    ['a text', { status: 503, body: 'später' }, '503 später', 'text/plain;charset=utf-8'],
    ['an empty text', { body: '' }, '200 ', 'text/plain;charset=utf-8'],
    ['null as JSON', { body: null }, '200 null', 'application/json'],
    ['no content', { status: 204 }, '204 ', null],
    [
      'a content type of its own',
      { body: '<a/>', headers: { 'Content-Type': 'text/xml' } },
      '200 <a/>',
      'text/xml',
    ],
  ])('%s', async (...[, respond, expected, type]) => {
    const scope = (await start()).use([mock({ url: anywhere, respond })], context)
    expect((await fetch(anywhere)).headers.get('content-type')).toBe(type)
    await expect(send(anywhere)).resolves.toBe(expected)
    expect(scope.finish().problems).toEqual([])
  })

  test.each<[string, Mock['respond'], string]>([
    ['an expression that fails', { body: '{{request.body.id}}' }, '`request.body.id` has no value'],
    [
      'a status that is none',
      { status: '{{request.method}}' },
      'Expected `respond.status` to be a whole number from 200 to 599, got `GET` (string)',
    ],
    [
      'a body where none can be',
      { status: 204, body: 'x' },
      'Expected `respond` to have no `body`, since its status is 204',
    ],
    [
      'a line break in a header',
      { headers: { 'x-a': 'a\r\nb: c' } },
      'Expected `respond.headers.x-a` to be a header a server can send, got `a\\x0d\\x0ab: c` (string)',
    ],
    [
      'a name that is no header name',
      { headers: { 'x a': 'b' } },
      'Expected `respond.headers.x a` to be a header a server can send',
    ],
    [
      'a header that is a map',
      { headers: { 'x-a': {} } },
      'Expected `respond.headers.x-a` to be a text, got an object',
    ],
  ])('%s is a problem at the mock and a network error for the application', async (_, respond, reason) => {
    const scope = (await start()).use([mock({ url: anywhere, respond })], context)
    await expect(send(anywhere)).resolves.toBe('ECONNREFUSED')
    const report = scope.finish()
    expect(report.problems[0]?.message).toContain(reason)
    expect(report.problems).toMatchObject([{ at: [10, 7] }])
    expect(report.calls).toMatchObject([{ outcome: 'unhandled' }])
  })

  test.each<[string, Omit<Mock, 'at'>, string]>([
    ['a relative url', { url: '/charges', respond: {} }, 'Expected the mock’s `url` to be absolute'],
    ['a url whose variable is missing', { url: '{{base}}/charges', respond: {} }, '`base` has no value'],
  ])('%s is a problem at the mock, even without a call', async (_, fields, reason) => {
    const scope = (await start()).use([mock(fields)], context)
    expect(scope.finish()).toMatchObject({
      problems: [{ message: expect.stringContaining(reason), at: [10, 7] }],
    })
  })

  test('a delay holds the answer back', async () => {
    const scope = (await start()).use(
      [mock({ url: anywhere, respond: { delay_ms: 40, body: 'late' } })],
      context,
    )
    const begun = performance.now()
    await expect(send(anywhere)).resolves.toBe('200 late')
    expect(performance.now() - begun).toBeGreaterThanOrEqual(35)
    scope.finish()
  })

  test('a large body goes out and comes back whole, and a connection is used again', async () => {
    const scope = (await start()).use(
      [mock({ url: anywhere, respond: { body: '{{request.body}}' } })],
      context,
    )
    const large = 'x'.repeat(5_000_000)
    await expect(send(anywhere, post(large, 'text/plain'))).resolves.toBe(`200 ${large}`)
    await expect(send(anywhere, post('small', 'text/plain'))).resolves.toBe('200 small')
    expect(scope.finish().calls).toHaveLength(2)
  })

  test('thousands of calls are answered, counted and not all listed', async () => {
    const scope = (await start()).use(
      [mock({ url: anywhere, respond: { body: 'ok' }, times: 3000 })],
      context,
    )
    for (let batch = 0; batch < 30; batch++)
      await Promise.all(Array.from({ length: 100 }, () => send(anywhere)))
    const report = scope.finish()
    expect(report.calls).toHaveLength(1000)
    expect(report.problems).toEqual([])
    expect(report.warnings).toEqual([
      { message: '2000 further outgoing requests are not listed; the first 1000 are.', at: [3, 5] },
    ])
  })
})

describe('faults', () => {
  test('`error: network` is a reset connection', async () => {
    const scope = (await start()).use(
      [mock({ url: '*://pay.example/charges', respond: { error: 'network' } })],
      context,
    )
    await expect(send(anywhere)).resolves.toBe('ECONNRESET')
    await expect(get('http://pay.example/charges')).rejects.toMatchObject({ code: 'ECONNRESET' })
    await expect(undiciRequest(anywhere)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(scope.finish()).toMatchObject({ calls: [{ outcome: 'mocked' }, {}, {}], problems: [] })
  })

  test('`error: timeout` never answers: the application’s own limit ends the call', async () => {
    const scope = (await start()).use([mock({ url: anywhere, respond: { error: 'timeout' } })], context)
    await expect(fetch(anywhere, { signal: AbortSignal.timeout(30) })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    expect(scope.finish()).toMatchObject({ calls: [{ outcome: 'mocked' }], problems: [] })
  })

  test('the end of the scope ends calls that still wait, and no other', async () => {
    const mocks = await start()
    const suite = mocks.use([mock({ url: '*/suite', respond: { error: 'timeout' } })], context)
    const step = mocks.use([mock({ url: '*/step', respond: { delay_ms: 60_000 } })], context)
    const waiting = { suite: send('https://a.example/suite'), step: send('https://a.example/step') }
    await step.settle()
    step.finish()
    await expect(waiting.step).resolves.toBe('ECONNRESET')
    await expect(Promise.race([waiting.suite, sleep(20, 'waits')])).resolves.toBe('waits')
    suite.finish()
    await expect(waiting.suite).resolves.toBe('ECONNRESET')
  })
})

describe('times', () => {
  test('too few calls are a problem at the mock', async () => {
    const scope = (await start()).use(
      [mock({ method: 'POST', url: anywhere, respond: {}, times: 2 })],
      context,
    )
    await send(anywhere, post({}))
    const report = scope.finish()
    expect(report.problems).toEqual([
      {
        message: 'Expected the mock of `POST https://pay.example/charges` to be called 2 times, got 1 time',
        at: [10, 7],
      },
    ])
    expect(scope.finish()).toBe(report)
  })

  test('further calls go to the next mock of the same list', async () => {
    const scope = (await start()).use(
      [
        mock({ url: anywhere, respond: { status: 500 }, times: 2 }),
        mock({ url: anywhere, respond: { body: 'ok' }, times: 1 }, 20),
      ],
      context,
    )
    const answers = [await send(anywhere), await send(anywhere), await send(anywhere)]
    expect(answers).toEqual(['500 ', '500 ', '200 ok'])
    expect(scope.finish().problems).toEqual([])
  })

  test('a call too many is refused and a problem, though an outer mock would take it', async () => {
    const mocks = await start()
    mocks.use([mock({ url: '*', respond: { body: 'outer' } })], context)
    const step = mocks.use([mock({ url: anywhere, respond: {}, times: 1 })], context)
    expect([await send(anywhere), await send(anywhere), await send(anywhere)]).toEqual([
      '200 ',
      'ECONNREFUSED',
      'ECONNREFUSED',
    ])
    expect(step.finish().problems).toEqual([
      {
        message:
          'Expected the mock of `https://pay.example/charges` to be called 1 time, but the application sent `GET https://pay.example/charges` once more (2 times)',
        at: [10, 7],
      },
    ])
  })

  test('`times: 0` forbids a call', async () => {
    const scope = (await start({ onUnhandled: 'bypass' })).use([mock({ url: anywhere, times: 0 })], context)
    await expect(send(anywhere)).resolves.toBe('ECONNREFUSED')
    expect(scope.finish().problems).toMatchObject([
      { message: expect.stringContaining('not to be called, but the application sent') },
    ])
  })

  test('parallel calls are counted one by one', async () => {
    const scope = (await start()).use(
      [mock({ url: anywhere, when: { body: { a: 1 } }, respond: {}, times: 10 })],
      context,
    )
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(anywhere, post({ a: 1 }))))
    expect(answers.filter((answer) => answer === '200 ')).toHaveLength(10)
    expect(scope.finish().problems).toHaveLength(1)
  })

  test('settle waits for a call that comes after the answer of the application', async () => {
    const scope = (await start()).use([mock({ url: anywhere, respond: {}, times: 1 })], context)
    const late = sleep(20).then(() => send(anywhere))
    await scope.settle(2000)
    expect(scope.finish().problems).toEqual([])
    await late
  })

  test('settle waits no longer than its limit', async () => {
    const scope = (await start()).use([mock({ url: anywhere, respond: {}, times: 1 })], context)
    await scope.settle(10)
    expect(scope.finish().problems).toHaveLength(1)
  })
})

describe('scopes', () => {
  test('the one opened last wins, and gives way when it ends', async () => {
    const mocks = await start()
    const suite = mocks.use([mock({ url: anywhere, respond: { body: 'suite' } })], context)
    await expect(send(anywhere)).resolves.toBe('200 suite')
    const step = mocks.use([mock({ url: anywhere, respond: { body: 'step' } }, 20)], context)
    await expect(send(anywhere)).resolves.toBe('200 step')
    expect(step.finish().calls).toMatchObject([{ mock: 'shop.suite.yaml:20' }])
    await expect(send(anywhere)).resolves.toBe('200 suite')
    expect(suite.finish().calls).toHaveLength(2)
  })

  test('an inner scope without mocks notes the calls that outer mocks answer', async () => {
    const mocks = await start()
    const suite = mocks.use([mock({ url: anywhere, respond: {}, times: 1 })], context)
    const step = mocks.use([], context)
    await send(anywhere)
    expect(step.finish().calls).toHaveLength(1)
    expect(suite.finish()).toEqual({ calls: [], problems: [], warnings: [] })
  })

  test('a call after the last scope is reported by close', async () => {
    const mocks = await start()
    mocks.use([], context).finish()
    await expect(send(anywhere)).resolves.toBe('ECONNREFUSED')
    expect(await mocks.close()).toMatchObject({
      calls: [{ outcome: 'unhandled' }],
      problems: [{ at: [1, 1] }],
    })
  })
})

describe('requests that no mock answers', () => {
  test('are refused and reported at the step under `error`', async () => {
    const scope = (await start()).use([], context)
    await expect(send(`${upstreamUrl}/a`)).resolves.toBe('ECONNREFUSED')
    expect(scope.finish()).toEqual({
      calls: [{ method: 'GET', url: `${upstreamUrl}/a`, outcome: 'unhandled' }],
      problems: [
        {
          message: `The application sent \`GET ${upstreamUrl}/a\` and no mock answered it. Add a mock with a \`respond\`, or set the option \`onUnhandled\`.`,
          at: [3, 5],
        },
      ],
      warnings: [],
    })
  })

  test('go to the network under `warn`, with a warning', async () => {
    const scope = (await start({ onUnhandled: 'warn' })).use([], context)
    await expect(send(`${upstreamUrl}/a`)).resolves.toBe('200 real /a')
    expect(scope.finish()).toMatchObject({
      calls: [{ outcome: 'passed_through' }],
      problems: [],
      warnings: [{ message: expect.stringContaining('It went to the network.') }],
    })
  })

  test('go to the network under `bypass`', async () => {
    const scope = (await start({ onUnhandled: 'bypass' })).use([], context)
    await expect(send(`${upstreamUrl}/a`, post({ a: 1 }))).resolves.toBe('200 real /a')
    expect(scope.finish()).toMatchObject({
      calls: [{ outcome: 'passed_through' }],
      problems: [],
      warnings: [],
    })
  })

  test('include those whose mock has no `respond`, which names the request', async () => {
    const scope = (await start()).use([mock({ method: 'POST', url: anywhere })], context)
    await expect(send(anywhere, post({}))).resolves.toBe('ECONNREFUSED')
    expect(scope.finish().problems).toEqual([
      {
        message:
          'The application sent `POST https://pay.example/charges` and the mock at shop.suite.yaml:10 has no `respond`. Add a mock with a `respond`, or set the option `onUnhandled`.',
        at: [10, 7],
      },
    ])
  })

  test('are one problem for many equal ones, and a bounded list for many different ones', async () => {
    const scope = (await start()).use([], context)
    for (let index = 0; index < 30; index++) await send(`https://a.example/${Math.min(index, 25)}`)
    const { problems } = scope.finish()
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)?.message).toBe('… and 6 further problems with outgoing requests')
  })

  test('are no concern of the mocks when they are not HTTP', async () => {
    const echo = net
      .createServer((socket) => socket.write('hello\n').valueOf() && socket.pipe(socket))
      .listen(0, '127.0.0.1')
    await new Promise((resolve) => echo.once('listening', resolve))
    const scope = (await start()).use([], context)
    const socket = net.connect((echo.address() as AddressInfo).port, '127.0.0.1')
    const first = await new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
    socket.write('*1\r\n$4\r\nPING\r\n')
    const second = await new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
    expect([first, second]).toEqual(['hello\n', '*1\r\n$4\r\nPING\r\n'])
    expect(scope.finish().calls).toEqual([])
    socket.destroy()
    echo.close()
  })
})

function openHttp2(url: string): Promise<string> {
  return new Promise((resolve) => {
    const session = http2.connect(url, { rejectUnauthorized: false })
    session.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
    session.on('connect', () => {
      session.close()
      resolve('connected')
    })
  })
}

describe('connections that cannot be intercepted', () => {
  test.each(['https://grpc.example', 'http://grpc.example'])(
    'HTTP/2 to %s is refused and reported',
    async (url) => {
      const scope = (await start()).use([mock({ url: '*', respond: {} })], context)
      await expect(openHttp2(url)).resolves.toBe('ECONNREFUSED')
      expect(scope.finish().problems).toEqual([
        {
          message: `The application opened an HTTP/2 connection to \`${url}/\`, which mocks cannot answer. Let it use HTTP/1.1, or set the option \`onUnhandled\`.`,
          at: [3, 5],
        },
      ])
    },
  )

  test('HTTP/2 goes to the network under `warn`, and to own addresses always', async () => {
    const real = http2.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => real.once('listening', resolve))
    const url = `http://127.0.0.1:${(real.address() as AddressInfo).port}`
    const mocks = await start({ onUnhandled: 'warn' })
    const scope = mocks.use([], context)
    await expect(openHttp2(url)).resolves.toBe('connected')
    expect(scope.finish()).toMatchObject({
      problems: [],
      warnings: [{ message: expect.stringContaining('It went to the network.') }],
    })
    await mocks.close()
    const strict = (await start({ isOwnRequest: (origin) => leadsTo(origin, url) })).use([], context)
    await expect(openHttp2(url)).resolves.toBe('connected')
    expect(strict.finish().problems).toEqual([])
    real.close()
  })

  test('a tunnel through a proxy is none of the mocks’ business, what goes through it is', async () => {
    const proxy = http.createServer()
    proxy.on('connect', (_, socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const dispatcher = new ProxyAgent(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
    const scope = (await start()).use([mock({ url: anywhere, respond: { body: 'mocked' } })], context)
    const { body } = await undiciRequest(anywhere, { dispatcher })
    await expect(body.text()).resolves.toBe('mocked')
    expect(scope.finish()).toMatchObject({ calls: [{ url: anywhere }], problems: [] })
    await dispatcher.destroy()
    proxy.close()
  })
})

describe('the suite’s own requests', () => {
  test('are left alone when their address is the application’s', async () => {
    const scope = (await start({ isOwnRequest: (origin) => leadsTo(origin, upstreamUrl) })).use(
      [mock({ url: '*', respond: { status: 418 } })],
      context,
    )
    await supertest(upstreamUrl).get('/a').expect(200, 'real /a')
    await expect(send(`${upstreamUrl.replace('127.0.0.1', 'localhost')}/b`)).resolves.toBe('200 real /b')
    await expect(send('https://other.example/')).resolves.toBe('418 ')
    expect(scope.finish().calls).toHaveLength(1)
  })

  test('are left alone when the client sends them as such, wherever they go', async () => {
    const scope = (await start()).use([mock({ url: '*', respond: { status: 418 } })], context)
    const client = createClient()
    const spec = { method: 'GET', url: `${upstreamUrl}/own`, headers: [], timeout: 5000, maxRedirects: 0 }
    const { response } = await runAsOwnRequest(() => client.send(spec))
    expect(Buffer.from(response?.body ?? []).toString()).toBe('real /own')
    const refused = await runAsOwnRequest(() => client.send({ ...spec, url: 'http://127.0.0.1:1/' }))
    expect(refused.failure).toMatchObject({ phase: 'connect', code: 'ECONNREFUSED' })
    await client.close()
    expect(scope.finish().calls).toEqual([])
  })

  test('the application that answers them is mocked all the same', async () => {
    const app = http.createServer((_, response) => {
      void send(anywhere).then((text) => response.end(text))
    })
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
    const scope = (await start()).use([mock({ url: anywhere, respond: { body: 'mocked' } })], context)
    const client = createClient()
    const exchange = await runAsOwnRequest(() =>
      client.send({ method: 'GET', url: `${url}/`, headers: [], timeout: 5000, maxRedirects: 0 }),
    )
    expect(Buffer.from(exchange.response?.body ?? []).toString()).toBe('200 mocked')
    expect(scope.finish().calls).toHaveLength(1)
    await client.close()
    app.close()
  })
})

describe('MSW handlers', () => {
  const place = { file: 'shop.test.ts', at: [1, 1] as const }

  test('answer, fall through and take precedence by scope', async () => {
    const mocks = await start()
    mocks.use([mock({ url: '*', respond: { body: 'yaml' } })], context)
    const scope = mocks.useHandlers(
      [
        handle.get(anywhere, () => HttpResponse.json({ from: 'handler' })),
        handle.get('https://pay.example/pass', () => undefined),
        handle.post('https://pay.example/error', () => HttpResponse.error()),
      ],
      place,
    )
    await expect(send(anywhere)).resolves.toBe('200 {"from":"handler"}')
    await expect(send('https://pay.example/pass')).resolves.toBe('200 yaml')
    await expect(send('https://pay.example/error', post({}))).resolves.toBe('ECONNRESET')
    expect(scope.finish()).toMatchObject({
      calls: [{ mock: 'shop.test.ts', status_code: 200 }, {}, {}],
      problems: [],
    })
  })

  test('may let a request through, or send it on themselves', async () => {
    const scope = (await start()).useHandlers(
      [
        handle.get(`${upstreamUrl}/through`, () => passthrough()),
        handle.get(`${upstreamUrl}/on`, async ({ request }) => {
          const real = await fetch(bypass(request))
          return new HttpResponse(`changed ${await real.text()}`)
        }),
      ],
      place,
    )
    await expect(send(`${upstreamUrl}/through`)).resolves.toBe('200 real /through')
    await expect(send(`${upstreamUrl}/on`)).resolves.toBe('200 changed real /on')
    expect(scope.finish()).toMatchObject({
      calls: [{ outcome: 'passed_through' }, { outcome: 'mocked' }],
      problems: [],
    })
  })

  test('that throw are a problem and a network error', async () => {
    const scope = (await start()).useHandlers(
      [
        handle.get(anywhere, () => {
          throw new Error('no data')
        }),
      ],
      place,
    )
    await expect(send(anywhere)).resolves.toBe('ECONNREFUSED')
    expect(scope.finish().problems).toMatchObject([
      { message: expect.stringContaining('its mock failed: no data') },
    ])
  })

  test.each<[string, unknown, string]>([
    [
      'a text',
      'x',
      'Expected handler 1 of 1 to be an MSW request handler such as `http.get(url, resolver)`, got `x` (string)',
    ],
    ['a function', mockPayment, 'got the function `mockPayment`'],
    [
      'a WebSocket handler',
      ws.link('wss://a.example').addEventListener('connection', () => {}),
      'got a WebSocket handler, which is not supported',
    ],
  ])('refuse %s', async (_, handler, message) => {
    const mocks = await start()
    expect(() => mocks.useHandlers([handler], place)).toThrow(message)
  })
})

function readNetwork(): unknown[] {
  return [
    Reflect.get(net.Socket.prototype, 'connect'),
    globalThis.fetch,
    Reflect.get(http, 'request'),
    Reflect.get(http.Agent.prototype, 'addRequest'),
    globalThis.Headers,
    globalThis.Response,
  ]
}

function mockPayment(): void {}

describe('beginning and end', () => {
  test('close gives the network back as it was', async () => {
    const before = readNetwork()
    const mocks = await start()
    expect(readNetwork()).not.toEqual(before)
    mocks.use([mock({ url: '*', respond: {} })], context)
    await mocks.close()
    await mocks.close()
    const after = readNetwork()
    for (const [index, value] of before.entries()) expect(after[index]).toBe(value)
    await expect(send(`${upstreamUrl}/after`)).resolves.toBe('200 real /after')
  })

  test('one server at a time', async () => {
    const mocks = await start()
    await expect(createMockServer({ onUnhandled: 'error' })).rejects.toThrow('A mock server is open already')
    await mocks.close()
    await start()
  })

  test('connections kept alive from before and from within carry nothing across', async () => {
    await send(`${upstreamUrl}/warm`)
    await get(`${upstreamUrl}/warm`)
    await sleep(20)
    for (let suite = 0; suite < 3; suite++) {
      const mocks = await start()
      const scope = mocks.use(
        [mock({ url: `${upstreamUrl}/*`, respond: { body: `suite ${suite}` } })],
        context,
      )
      await expect(send(`${upstreamUrl}/x`)).resolves.toBe(`200 suite ${suite}`)
      await expect(get(`${upstreamUrl}/x`)).resolves.toBe(`suite ${suite}`)
      await sleep(10)
      expect(scope.finish().calls).toHaveLength(2)
      await mocks.close()
      await expect(send(`${upstreamUrl}/x`)).resolves.toBe('200 real /x')
      await expect(get(`${upstreamUrl}/x`)).resolves.toBe('real /x')
      await sleep(10)
    }
  })

  test('a connection that is busy when the server opens is left to finish its request', async () => {
    const slow = http.createServer((request, response) => {
      setTimeout(() => response.end(`real ${request.url}`), 60)
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
    const dispatcher = new Agent({ connections: 1 })
    const first = undiciRequest(`${url}/first`, { dispatcher }).then(({ body }) => body.text())
    await sleep(20)
    const scope = (await start()).use([mock({ url: '*', respond: { body: 'mocked' } })], context)
    await expect(first).resolves.toBe('real /first')
    await sleep(5)
    const second = await undiciRequest(`${url}/second`, { dispatcher })
    await expect(second.body.text()).resolves.toBe('mocked')
    expect(scope.finish().calls).toHaveLength(1)
    await dispatcher.destroy()
    slow.close()
  })

  test('close ends calls that still wait, and the application’s aborted ones are no problem', async () => {
    const mocks = await start()
    const scope = mocks.use([], context)
    mocks.useHandlers([handle.all('*', () => new Promise<undefined>(() => {}))], { file: 'x', at: [1, 1] })
    const waiting = send(anywhere)
    const aborted = fetch(anywhere, { signal: AbortSignal.timeout(10) }).catch((error: Error) => error.name)
    await expect(aborted).resolves.toBe('TimeoutError')
    expect(scope.finish().problems).toEqual([])
    expect(await mocks.close()).toEqual({ calls: [], problems: [], warnings: [] })
    await expect(waiting).resolves.toBe('ECONNRESET')
  })
})
