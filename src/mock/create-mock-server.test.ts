import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest'
import { http as handle } from 'msw'
import supertest from 'supertest'
import { Agent, fetch as undiciFetch, request as undiciRequest } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createMockServer } from './create-mock-server.ts'
import { watchConnections } from './network.ts'
import { anywhere, get, post, send, startUpstream } from './fixtures/calls.ts'
import type { HttpServer } from '../request/fixtures/http-server.ts'
import { context, mock, start, stop } from './fixtures/mocks.ts'
import { keepHandler } from './handlers.ts'

afterEach(stop)

watchConnections()

let upstream: HttpServer
beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

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

describe('requests that no mock answers', () => {
  test('reach the network and are counted with `passthrough`', async () => {
    const url = `${upstream.url}/:path`
    const passing = mock({ url, respond: 'passthrough', times: 2 })
    const scope = (await start()).use([passing, mock({ url, respond: { body: 'mocked' } })], context)
    await expect(send(`${upstream.url}/a`)).resolves.toBe('200 real /a')
    await expect(get(`${upstream.url}/b`)).resolves.toBe('real /b')
    await expect(send(`${upstream.url}/c`)).resolves.toBe('200 mocked')
    const passed = { mock: 'shop.suite.yaml:10', outcome: 'passed_through' }
    expect(scope.finish()).toMatchObject({
      calls: [passed, passed, { outcome: 'mocked' }],
      problems: [],
      met: [expect.stringContaining('2 times')],
      warnings: [],
    })
  })

  test('are refused and reported at the step under `error`', async () => {
    const scope = (await start()).use([], context)
    await expect(send(`${upstream.url}/a`)).resolves.toBe('ECONNREFUSED')
    expect(scope.finish()).toEqual({
      calls: [{ method: 'GET', url: `${upstream.url}/a`, outcome: 'unhandled' }],
      problems: [
        {
          message: `The application sent \`GET ${upstream.url}/a\` and no mock answered it. Add a mock with a \`respond\`, which can be \`passthrough\`, or set the option \`onUnhandled\`.`,
          at: [3, 5],
        },
      ],
      met: [],
      warnings: [],
    })
  })

  test('name the mock of an ended step that would have answered', async () => {
    const server = await start()
    const first = mock({ method: 'POST', url: anywhere, when: { body: { a: 1 } }, respond: { body: {} } })
    server.use([first], context).finish()
    const scope = server.use([], context)
    await expect(send(anywhere, post({ a: 1 }))).resolves.toBe('ECONNREFUSED')
    await expect(send(anywhere, post({ a: 2 }))).resolves.toBe('ECONNREFUSED')
    const late = ' (the mock at shop.suite.yaml:10 matches, but its step has ended: write it beside `steps`)'
    expect(scope.finish().problems.map(({ message }) => message.split('. ')[0])).toEqual([
      `The application sent \`POST ${anywhere}\` and no mock answered it${late}`,
      `The application sent \`POST ${anywhere}\` and no mock answered it`,
    ])
  })

  test('go to the network under `warn`, with a warning', async () => {
    const scope = (await start({ onUnhandled: 'warn' })).use([], context)
    await expect(send(`${upstream.url}/a`)).resolves.toBe('200 real /a')
    expect(scope.finish()).toMatchObject({
      calls: [{ outcome: 'passed_through' }],
      problems: [],
      warnings: [{ message: expect.stringContaining('It went to the network.') }],
    })
  })

  test('go to the network under `bypass`', async () => {
    const scope = (await start({ onUnhandled: 'bypass' })).use([], context)
    await expect(send(`${upstream.url}/a`, post({ a: 1 }))).resolves.toBe('200 real /a')
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
          'The application sent `POST https://pay.example/charges` and the mock at shop.suite.yaml:10 has no `respond`. Add a mock with a `respond`, which can be `passthrough`, or set the option `onUnhandled`.',
        at: [10, 7],
      },
    ])
  })

  test('are one problem for many equal ones, and a bounded list for many different ones', async () => {
    const scope = (await start()).use([], context)
    for (let index = 0; index < 30; index++) await send(`https://a.example/${Math.min(index, 25)}`)
    const { problems } = scope.finish()
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)?.message).toBe('… and further problems with outgoing requests')
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

describe('beginning and end', () => {
  test('close gives the network back as it was', async () => {
    const before = readNetwork()
    const mocks = await start()
    expect(readNetwork()).not.toEqual(before)
    mocks.use([mock({ url: '*', respond: {} })], context)
    mocks.close()
    mocks.close()
    const after = readNetwork()
    for (const [index, value] of before.entries()) expect(after[index]).toBe(value)
    await expect(send(`${upstream.url}/after`)).resolves.toBe('200 real /after')
  })

  test('a server within another gets the requests, asks the outer mocks after its own, and gives way', async () => {
    const outer = await start({ onUnhandled: 'error' })
    const suite = outer.use([mock({ url: '*/outer', respond: { body: 'outer' } })], context)
    const inner = await createMockServer({ onUnhandled: 'bypass', context })
    const called = inner.use([mock({ url: '*/inner', respond: { body: 'inner' } })], context)
    await expect(send('https://a.example/outer')).resolves.toBe('200 outer')
    await expect(send('https://a.example/inner')).resolves.toBe('200 inner')
    await expect(send(`${upstream.url}/none`)).resolves.toBe('200 real /none')
    expect(called.finish().calls).toHaveLength(3)
    inner.close()
    await expect(send('https://a.example/inner')).resolves.toBe('ECONNREFUSED')
    expect(suite.finish().calls).toHaveLength(1)
  })

  test('servers closed in another order, or opened at once, leave nothing behind', async () => {
    const before = readNetwork()
    const servers = await Promise.all(
      [1, 2, 3].map(() => createMockServer({ onUnhandled: 'error', context })),
    )
    for (const each of servers) each.close()
    const after = readNetwork()
    for (const [index, value] of before.entries()) expect(after[index]).toBe(value)
  })

  test('connections kept alive from before and from within carry nothing across', async () => {
    await send(`${upstream.url}/warm`)
    await get(`${upstream.url}/warm`)
    await sleep(20)
    for (let suite = 0; suite < 3; suite++) {
      const mocks = await start()
      const scope = mocks.use(
        [mock({ url: `${upstream.url}/*`, respond: { body: `suite ${suite}` } })],
        context,
      )
      await expect(send(`${upstream.url}/x`)).resolves.toBe(`200 suite ${suite}`)
      await expect(get(`${upstream.url}/x`)).resolves.toBe(`suite ${suite}`)
      await sleep(10)
      expect(scope.finish().calls).toHaveLength(2)
      mocks.close()
      await expect(send(`${upstream.url}/x`)).resolves.toBe('200 real /x')
      await expect(get(`${upstream.url}/x`)).resolves.toBe('real /x')
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

  test('something else that intercepts requests is named, and mocks work once it is gone', async () => {
    const other = new ClientRequestInterceptor()
    other.apply()
    await expect(start()).rejects.toThrow('something else already intercepts requests')
    other.dispose()
    const scope = (await start()).use([mock({ url: anywhere, respond: { body: 'mocked' } })], context)
    await expect(send(anywhere)).resolves.toBe('200 mocked')
    expect(scope.finish().problems).toEqual([])
  })

  test('close ends calls that still wait, and the application’s aborted ones are no problem', async () => {
    const mocks = await start()
    const url = keepHandler(handle.all('*', () => new Promise<undefined>(() => {})))
    const scope = mocks.use([mock({ url })], context)
    const waiting = send(anywhere)
    const aborted = fetch(anywhere, { signal: AbortSignal.timeout(10) }).catch((error: Error) => error.name)
    await expect(aborted).resolves.toBe('TimeoutError')
    expect(scope.finish().problems).toEqual([])
    expect(mocks.close()).toEqual({ calls: [], problems: [], met: [], warnings: [] })
    await expect(waiting).resolves.toBe('ECONNRESET')
  })
})
