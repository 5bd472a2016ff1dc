import { once } from 'node:events'
import http2 from 'node:http2'
import net, { type AddressInfo } from 'node:net'
import http from 'node:http'
import tls from 'node:tls'
import vm from 'node:vm'
import supertest from 'supertest'
import { ProxyAgent, request as undiciRequest } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../request/send-request.ts'
import { leadsTo, runAsOwnRequest, watchConnections } from './network.ts'
import { anywhere, send, startUpstream } from './fixtures/calls.ts'
import { certificate } from '../request/fixtures/certificate.ts'
import type { HttpServer } from '../request/fixtures/http-server.ts'
import { context, createContext, mock, start, stop } from './fixtures/mocks.ts'

afterEach(stop)

let upstream: HttpServer
beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

test.for<[url: string, address: string, leads: boolean]>([
  ['http://localhost:80/x', 'http://127.0.0.1:80', true],
  ['http://[::1]:8080/', 'http://localhost:8080', true],
  ['http://api.test/', 'http://api.test', true],
  ['http://localhost:8080/', 'http://api.test:8080', false],
  ['http://api.test:8080/', 'http://localhost:8080', false],
  ['http://localhost:8081/', 'http://localhost:8080', false],
  ['https://localhost:8080/', 'http://localhost:8080', false],
])('%s leads to %s: %s', ([url, address, leads]) => {
  expect(leadsTo(new URL(url), address)).toBe(leads)
})

describe('the suite’s own requests', () => {
  test('are left alone when their address is the application’s', async () => {
    const scope = (await start({ isOwnRequest: (origin) => leadsTo(origin, upstream.url) })).use(
      [mock({ url: '*', respond: { status: 418 } })],
      context,
    )
    await supertest(upstream.url).get('/a').expect(200, 'real /a')
    await expect(send(`${upstream.url.replace('127.0.0.1', 'localhost')}/b`)).resolves.toBe('200 real /b')
    await expect(send('https://other.example/')).resolves.toBe('418 ')
    expect(scope.finish().calls).toHaveLength(1)
  })

  test('are left alone when the client sends them as such, wherever they go', async () => {
    const scope = (await start()).use([mock({ url: '*', respond: { status: 418 } })], context)
    const client = createClient()
    const spec = { method: 'GET', url: `${upstream.url}/own`, headers: [], timeout: 5000, maxRedirects: 0 }
    const { response } = await runAsOwnRequest(() => client.send(spec))
    expect(Buffer.from(response?.body ?? []).toString()).toBe('real /own')
    const refused = await runAsOwnRequest(() => client.send({ ...spec, url: 'http://127.0.0.1:1/' }))
    expect(refused.failure).toMatchObject({ phase: 'connect', code: 'ECONNREFUSED' })
    // Requests for tokens and WebSockets do not go through the client.
    const fetched = await runAsOwnRequest(() => fetch(`${upstream.url}/fetched`))
    expect(await fetched.text()).toBe('real /fetched')
    await client.close()
    expect(scope.finish().calls).toEqual([])
  })

  test('an extension and the application share no connection', async () => {
    const shared = await startUpstream()
    const scope = (await start()).use([mock({ url: '*', respond: { body: 'mocked' } })], context)
    const calls = [1, 2, 3].flatMap((n) => [
      () => runAsOwnRequest(() => send(`${shared.url}/${n}`)),
      () => send(`${shared.url}/${n}`),
    ])
    const answers: string[] = []
    for (const call of calls) answers.push(await call())
    expect(answers).toEqual([1, 2, 3].flatMap((n) => [`200 real /${n}`, '200 mocked']))
    expect(scope.finish().calls).toHaveLength(3)
    await shared.close()
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

/** Calls a function from the place where grpc-js opens its sockets. */
const callAsGrpc = vm.runInThisContext('(open) => open()', {
  filename: '/app/node_modules/@grpc/grpc-js/build/src/transport.js',
}) as (open: () => net.Socket) => net.Socket

describe('connections that cannot be intercepted', () => {
  test.each(['https://grpc.example', 'http://grpc.example'])(
    'HTTP/2 to %s is refused and reported',
    async (url) => {
      const scope = (await start()).use([mock({ url: '*', respond: {} })], context)
      await expect(openHttp2(url)).resolves.toBe('ECONNREFUSED')
      expect(scope.finish().problems).toEqual([
        {
          message: `The application used an HTTP/2 connection to \`${url}/\`, which mocks do not support. Let it use HTTP/1.1, give \`${url}/*\` a mock with \`respond: passthrough\`, or set the option \`onUnhandled\`.`,
          at: [3, 5],
        },
      ])
    },
  )

  test('a client that asks at once, such as that of AWS, hears of the refusal by events', async () => {
    await start()
    const session = http2.connect('https://grpc.example')
    session.settings({ enablePush: false })
    const refusals = [session, session.request()].map((emitter) => once(emitter, 'error'))
    await expect(Promise.all(refusals)).resolves.toMatchObject([
      [{ code: 'ECONNREFUSED' }],
      [{ code: 'ERR_HTTP2_STREAM_CANCEL', cause: { code: 'ECONNREFUSED' } }],
    ])
  })

  test('so are requests in HTTP/2 sessions that are older than the mocks', async () => {
    watchConnections()
    const real = http2.createServer((_, response) => void response.end('real')).listen(0, '127.0.0.1')
    await new Promise((resolve) => real.once('listening', resolve))
    const session = http2.connect(`http://127.0.0.1:${(real.address() as AddressInfo).port}`)
    await new Promise((resolve) => session.once('connect', resolve))
    const scope = (await start()).use([], context)
    expect(() => session.request({ ':path': '/' })).toThrow('ECONNREFUSED')
    expect(scope.finish().problems).toMatchObject([{ message: expect.stringContaining('HTTP/2') }])
    await stop()
    const request = session.request({ ':path': '/' })
    const [{ ':status': status }] = (await once(request, 'response')) as [http2.IncomingHttpHeaders]
    expect(status).toBe(200)
    session.destroy()
    real.close()
  })

  test('HTTP/2 goes to the network under `warn` and `bypass`, with a mock that lets it through, and to own addresses always', async () => {
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
    mocks.close()
    const quiet = (await start({ onUnhandled: 'bypass' })).use([], context)
    await expect(openHttp2(url)).resolves.toBe('connected')
    expect(quiet.finish()).toMatchObject({ problems: [], warnings: [] })
    await stop()
    const mocked = (await start()).use(
      [mock({ url: '{{real}}/*', respond: 'passthrough' })],
      createContext({ real: url }),
    )
    await expect(openHttp2(url)).resolves.toBe('connected')
    await expect(openHttp2('http://grpc.example')).resolves.toBe('ECONNREFUSED')
    expect(mocked.finish().problems).toMatchObject([{ message: expect.stringContaining('grpc.example') }])
    await stop()
    const strict = (await start({ isOwnRequest: (origin) => leadsTo(origin, url) })).use([], context)
    await expect(openHttp2(url)).resolves.toBe('connected')
    expect(strict.finish().problems).toEqual([])
    real.close()
  })

  test('so does gRPC, which opens the connection of a session itself, and checks the certificate', async () => {
    const real = http2.createSecureServer(certificate, (_, response) => void response.end('real'))
    await once(real.listen(0, '127.0.0.1'), 'listening')
    const { port } = real.address() as AddressInfo
    const call = async (): Promise<http2.IncomingHttpHeaders> => {
      const tcp = callAsGrpc(() => net.connect(port, '127.0.0.1'))
      await once(tcp, 'connect')
      const secure = { ca: certificate.cert, servername: 'localhost', ALPNProtocols: ['h2'] }
      const socket = tls.connect({ socket: tcp, ...secure })
      await once(socket, 'secureConnect')
      expect(socket).toMatchObject({ authorized: true })
      const session = http2.connect(`https://127.0.0.1:${port}`, { createConnection: () => socket })
      session.on('error', () => {})
      const [headers] = (await once(session.request(), 'response')) as [http2.IncomingHttpHeaders]
      session.destroy()
      return headers
    }
    const mocks = await start({ onUnhandled: 'bypass' })
    await expect(call()).resolves.toMatchObject({ ':status': 200 })
    mocks.close()
    const scope = (await start()).use([], context)
    await expect(call()).rejects.toThrow('ECONNREFUSED')
    expect(scope.finish().problems).toMatchObject([{ message: expect.stringContaining('HTTP/2') }])
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
