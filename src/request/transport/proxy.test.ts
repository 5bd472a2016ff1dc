import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { createClient } from '../send-request.ts'
import { openWebsocket, type WebsocketDialogue } from './open-websocket.ts'
import type { ConnectionSettings, Exchange } from '../exchange.ts'
import { startHttpServer } from '../fixtures/http-server.ts'
import { respond, startRawServer } from '../fixtures/raw-server.ts'
import { findProxy as find, isLoopback } from './proxy.ts'
import { defaultLimits } from '../../limits.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function sendThrough(proxy: string, url: string, insecure = false): Promise<Exchange> {
  const client = createClient()
  cleanups.push(() => client.close())
  const connection = { proxy, insecure }
  return client.send({
    method: 'GET',
    url,
    headers: [['x-a', '1']],
    timeout: 3000,
    maxRedirects: 0,
    connection,
  })
}

function dialThrough(proxy: string): Promise<WebsocketDialogue> {
  const spec = { method: 'GET', url: 'http://api.test/x', headers: [], timeout: 3000, maxRedirects: 0 }
  return openWebsocket({ ...spec, connection: { proxy } }, { protocols: [], bodyLimit: defaultLimits.body })
}

function findProxy(
  target: Parameters<typeof find>[1],
  option: ConnectionSettings['proxy'],
  env = {},
): unknown {
  return find(option, target, env)
}

const http = { protocol: 'http:', hostname: 'api.example.test', port: 80 } as const

describe('which proxy', () => {
  test('is none for loopback, whatever the environment says', () => {
    const env = { HTTP_PROXY: 'http://proxy:8080', HTTPS_PROXY: 'http://proxy:8080' }
    for (const hostname of [
      'localhost',
      'app.localhost',
      '127.0.0.1',
      '127.9.9.9',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
    ]) {
      expect([hostname, isLoopback(hostname)]).toEqual([hostname, true])
      expect(findProxy({ ...http, hostname }, undefined, env)).toBeUndefined()
      expect(findProxy({ ...http, hostname }, 'http://proxy:1')).toBeDefined()
    }
    for (const hostname of [
      'localhost.example.test',
      '127.0.0.1.example.test',
      '1270.0.0.1',
      '::2',
      '10.0.0.1',
    ]) {
      expect([hostname, isLoopback(hostname)]).toEqual([hostname, false])
    }
  })

  test('comes from the environment, by scheme, lower case first', () => {
    const env = {
      HTTP_PROXY: 'http://upper:1',
      http_proxy: 'http://lower:2',
      HTTPS_PROXY: 'http://us%40er:p%3Aw@tls:3',
    }
    expect(findProxy(http, undefined, env)).toEqual({ hostname: 'lower', port: 2 })
    expect(findProxy({ ...http, protocol: 'https:' }, undefined, env)).toEqual({
      hostname: 'tls',
      port: 3,
      authorization: `Basic ${Buffer.from('us@er:p:w').toString('base64')}`,
    })
    expect(findProxy(http, false, env)).toBeUndefined()
    expect(findProxy(http, undefined, { http_proxy: '' })).toBeUndefined()
    const bare = { http_proxy: 'me:secret@proxy:3128' }
    expect(findProxy(http, undefined, bare)).toMatchObject({ hostname: 'proxy', port: 3128 })
  })

  test.each([
    ['*', true],
    ['example.test', true],
    ['.example.test', true],
    ['*.example.test', true],
    ['other, api.example.test', true],
    ['API.example.TEST:80', true],
    ['api.example.test:8080', false],
    ['pi.example.test', false],
    ['', false],
  ])('NO_PROXY=%s exempts: %s', (list, exempt) => {
    expect(findProxy(http, undefined, { http_proxy: 'http://p:1', NO_PROXY: list }) === undefined).toBe(
      exempt,
    )
  })

  test.each([
    ['fd00::5', true],
    ['[fd00::5]', true],
    ['[FD00::5]:80', true],
    ['[fd00::5]:81', false],
    ['d00::5', false],
  ])('NO_PROXY=%s exempts fd00::5: %s', (list, exempt) => {
    const target = { ...http, hostname: 'fd00::5' }
    expect(findProxy(target, undefined, { http_proxy: 'http://p:1', NO_PROXY: list }) === undefined).toBe(
      exempt,
    )
  })

  test.each([
    ['http://:pw@p', ':pw'],
    ['http://us%er:50%@p', 'us%er:50%'],
  ])('%s has the credentials %s', (proxy, credentials) => {
    expect(findProxy(http, proxy)).toMatchObject({ authorization: `Basic ${btoa(credentials)}` })
  })

  test('is refused when it is not an http URL, without repeating credentials', () => {
    expect(() => findProxy(http, 'socks5://user:hunter2@p:1')).toThrow(
      'Expected `proxy` to be an http:// URL, got `socks5://***@p:1`',
    )
    const env = { HTTP_PROXY: 'https://proxy:8080' }
    expect(() => findProxy(http, undefined, env)).toThrow(
      'Expected HTTP_PROXY to be an http:// URL, got `https://proxy:8080`',
    )
    expect(findProxy({ ...http, hostname: 'localhost' }, undefined, env)).toBeUndefined()
  })
})

describe('through a proxy', () => {
  test('http requests go in absolute form, with its credentials', async () => {
    const proxy = await startRawServer((socket) => void socket.write(respond('by proxy')))
    cleanups.push(() => proxy.close())
    const exchange = await sendThrough(
      `http://user:pw@127.0.0.1:${proxy.port}`,
      'http://api.example.test/x?a=1',
    )
    expect(Buffer.from(exchange.response?.body ?? []).toString()).toBe('by proxy')
    expect(exchange.connection).toEqual({ proxy: `127.0.0.1:${proxy.port}` })
    expect(proxy.requests[0]).toMatch(
      /^GET http:\/\/api\.example\.test\/x\?a=1 HTTP\/1\.1\r\nhost: api\.example\.test\r\n/,
    )
    expect(proxy.requests[0]).toContain(
      `proxy-authorization: Basic ${Buffer.from('user:pw').toString('base64')}\r\n`,
    )
  })

  test.each(['', 'user:pw@'])('https requests go through a tunnel, which alone gets %j', async (user) => {
    let credentials: string | undefined
    const target = await startHttpServer(
      (request, response) => {
        credentials = request.headers['proxy-authorization']
        response.end('secret')
      },
      { tls: true },
    )
    const proxy = await startRawServer((socket, request) => {
      const line =
        user === '' ? '' : `proxy-authorization: Basic ${Buffer.from('user:pw').toString('base64')}\r\n`
      expect(request).toBe(`CONNECT localhost:1 HTTP/1.1\r\nhost: localhost:1\r\n${line}\r\n`)
      const upstream = connect(target.port, '127.0.0.1', () => {
        socket.removeAllListeners('data')
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.pipe(upstream).pipe(socket)
      })
      upstream.on('error', () => socket.destroy())
      socket.on('close', () => upstream.destroy())
    })
    cleanups.push(
      () => target.close(),
      () => proxy.close(),
    )
    const exchange = await sendThrough(`http://${user}127.0.0.1:${proxy.port}`, 'https://localhost:1/', true)
    expect(exchange.failure).toBeUndefined()
    expect(credentials).toBeUndefined()
    expect(Buffer.from(exchange.response?.body ?? []).toString()).toBe('secret')
    expect(exchange.timings.tls).toBeGreaterThan(0)
  })

  test('a WebSocket without TLS goes through a tunnel too', async () => {
    const target = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    target.on('connection', (socket) => socket.send('hello'))
    await once(target, 'listening')
    const { port } = target.address() as AddressInfo
    const tunnel = await startRawServer((socket) => {
      const upstream = connect(port, '127.0.0.1')
      socket.removeAllListeners('data')
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(upstream).pipe(socket)
    })
    cleanups.push(
      () => new Promise((done) => target.close(() => done())),
      () => tunnel.close(),
    )
    const dialogue = await dialThrough(`http://127.0.0.1:${tunnel.port}`)
    expect(await dialogue.next(3000)).toMatchObject({ data: 'hello' })
    await dialogue.close(1000)
  })

  test('a WebSocket without TLS is told that it gets no tunnel', async () => {
    const proxy = await startRawServer((socket) => void socket.write('HTTP/1.1 403 Forbidden\r\n\r\n'))
    cleanups.push(() => proxy.close())
    const { error } = await dialThrough(`http://127.0.0.1:${proxy.port}`)
    expect(error?.message).toContain('refused a tunnel with status 403')
    expect(proxy.requests).toEqual(['CONNECT api.test:80 HTTP/1.1\r\nhost: api.test:80\r\n\r\n'])
  })

  test.each([
    [
      'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n',
      'refused a tunnel with status 407 (PROXY_TUNNEL). Check the user name and password in the address of the proxy',
    ],
    ['HTTP/1.1 200 OK\r\n\r\nsmuggled', 'refused a tunnel with status 200'],
    ['nonsense\r\n\r\n', 'opened no tunnel'],
  ])('a tunnel that is refused is a failure: %j', async (answer, message) => {
    const proxy = await startRawServer((socket) => void socket.write(answer))
    cleanups.push(() => proxy.close())
    const { failure } = await sendThrough(`http://127.0.0.1:${proxy.port}`, 'https://api.example.test/')
    expect(failure).toMatchObject({ phase: 'connect', code: 'PROXY_TUNNEL' })
    expect(failure?.message).toContain(message)
  })

  test('one that cannot be reached is named', async () => {
    const { failure } = await sendThrough('http://127.0.0.1:1', 'http://api.example.test/')
    expect(failure).toMatchObject({ phase: 'connect', code: 'PROXY_UNREACHABLE' })
    expect(failure?.message).toContain('the proxy 127.0.0.1:1 cannot be reached: ECONNREFUSED')
  })

  test('a wrong one in the environment fails the requests that need it', async () => {
    vi.stubEnv('HTTP_PROXY', 'socks5://p:1')
    vi.stubEnv('http_proxy', undefined)
    const client = createClient()
    cleanups.push(async () => {
      vi.unstubAllEnvs()
      await client.close()
    })
    const spec = { method: 'GET', headers: [], timeout: 3000, maxRedirects: 0 }
    const { failure } = await client.send({ ...spec, url: 'http://api.example.test/' })
    expect(failure).toMatchObject({ code: 'PROXY_INVALID' })
    expect(failure?.message).toContain('Expected HTTP_PROXY to be an http:// URL')
    expect((await client.send({ ...spec, url: 'http://127.0.0.1:1/' })).failure?.code).toBe('ECONNREFUSED')
  })

  test.each(['end', 'resetAndDestroy'] as const)(
    'a tunnel that is closed by %s is a failure',
    async (how) => {
      const proxy = await startRawServer((socket) => void socket[how]())
      cleanups.push(() => proxy.close())
      const { failure } = await sendThrough(`http://127.0.0.1:${proxy.port}`, 'https://api.example.test/')
      expect(failure?.message).toContain('opened no tunnel')
    },
  )
})
