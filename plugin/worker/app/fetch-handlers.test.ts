import { once } from 'node:events'
import http from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startApp, type Listening } from './start-app.ts'

let app: Listening
let seen: Request | undefined
let printed: unknown[]

beforeEach(async () => {
  printed = []
  vi.spyOn(console, 'error').mockImplementation((error: unknown) => printed.push(error))
  app = await startApp({ fetch: handle })
})
afterEach(async () => {
  await app.close()
  vi.restoreAllMocks()
})

async function handle(request: Request): Promise<unknown> {
  seen = request
  const { pathname } = new URL(request.url)
  switch (pathname) {
    case '/echo':
      return new Response(request.body, {
        status: 201,
        headers: { 'content-type': 'application/octet-stream' },
      })
    case '/cookies': {
      const headers = new Headers([
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['x-one', '1'],
      ])
      return new Response(null, { status: 204, headers })
    }
    case '/throw':
      throw new Error('no such thing')
    case '/nothing':
      return undefined
    case '/error':
      return Response.error()
    case '/broken':
      return new Response(
        new ReadableStream({ pull: (controller) => controller.error(new TypeError('broke off')) }),
      )
    default:
      return new Response('ok')
  }
}

test('hands over method, address, repeated headers and a large body, and streams the answer', async () => {
  const body = Buffer.alloc(3_000_000, 'x')
  const response = await fetch(`${app.url}/echo?a=1&a=2`, { method: 'PUT', body, headers: { 'x-a': 'é' } })
  expect(response.status).toBe(201)
  expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true)
  expect(seen?.method).toBe('PUT')
  expect(seen?.url).toBe(`${app.url}/echo?a=1&a=2`)
  expect(seen?.headers.get('x-a')).toBe('é')
})

test('a body that the handler does not read keeps no further request waiting', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  for (const method of ['POST', 'GET']) {
    const request = http.request(app.url, { agent, method })
    request.end(method === 'POST' ? 'x'.repeat(3_000_000) : undefined)
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    await once(response.resume(), 'end')
    expect(response.statusCode).toBe(200)
  }
  agent.destroy()
})

test('keeps cookies apart and sends no body with 204', async () => {
  const response = await fetch(`${app.url}/cookies`)
  expect(response.status).toBe(204)
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(response.headers.get('x-one')).toBe('1')
})

test('answers HEAD without a body', async () => {
  const response = await fetch(`${app.url}/`, { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test('answers 500 when the handler throws or returns nothing that can be sent, and prints why', async () => {
  expect((await fetch(`${app.url}/throw`)).status).toBe(500)
  expect((await fetch(`${app.url}/nothing`)).status).toBe(500)
  expect((await fetch(`${app.url}/error`)).status).toBe(500)
  expect(printed.map(String)).toEqual([
    'Error: no such thing',
    'TypeError: Expected the app’s fetch handler to return a Response, got `undefined`. A default export with one parameter is called with each request; a function that creates the application must have none.',
    expect.stringContaining('Invalid status code: 0'),
  ])
})

test('breaks the connection for a body that breaks off', async () => {
  await expect(fetch(`${app.url}/broken`).then((response) => response.text())).rejects.toThrow('fetch failed')
  expect(printed.map(String)).toEqual(['TypeError: broke off'])
  expect((await fetch(`${app.url}/`)).status).toBe(200)
})

test('tells the handler when the client goes away', async () => {
  const gone = Promise.withResolvers<void>()
  await app.close()
  app = await startApp((request: Request) => {
    request.signal.addEventListener('abort', () => gone.resolve())
    return new Promise(() => {})
  })
  const request = http.get(app.url).on('error', () => {})
  await new Promise((resolve) => request.once('socket', (socket) => socket.once('connect', resolve)))
  setTimeout(() => request.destroy(), 20)
  await expect(gone.promise).resolves.toBeUndefined()
})
