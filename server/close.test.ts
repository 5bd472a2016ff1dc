import { once } from 'node:events'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { describe, expect, test } from './fixture.ts'
import { startServer } from './start-server.ts'

describe('startServer', () => {
  test('takes a free port on loopback, and many run side by side', async () => {
    const servers = await Promise.all(Array.from({ length: 20 }, () => startServer()))
    expect(new Set(servers.map(({ port }) => port)).size).toBe(20)
    expect(servers[0]?.url).toBe(`http://127.0.0.1:${servers[0]?.port}`)
    await Promise.all(servers.map((server) => server.close()))
  })

  test('fails as listen does when the port is taken', async () => {
    await using server = await startServer()
    await expect(startServer({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('refuses an option that is out of range', async () => {
    await expect(startServer({ maxBytes: 0.5 })).rejects.toThrow(
      'to be an integer from 0 to 67108864, got `0.5`',
    )
    await (await startServer({ maxDelay: 0.5 })).close()
    await expect(startServer({ maxDelay: -1 })).rejects.toThrow(
      'Expected the `maxDelay` option to be a number from 0 to 2147483, got `-1` (number)',
    )
    await expect(startServer({ nope: 1 } as object)).rejects.toThrow(
      'Expected an option of the echo server, got `nope`',
    )
    await expect(startServer({ maxBody: 1.5 })).rejects.toThrow(
      'Expected the `maxBody` option to be an integer',
    )
    await expect(startServer({ allowedRedirects: ['example.org'] })).rejects.toThrow('got `example.org`')
  })

  test('serves 50 delays at once while other requests stay fast', async () => {
    await using server = await startServer()
    const started = performance.now()
    const order: string[] = []
    const ask = async (path: string): Promise<number> => {
      const { status } = await fetch(`${server.url}${path}`)
      order.push(path)
      return status
    }
    const delays = Array.from({ length: 50 }, () => ask('/delay/1'))
    expect(await ask('/get')).toBe(200)
    expect(new Set(await Promise.all(delays))).toEqual(new Set([200]))
    expect(order[0]).toBe('/get')
    const elapsed = performance.now() - started
    expect(elapsed).toBeGreaterThan(990)
    // One after the other, they would take fifty seconds.
    expect(elapsed).toBeLessThan(30_000)
  })

  test('closes at once with delays, idle, half-sent and upgraded connections open', async () => {
    const server = await startServer()
    const delays = Array.from({ length: 50 }, () =>
      fetch(`${server.url}/delay/10`).then(
        () => 'answered',
        () => 'cut off',
      ),
    )
    const sockets = [
      '',
      'POST /post HTTP/1.1\r\n',
      'nonsense\r\n\r\n',
      'GET /sse?duration=10 HTTP/1.1\r\nHost: a\r\n\r\n',
    ]
    for (const bytes of sockets) {
      const socket = connect(server.port, '127.0.0.1')
      socket.on('error', () => socket.destroy())
      socket.write(bytes)
    }
    const client = new WebSocket(`${server.url.replace('http', 'ws')}/websocket/echo`)
    await once(client, 'open')
    await server.close()
    await server.close()
    // If `close` had waited for them, they would have been answered.
    expect(new Set(await Promise.all(delays))).toEqual(new Set(['cut off']))
    await expect(fetch(server.url)).rejects.toThrow('fetch failed')
  })
})

describe('/websocket/echo', () => {
  test('sends text and binary messages back', async ({ echo }) => {
    const client = new WebSocket(`${echo.url.replace('http', 'ws')}/websocket/echo`)
    await once(client, 'open')
    client.send('héllo')
    expect(await once(client, 'message')).toEqual([Buffer.from('héllo'), false])
    client.send(Buffer.from([0, 255]))
    expect(await once(client, 'message')).toEqual([Buffer.from([0, 255]), true])
    client.close(1000)
    expect(await once(client, 'close')).toEqual([1000, Buffer.alloc(0)])
  })

  test('ends a connection that sends broken frames, and a message that is too large', async () => {
    await using server = await startServer({ maxBody: 10 })
    const client = new WebSocket(`${server.url.replace('http', 'ws')}/websocket/echo`)
    await once(client, 'open')
    client.send('far too long for this')
    const [code] = await once(client, 'close')
    expect(code).toBe(1009)
  })

  test('asks for a handshake without one', async ({ echo }) => {
    const answer = await echo.request.get('/websocket/echo').expect(426)
    expect(answer.headers).toMatchObject({ upgrade: 'websocket', 'access-control-allow-origin': '*' })
  })
})
