import { setTimeout as sleep } from 'node:timers/promises'
import { request as undiciRequest } from 'undici'
import { afterEach, describe, expect, test } from 'vitest'
import type { Mock } from './mock.ts'
import { anywhere, get, post, send } from './fixtures/calls.ts'
import { context, mock, start, stop } from './fixtures/mocks.ts'

afterEach(stop)

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
              agent: '{{request.headers.X-Agent}}',
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
    // A known length, as with most servers.
    expect(response.headers.get('content-length')).toBe('81')
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
          sent: { status: 201, amount: 5, name: '{{request.method}}' },
          headers: expect.objectContaining({ host: 'pay.example' }) as object,
          answered: {
            amount: 5,
            page: '2',
            name: '{{request.method}}',
            agent: 'app',
            method: 'POST',
          },
          outcome: 'mocked',
        },
      ],
      problems: [],
      met: [],
      warnings: [],
    })
  })

  test.each<[string, Mock['respond'], string, string | null]>([
    ['nothing', {}, '200 ', null],
    ['a file', { status: 201, file: 'a.json' }, '201 (a.json)', 'application/json'],
    ['a text file', { file: 'a.{{js: "txt"}}' }, '200 (a.txt)', 'text/plain; charset=utf-8'],
    ['a file of an unknown type', { file: 'a' }, '200 (a)', 'application/octet-stream'],
    ['a text', { status: 503, body: 'später' }, '503 später', 'text/plain;charset=utf-8'],
    ['an empty text', { body: '' }, '200 ', 'text/plain;charset=utf-8'],
    ['null as JSON', { body: null }, '200 null', 'application/json'],
    [
      'a status put together from texts',
      { status: '50{{js: 3}}', body: 'x' },
      '503 x',
      'text/plain;charset=utf-8',
    ],
    ['no content', { status: 204 }, '204 ', null],
    ['nothing new', { status: 304 }, '304 ', null],
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

  test('a 205 ends, for clients that wait for its body too', async () => {
    const url = 'http://pay.example/reset'
    const scope = (await start()).use([mock({ url, respond: { status: 205 } })], context)
    await expect(get(url)).resolves.toBe('')
    await expect(send(url)).resolves.toBe('205 ')
    expect(scope.finish().problems).toEqual([])
  })

  test.each<[string, Mock['respond'], string]>([
    ['an expression that fails', { body: '{{js: request.body.id}}' }, 'TypeError: '],
    [
      'a status that is not one',
      { status: '{{request.method}}' },
      'Expected `respond.status` to be a whole number from 200 to 599, got `GET` (string)',
    ],
    ['a status of no answer', { status: '{{js: 101}}' }, 'from 200 to 599, got `101` (number)'],
    ['a status with a fraction', { status: '{{js: 200.5}}' }, 'from 200 to 599, got `200.5` (number)'],
    ['a status with more than digits', { status: '{{js: 2}}e2' }, 'from 200 to 599, got `2e2` (string)'],
    [
      'a body where none can be',
      { status: 204, body: 'x' },
      'Expected `respond` to have no `body`, because its status is 204',
    ],
    ['a file where none can be', { status: 204, file: 'a' }, 'Expected `respond` to have no `file`'],
    ['the name of a file that is no string', { file: '{{js: [1]}}' }, 'Expected `respond.file` to be'],
    [
      'a line break in a header',
      { headers: { 'x-a': 'a\r\nb: c' } },
      'Expected `respond.headers.x-a` to be a header a server can send, got `a\\r\\nb: c` (string)',
    ],
    [
      'a name that is not a header name',
      { headers: { 'x a': 'b' } },
      'Expected `respond.headers.x a` to be a header a server can send',
    ],
    [
      'a header that is a map',
      { headers: { 'x-a': {} } },
      'Expected `respond.headers.x-a` to be a string, got an object',
    ],
  ])('%s is a problem at the mock and a network error for the application', async (_, respond, reason) => {
    const scope = (await start()).use([mock({ url: anywhere, respond })], context)
    await expect(send(anywhere)).resolves.toBe('ECONNREFUSED')
    const report = scope.finish()
    expect(report.problems[0]?.message).toContain(reason)
    expect(report.problems).toMatchObject([{ at: [10, 7] }])
    expect(report.calls).toMatchObject([{ outcome: 'unhandled' }])
  })

  test.each<[string, Omit<Mock, 'at' | 'pointer'>, string]>([
    ['a relative url', { url: '/charges', respond: {} }, 'Expected the mock’s `url` to be absolute'],
    [
      'a url whose variable is missing',
      { url: '{{base}}/charges', respond: {} },
      'to be absolute, such as `https://host/path` or `*/path`, got `{{base}}/charges`',
    ],
  ])('%s is a problem at the mock', async (_, fields, reason) => {
    const scope = (await start()).use([mock(fields)], context)
    await send(anywhere)
    expect(scope.finish().problems[0]).toMatchObject({
      message: expect.stringContaining(reason),
      at: [10, 7],
    })
  })

  test('what has no value stays as written, with a warning for each mock and text', async () => {
    const scope = (await start()).use(
      [mock({ url: anywhere, respond: { body: ['{{request.body.id}}', '{{nobody}}'] } })],
      context,
    )
    await expect(send(anywhere)).resolves.toBe('200 ["{{request.body.id}}","{{nobody}}"]')
    await expect(send(anywhere)).resolves.toMatch('200')
    expect(scope.finish()).toMatchObject({
      problems: [],
      warnings: [
        { message: '`request.body.id` has no value', line: 10, column: 7 },
        { message: '`nobody` has no value', line: 10, column: 7 },
      ],
    })
  })

  test('events whose last one is not complete are a warning', async () => {
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
    const mocks = [
      mock({ url: '*/cut', respond: { headers, body: 'data: 1\n\ndata: 2\n' } }),
      mock({ url: '*/whole', respond: { headers, body: 'data: 1\r\n\r\n' } }),
    ]
    const scope = (await start()).use(mocks, context)
    await send('https://a.example/cut')
    await send('https://a.example/whole')
    expect(scope.finish().warnings).toMatchObject([{ message: expect.stringContaining('write `body: |+`') }])
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

  test('more than a thousand calls are answered and not all listed', async () => {
    const scope = (await start()).use([mock({ url: '*', respond: { body: 'ok' }, times: 1100 })], context)
    for (let batch = 0; batch < 11; batch++)
      await Promise.all(Array.from({ length: 100 }, () => get('http://pay.example/charges')))
    const report = scope.finish()
    expect(report.calls).toHaveLength(1000)
    expect(report.problems).toEqual([])
    expect(report.warnings).toEqual([
      { message: 'Only the first 1000 outgoing requests are listed.', line: 3, column: 5 },
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
    expect(scope.finish()).toMatchObject({
      calls: [{ outcome: 'mocked', headers: { host: expect.any(String) } }, {}, {}],
      problems: [],
    })
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
