import { getEventListeners, once } from 'node:events'
import dns from 'node:dns'
import { connect, isIP } from 'node:net'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { describeFailure } from './render/describe-failure.ts'
import { createClient } from './send-request.ts'
import { sendRequest, type LoneOptions } from './fixtures/send-request.ts'
import type { Exchange, RequestSpec } from './exchange.ts'
import { certificate } from './fixtures/certificate.ts'
import { respond, startRawServer, type Answer, type RawServer } from './fixtures/raw-server.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function serve(answer: Answer, options?: Parameters<typeof startRawServer>[1]): Promise<RawServer> {
  const server = await startRawServer(answer, options)
  cleanups.push(() => server.close())
  return server
}

function open(options: Parameters<typeof createClient>[0] = {}): ReturnType<typeof createClient> {
  const client = createClient(options)
  cleanups.push(() => client.close())
  return client
}

function spec(url: string, rest: Partial<RequestSpec> = {}): RequestSpec {
  return { method: 'GET', url, headers: [], timeout: 5000, maxRedirects: 20, ...rest }
}

/** Sends one request to a server that answers with these bytes and then calls `after`. */
async function receive(
  bytes: string | Buffer,
  {
    after = 'nothing',
    ...options
  }: LoneOptions & { after?: 'end' | 'reset' | 'nothing'; method?: string; timeout?: number } = {},
): Promise<Exchange> {
  const server = await serve((socket) => {
    socket.write(bytes, 'latin1', () => {
      if (after === 'end') socket.end()
      if (after === 'reset') socket.resetAndDestroy()
    })
  })
  const { method = 'GET', timeout = 1000, ...rest } = options
  return sendRequest(spec(`${server.url}/x`, { method, timeout }), rest)
}

function textOf(exchange: Exchange): string {
  expect(exchange.failure).toBeUndefined()
  return Buffer.from(exchange.response?.body ?? []).toString()
}

describe('a whole answer', () => {
  test('has header values without the blanks around them', async () => {
    const { response } = await receive(
      'HTTP/1.1 200 OK\r\nX-A: \t a b \t \r\nX-Blank:  \r\nContent-Encoding: gzip \r\nContent-Length: 0\r\n\r\n',
    )
    expect(response?.headers.slice(0, 3)).toEqual([
      ['X-A', 'a b'],
      ['X-Blank', ''],
      ['Content-Encoding', 'gzip'],
    ])
  })

  test('is handed back with its head as it was on the wire', async () => {
    const exchange = await receive(
      'HTTP/1.1 299 Fine indeed\r\nX-MiXeD: a\r\nX-List: 1\r\nx-list: 2\r\nX-Empty:\r\nX-E: \xe9\r\nContent-Length: 2\r\n\r\nok',
    )
    expect(exchange.response).toEqual({
      statusCode: 299,
      statusText: 'Fine indeed',
      httpVersion: '1.1',
      headers: [
        ['X-MiXeD', 'a'],
        ['X-List', '1'],
        ['x-list', '2'],
        ['X-Empty', ''],
        ['X-E', 'é'],
        ['Content-Length', '2'],
      ],
      body: Buffer.from('ok'),
      transferBytes: 2,
    })
    expect(exchange).not.toHaveProperty('failure')
  })

  test('may be chunked, with trailers', async () => {
    const exchange = await receive(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;x=1\r\nab\r\n1\r\nc\r\n0\r\nx-t: 1\r\n\r\n',
    )
    expect(textOf(exchange)).toBe('abc')
  })

  test('may have a transfer coding', async () => {
    const exchange = await receive(
      Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n'), gzipSync('whole')]),
      { after: 'end' },
    )
    expect(textOf(exchange)).toBe('whole')
  })

  test('may be HTTP/1.0 and end with the connection', async () => {
    const exchange = await receive('HTTP/1.0 200 OK\r\n\r\nwhole', { after: 'end' })
    expect(textOf(exchange)).toBe('whole')
    expect(exchange.response?.httpVersion).toBe('1.0')
  })

  test('may come byte by byte', async () => {
    const answer = 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 203 Slow\r\ncontent-length: 2\r\n\r\nok'
    const server = await serve(async (socket) => {
      for (const char of answer) {
        socket.write(char)
        await new Promise(setImmediate)
      }
    })
    const exchange = await sendRequest(spec(server.url + '/'))
    expect(textOf(exchange)).toBe('ok')
    expect(exchange.response?.statusCode).toBe(203)
  })

  test.each(
    [204, 304].flatMap((status) =>
      [
        '',
        'content-length: 5\r\n',
        'content-encoding: gzip\r\ncontent-length: 5\r\n',
        'transfer-encoding: chunked\r\n',
      ].map((announced) => [status, announced] as const),
    ),
  )('has no body with status %d, whatever the head announces: %j', async (status, announced) => {
    const client = open()
    const server = await serve((socket, _request, index) => {
      socket.write(index === 0 ? `HTTP/1.1 ${status} X\r\n${announced}\r\n` : respond('two'))
    })
    const exchange = await client.send(spec(`${server.url}/1`))
    expect(exchange.failure).toBeUndefined()
    expect(exchange.response?.body.byteLength).toBe(0)
    expect(textOf(await client.send(spec(`${server.url}/2`)))).toBe('two')
  })

  test.each(['000', '042'])('with status %s is not valid HTTP', async (status) => {
    const { failure } = await receive(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
    expect(failure).toMatchObject({ phase: 'head', code: 'INVALID_HTTP' })
    expect(failure?.message).toMatch(
      RegExp(`\\d ms: the response is not valid HTTP/1.1: status ${Number(status)} \\(INVALID_HTTP\\)$`),
    )
  })

  test('has no body for HEAD, whatever length it names', async () => {
    const exchange = await receive(
      'HTTP/1.1 200 OK\r\ncontent-length: 100\r\ncontent-encoding: gzip\r\n\r\n',
      { method: 'HEAD' },
    )
    expect(exchange.failure).toBeUndefined()
    expect(exchange.response?.body.byteLength).toBe(0)
  })

  test('names like __proto__ are ordinary headers', async () => {
    const exchange = await receive(
      'HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 0\r\n\r\n',
    )
    expect(exchange.response?.headers.slice(0, 2)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
  })

  test('bytes after it are neither part of it nor of the next', async () => {
    const client = open()
    const server = await serve((socket, _request, index) => {
      socket.write(index === 0 ? respond('one') + respond('smuggled') : respond('two'))
    })
    expect(textOf(await client.send(spec(`${server.url}/1`)))).toBe('one')
    expect(textOf(await client.send(spec(`${server.url}/2`)))).toBe('two')
    expect(server.connections).toBe(2)
  })
})

describe('informational answers', () => {
  test('are skipped, but for a 100 that nobody asked for', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 P\r\n\r\n'
    expect(textOf(await receive(early + respond('ok')))).toBe('ok')
    const { failure } = await receive(`HTTP/1.1 100 Continue\r\n\r\n${respond('ok')}`)
    expect(failure).toMatchObject({ phase: 'head', code: 'INVALID_HTTP' })
    expect(failure?.message).toContain('it has a status 100 or 101 that was not asked for')
  })

  test('up to 1,000 are taken, 2,000 are a failure', async () => {
    const early = 'HTTP/1.1 102 Processing\r\n\r\n'
    expect(textOf(await receive(early.repeat(1000) + respond('ok')))).toBe('ok')
    const { failure, response } = await receive(early.repeat(2000) + respond('ok'))
    expect(failure).toMatchObject({ phase: 'head', code: 'TOO_MANY_INFORMATIONAL' })
    expect(failure?.message).toContain('more than 1000 informational (1xx) responses')
    expect(response).toBeUndefined()
  })

  test('without an end are bounded in time', async () => {
    const server = await serve((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10)
      socket.on('close', () => clearInterval(timer))
    })
    const { failure } = await sendRequest(spec(`${server.url}/`, { timeout: 150 }))
    expect(failure).toMatchObject({ phase: 'head', code: 'TIMEOUT' })
  })

  test.each(['connection: upgrade\r\nupgrade: x\r\n', '', 'content-length: 0\r\n'])(
    'that switch protocols are refused, with %j',
    async (headers) => {
      const { failure } = await receive(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`)
      expect(failure).toMatchObject({ phase: 'head', code: 'INVALID_HTTP' })
    },
  )
})

describe('a broken answer is a failure that names where and why', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  test.each<[string, string, 'end' | 'reset', string, string]>([
    [
      'a body shorter than announced',
      `${head}content-length: 10\r\n\r\nshort`,
      'end',
      'body',
      'CONNECTION_CLOSED',
    ],
    ['a body cut by a reset', `${head}content-length: 10\r\n\r\nshort`, 'reset', 'body', 'ECONNRESET'],
    ['a body without length cut by a reset', `${head}\r\nshort`, 'reset', 'body', 'ECONNRESET'],
    [
      'a chunked body without its end',
      `${head}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`,
      'end',
      'body',
      'CONNECTION_CLOSED',
    ],
    [
      'a chunk that is cut',
      `${head}transfer-encoding: chunked\r\n\r\nff\r\nhello`,
      'end',
      'body',
      'CONNECTION_CLOSED',
    ],
    [
      'a chunked body that closes and has no end',
      `${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`,
      'end',
      'body',
      'CONNECTION_CLOSED',
    ],
    [
      'a chunk size that is not a number',
      `${head}transfer-encoding: chunked\r\n\r\nxyz\r\nhello\r\n`,
      'end',
      'body',
      'INVALID_HTTP',
    ],
    ['a head that is cut', `${head}content-le`, 'end', 'head', 'CONNECTION_CLOSED'],
    ['no response at all', '', 'end', 'head', 'CONNECTION_CLOSED'],
    ['a reset instead of an answer', '', 'reset', 'head', 'ECONNRESET'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'end', 'head', 'INVALID_HTTP'],
    ['a status that is not a number', 'HTTP/1.1 abc OK\r\n\r\n', 'end', 'head', 'INVALID_HTTP'],
    [
      'two different lengths',
      `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`,
      'end',
      'head',
      'INVALID_HTTP',
    ],
    ['a length that is not a number', `${head}content-length: -1\r\n\r\nab`, 'end', 'head', 'INVALID_HTTP'],
    [
      'length and chunks at once',
      `${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      'end',
      'head',
      'INVALID_HTTP',
    ],
    ['a NUL in a header', `${head}a: \0\r\n\r\n`, 'end', 'head', 'INVALID_HTTP'],
  ])('%s', async (...[, bytes, after, phase, code]) => {
    const { failure, response, request } = await receive(bytes, { after })
    expect(failure).toMatchObject({ phase, code })
    expect(failure?.message).toMatch(
      new RegExp(`^GET ${request.url} failed .* after \\d+ ms: .*\\(${code}\\)`),
    )
    // The head is worth showing, the broken body is not worth judging.
    expect(response?.body.byteLength).toBe(phase === 'body' ? 0 : undefined)
    expect(response?.statusCode).toBe(phase === 'body' ? 200 : undefined)
  })

  test.each(['content-length: 5', 'transfer-encoding: chunked'])(
    'tells that %s is a second length',
    async (line) => {
      const { failure } = await receive(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n${line}\r\n\r\nhello`)
      expect(failure?.message).toContain(
        'the response is not valid HTTP/1.1: its head is malformed after `content-length`, or it gives two lengths',
      )
    },
  )

  test('tells how many bytes came', async () => {
    const { failure, response } = await receive('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort', {
      after: 'end',
    })
    expect(failure?.message).toContain('while receiving the body')
    expect(failure?.message).toContain('the connection was closed before the body was complete')
    expect(response?.transferBytes).toBe(5)
  })

  test('a reset while the request is being sent', async () => {
    const server = await serve(() => {}, {
      onConnect: (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    })
    const { failure } = await sendRequest(
      spec(`${server.url}/`, { method: 'POST', body: Buffer.alloc(30_000_000) }),
    )
    expect(failure?.phase).toBe('send')
    expect(failure?.message).toContain('while sending the request')
  })
})

describe('limits', () => {
  test('leave out, and note, the time in which the event loop stood still', async () => {
    const server = await serve((socket) => {
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 300)
    })
    let blocked = 0
    const sending = sendRequest(spec(`${server.url}/`, { timeout: 100 }), { readBlocked: () => blocked })
    blocked = 30_000
    const { failure, timings } = await sending
    expect(failure).toBeUndefined()
    expect(timings.blocked).toBe(30_000)
    expect(timings.total).toBeGreaterThan(250)
    const { failure: late } = await sendRequest(spec(`${server.url}/`, { timeout: 100 }), {
      readBlocked: () => blocked,
    })
    expect(late?.code).toBe('TIMEOUT')
  })

  test.each([
    ['one header', `x: ${'y'.repeat(70_000)}\r\n`],
    ['many headers', 'x: y\r\n'.repeat(40_000)],
  ])('a head over 64 KB is a failure: %s', async (_title, lines) => {
    const { failure } = await receive(`HTTP/1.1 200 OK\r\n${lines}content-length: 0\r\n\r\n`)
    expect(failure).toMatchObject({ phase: 'head', code: 'HEAD_TOO_LARGE' })
    expect(failure?.message).toContain('larger than 65536 bytes (HEAD_TOO_LARGE)')
  })

  test('a head of 60 KB is fine', async () => {
    expect(
      textOf(await receive(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(60_000)}\r\n${respond('ok').slice(17)}`)),
    ).toBe('ok')
  })

  test('an endless head ends with the limit, not with the memory', async () => {
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ')
      const pump = (): void => {
        while (!socket.destroyed && socket.write('y'.repeat(65_536)));
      }
      socket.on('drain', pump)
      pump()
    })
    const { failure } = await sendRequest(spec(server.url + '/'))
    expect(failure?.code).toBe('HEAD_TOO_LARGE')
  })

  test('a body over the limit is a failure, announced or not', async () => {
    const bodyLimit = 10
    const announced = await receive(respond('x'.repeat(11)), { bodyLimit })
    expect(announced.failure).toMatchObject({ phase: 'body', code: 'BODY_TOO_LARGE' })
    expect(announced.failure?.message).toContain(
      'larger than 10 bytes (BODY_TOO_LARGE). The option `limits.body`',
    )
    const chunked = await receive(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nb\r\nxxxxxxxxxxx\r\n',
      { bodyLimit },
    )
    expect(chunked.failure).toMatchObject({ phase: 'body', code: 'BODY_TOO_LARGE' })
    expect(textOf(await receive(respond('x'.repeat(10)), { bodyLimit }))).toBe('x'.repeat(10))
  })

  test('a body that never ends stops at the limit', async () => {
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const chunk = Buffer.alloc(1_000_000)
      const pump = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      }
      socket.on('drain', pump)
      pump()
    })
    const before = process.memoryUsage().rss
    const { failure } = await sendRequest(spec(server.url + '/', { timeout: 20_000 }))
    expect(failure).toMatchObject({ phase: 'body', code: 'BODY_TOO_LARGE' })
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024)
  })
})

describe('timeout', () => {
  test.each<[string, Answer, string]>([
    ['no answer', () => {}, 'head'],
    ['a slow head', (socket) => void socket.write('HTTP/1.1 200 OK\r\nx'), 'head'],
    ['a slow body', (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'), 'body'],
  ])('%s ends it and names the limit, its value and the option', async (_title, answer, phase) => {
    const server = await serve(answer)
    const { failure, timings } = await sendRequest(spec(`${server.url}/x`, { timeout: 500 }))
    expect(failure).toMatchObject({ phase, code: 'TIMEOUT' })
    expect(failure?.message).toContain('the limit `timeout` of 500 ms was reached (TIMEOUT). Raise `timeout`')
    expect(timings.total).toBeGreaterThanOrEqual(499)
    await expect.poll(() => server.open.size).toBe(0)
  })

  test('covers a connection that is never accepted', async () => {
    // TEST-NET-1 is routed nowhere (RFC 5737); a network that reports this at once gives another failure.
    const { failure } = await sendRequest(spec('http://192.0.2.1/', { timeout: 150 }))
    expect(failure?.phase).toBe('connect')
  })

  test('covers all redirects together', async () => {
    const server = await serve((socket, _request, index) => {
      setTimeout(
        () => socket.write(`HTTP/1.1 302 Found\r\nlocation: /${index}\r\ncontent-length: 0\r\n\r\n`),
        150,
      )
    })
    const { failure, redirects } = await sendRequest(spec(`${server.url}/x`, { timeout: 600 }))
    expect(failure?.code).toBe('TIMEOUT')
    expect(redirects.length).toBeGreaterThan(0)
    expect(redirects.length).toBeLessThan(5)
  })

  test('covers a TLS handshake nobody answers', async () => {
    const server = await serve(() => {})
    const { failure } = await sendRequest(spec(`https://127.0.0.1:${server.port}/`, { timeout: 120 }))
    expect(failure).toMatchObject({ phase: 'tls', code: 'TIMEOUT' })
    await expect.poll(() => server.open.size).toBe(0)
  })
})

describe('abort', () => {
  test.each<[string, Answer, string]>([
    ['while waiting', () => {}, 'head'],
    ['in the body', (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'), 'body'],
  ])('%s ends the request and closes its connection', async (_title, answer, phase) => {
    const server = await serve(answer)
    const controller = new AbortController()
    const sending = sendRequest(spec(`${server.url}/x`), { signal: controller.signal })
    await expect.poll(() => server.requests.length).toBe(1)
    setTimeout(() => controller.abort(), 50)
    const { failure, timings } = await sending
    expect(failure).toMatchObject({ phase, code: 'ABORTED' })
    expect(timings.total).toBeLessThan(2000)
    await expect.poll(() => server.open.size).toBe(0)
  })

  test('before the start sends nothing', async () => {
    const server = await serve((socket) => void socket.write(respond('ok')))
    const { failure } = await sendRequest(spec(`${server.url}/x`), { signal: AbortSignal.abort() })
    expect(failure?.code).toBe('ABORTED')
    expect(server.requests).toEqual([])
  })

  test('leaves no listener on the signal', async () => {
    const server = await serve((socket) => void socket.write(respond('ok')))
    const { signal } = new AbortController()
    const client = open()
    for (let count = 0; count < 20; count++) await client.send(spec(`${server.url}/x`), { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('a client that was closed sends nothing', async () => {
    const server = await serve((socket) => void socket.write(respond('ok')))
    const client = createClient()
    await client.close()
    expect((await client.send(spec(`${server.url}/x`))).failure?.code).toBe('CLIENT_CLOSED')
    await client.close()
    expect(server.connections).toBe(0)
  })

  test('closing the client ends what is under way', async () => {
    const server = await serve(() => {})
    const client = createClient()
    const sending = client.send(spec(`${server.url}/x`))
    await expect.poll(() => server.requests.length).toBe(1)
    await client.close()
    expect((await sending).failure).toMatchObject({ phase: 'head', code: 'CLIENT_CLOSED' })
    await expect.poll(() => server.open.size).toBe(0)
  })
})

describe('no connection', () => {
  test('a refused one says so and asks whether the server runs', async () => {
    const server = await startRawServer(() => {})
    await server.close()
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `http://${host}:${server.port}/x`
      const { failure, response } = await sendRequest(spec(url, { method: 'POST' }))
      expect(failure).toMatchObject({ phase: 'connect', code: 'ECONNREFUSED' })
      expect(failure?.message.replace(/after \d+ ms/, 'after 1 ms')).toBe(
        `POST ${url} failed while connecting after 1 ms: connection refused (ECONNREFUSED). Is the server running on port ${server.port}?`,
      )
      expect(response).toBeUndefined()
    }
  })

  test('an unknown host fails while resolving', async () => {
    const { failure } = await sendRequest(spec('http://no-such-host.invalid/'))
    expect(failure?.phase).toBe('resolve')
    expect(failure?.code).toMatch(/ENOTFOUND|EAI_AGAIN/)
    expect(failure?.message).toContain('no-such-host.invalid')
  })

  test.each([
    ['127.0.0.1', '::1'],
    ['::1', '127.0.0.1', '127.0.0.2'],
  ])('of %s, an address that is slow to connect is waited for if no other one answers', async (...hosts) => {
    // The server sleeps with a full queue of connections, so it ignores our first attempt. Systems repeat it after 1 s.
    const sleep = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads')
      const server = require('node:net').createServer((socket) => {
        socket.on('error', () => {})
        socket.on('data', () => socket.end('HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\nok'))
      })
      server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
        parentPort.postMessage(server.address().port)
        Atomics.wait(workerData, 0, 0)
      })`,
      { eval: true, workerData: sleep },
    )
    const [port] = (await once(worker, 'message')) as [number]
    const waiting = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    await Promise.all(
      waiting.map((socket) =>
        once(
          socket.on('error', () => {}),
          'connect',
        ),
      ),
    )
    setTimeout(() => {
      Atomics.store(sleep, 0, 1)
      Atomics.notify(sleep, 0)
    }, 300)
    const addresses = hosts.map((address) => ({ address, family: isIP(address) }))
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation((...args: unknown[]) => {
      const done = args.at(-1) as (error: null, found: unknown) => void
      done(null, addresses)
    })
    const exchange = await sendRequest(spec(`http://slow.test:${port}/`))
    lookup.mockRestore()
    for (const socket of waiting) socket.destroy()
    await worker.terminate()
    expect(textOf(exchange)).toBe('ok')
    expect(exchange.timings.connect).toBeGreaterThan(250)
  })

  test('a failed one does not spoil the client', async () => {
    const server = await serve(
      (socket, _request, index) =>
        void (index === 0 ? socket.resetAndDestroy() : socket.write(respond('ok'))),
    )
    const client = open()
    expect((await client.send(spec(`${server.url}/1`))).failure?.code).toBe('ECONNRESET')
    expect(textOf(await client.send(spec(`${server.url}/2`)))).toBe('ok')
  })
})

describe('connections', () => {
  test('are kept for the next request, and timed only when they are new', async () => {
    const server = await serve((socket) => void socket.write(respond('ok')))
    const client = open()
    const first = await client.send(spec(`http://localhost:${server.port}/1`))
    const second = await client.send(spec(`http://localhost:${server.port}/2`))
    expect(server.connections).toBe(1)
    expect(Object.keys(first.timings).toSorted()).toEqual(['connect', 'dns', 'download', 'total', 'ttfb'])
    expect(Object.keys(second.timings).toSorted()).toEqual(['download', 'total', 'ttfb'])
    for (const value of [...Object.values(first.timings), ...Object.values(second.timings)])
      expect(value).toBeGreaterThanOrEqual(0)
    expect(first.timings.total).toBeGreaterThanOrEqual(
      (first.timings.connect ?? 0) + (first.timings.ttfb ?? 0) + (first.timings.download ?? 0),
    )
  })

  test('are one per request under way', async () => {
    const server = await serve((socket) => setTimeout(() => socket.write(respond('ok')), 20))
    const client = open()
    await Promise.all(Array.from({ length: 5 }, () => client.send(spec(`${server.url}/`))))
    expect(server.connections).toBe(5)
    await Promise.all(Array.from({ length: 5 }, () => client.send(spec(`${server.url}/`))))
    expect(server.connections).toBe(5)
  })

  test('that the server closed in between are replaced', async () => {
    const server = await serve((socket) => void socket.end(respond('ok')))
    const client = open()
    for (let count = 1; count <= 3; count++) {
      expect(textOf(await client.send(spec(`${server.url}/`, { method: 'POST' })))).toBe('ok')
      expect(server.requests.length).toBe(count)
      // Until the client sees the connection close, it may still send a request on it.
      await expect.poll(() => server.open.size).toBe(0)
    }
  })

  test.each(['POST', 'GET'])('that end right after an answer carry no further %s', async (method) => {
    const server = await serve((socket) => void socket.end(respond('ok')))
    const client = open()
    for (let count = 1; count <= 10; count++) {
      const exchange = await client.send(spec(`${server.url}/`, { method }))
      expect(textOf(exchange)).toBe('ok')
      expect(exchange.warnings).toBeUndefined()
      expect(server.requests.length).toBe(count)
    }
  })

  describe('that die after a request was sent on them', () => {
    async function sendTwice(method: string, bytes = ''): Promise<{ server: RawServer; exchange: Exchange }> {
      const server = await serve((socket, _request, index) => {
        if (index === 1) socket.end(bytes, 'latin1')
        else socket.write(respond(String(index), 'HTTP/1.1 200 OK\r\nconnection: keep-alive'))
      })
      const client = open()
      await client.send(spec(`${server.url}/`))
      return {
        exchange: await client.send(spec(`${server.url}/`, { method, body: Buffer.from('x') })),
        server,
      }
    }

    test.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])(
      'have %s sent once more on a new one, and the result says so',
      async (method) => {
        const { server, exchange } = await sendTwice(method)
        expect(exchange.response?.statusCode).toBe(200)
        expect(exchange.warnings).toEqual([
          `${method} ${server.url}/ was sent twice: the server closed the kept-alive connection before it answered, so the request went out again on a new one`,
        ])
        expect(server.requests.length).toBe(3)
        expect(server.requests[2]).toBe(server.requests[1])
        expect(server.connections).toBe(2)
      },
    )

    test('because the server has gone are not said to have carried a request twice', async () => {
      const server = await serve((socket, _request, index) => {
        if (index === 1) void server.close()
        else socket.write(respond('ok', 'HTTP/1.1 200 OK\r\nconnection: keep-alive'))
      })
      const client = open()
      await client.send(spec(`${server.url}/`))
      const exchange = await client.send(spec(`${server.url}/`))
      expect(exchange.failure?.code).toBe('ECONNREFUSED')
      expect(exchange.warnings).toBeUndefined()
    })

    test.each([
      ['POST', ''],
      ['PATCH', ''],
      ['GET', 'HTTP/1.1 2'],
    ])('fail %s after %j of an answer, and it is not sent again', async (method, bytes) => {
      const { server, exchange } = await sendTwice(method, bytes)
      expect(exchange.failure?.phase).toBe('head')
      expect(exchange.failure?.message).toContain(
        'The request may have been processed; only a `retry` without `on` sends it again',
      )
      expect(server.requests.length).toBe(2)
    })
  })

  test('that are new and die fail any request at once', async () => {
    const server = await serve((socket) => void socket.destroy())
    expect((await open().send(spec(`${server.url}/`))).failure?.code).toBe('CONNECTION_CLOSED')
    expect(server.requests.length).toBe(1)
  })

  test.each([
    ['announced to keep for 0 s', '\r\nkeep-alive: timeout=0', 'POST', 10, 2],
    ['idle for more than a second', '', 'POST', 1100, 2],
    ['idle for more than a second, for a GET', '', 'GET', 1100, 1],
  ])('%s', async (...[, line, method, idle, connections]) => {
    const head = `HTTP/1.1 200 OK\r\nconnection: keep-alive${line}`
    const server = await serve((socket) => void socket.write(respond('ok', head)))
    const client = open()
    await client.send(spec(`${server.url}/`))
    await new Promise((resolve) => setTimeout(resolve, idle))
    await client.send(spec(`${server.url}/`, { method }))
    expect(server.connections).toBe(connections)
  })

  test('whose server answers before it has read the request are not used again', async () => {
    const server = await serve(() => {}, {
      onConnect: (socket) => {
        socket.pause()
        socket.write(respond('too much', 'HTTP/1.1 413 Content Too Large'))
      },
    })
    const client = open()
    const { response } = await client.send(
      spec(`${server.url}/`, { method: 'POST', body: Buffer.alloc(30_000_000) }),
    )
    expect(response?.statusCode).toBe(413)
    await client.send(spec(`${server.url}/`))
    expect(server.connections).toBe(2)
  })

  test.each(['http', 'https'])(
    'whose server answers and closes before it has read the request over %s give the answer',
    async (scheme) => {
      // In a thread of its own, the server can close while the client is still sending.
      const worker = new Worker(
        `const { parentPort, workerData: { scheme, certificate } } = require('node:worker_threads')
      const server = require('node:' + scheme).createServer(certificate, (_, response) =>
        response.writeHead(413, { connection: 'close' }).end('too much'))
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`,
        { eval: true, workerData: { scheme, certificate } },
      )
      const [port] = (await once(worker, 'message')) as [number]
      const body = Buffer.alloc(8_000_000)
      for (let count = 1; count <= 20; count++) {
        const connection = { insecure: true }
        const exchange = await sendRequest(
          spec(`${scheme}://127.0.0.1:${port}/`, { method: 'POST', body, connection }),
        )
        expect(exchange.failure).toBeUndefined()
        expect(exchange.response?.statusCode).toBe(413)
      }
      await worker.terminate()
    },
  )

  test('200 requests leave none open', async () => {
    const server = await serve(
      (socket, _request, index) =>
        void socket.write(
          respond(
            'ok',
            `HTTP/1.1 200 OK${index % 2 ? '\r\nconnection: close' : '\r\nconnection: keep-alive'}`,
          ),
        ),
    )
    const client = createClient()
    for (let count = 0; count < 200; count++) textOf(await client.send(spec(`${server.url}/`)))
    expect(server.open.size).toBeLessThanOrEqual(1)
    await client.close()
    await expect.poll(() => server.open.size).toBe(0)
    expect(server.requests.length).toBe(200)
  })
})

test('the time of an answer ends with its last byte, although another suite has its turn first', async () => {
  const waiting: Parameters<Answer>[0][] = []
  const { url } = await serve((socket) => {
    waiting.push(socket)
    if (waiting.length === 2) for (const each of waiting) each.write(respond('answer'))
  })
  const client = open()
  let blocked = 0
  const options = { readBlocked: () => blocked }

  const block = async (): Promise<void> => {
    await client.send(spec(url), options)
    const since = performance.now()
    while (performance.now() - since < 1000);
    blocked = 1000
  }
  const [, { timings }] = await Promise.all([block(), client.send(spec(url), options)])

  expect(timings.total).toBeLessThan(900)
  expect(timings).not.toHaveProperty('blocked')
})

describe('what was sent', () => {
  test('is handed back line for line', async () => {
    const server = await serve((socket) => void socket.write(respond('ok')))
    const headers: [string, string][] = [
      ['X-One', '1'],
      ['x-TWO', 'a'],
      ['x-TWO', 'b'],
      ['__proto__', 'p'],
      ['Host', 'other.test'],
    ]
    const { request } = await sendRequest(
      spec(`${server.url}/p?q=1`, { method: 'PUT', headers, body: Buffer.from('body') }),
    )
    const lines = request.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    expect(`PUT /p?q=1 HTTP/1.1\r\n${lines}\r\nbody`).toBe(server.requests[0])
    expect(lines).toContain('host: other.test\r\n')
    expect(request.body).toEqual(Buffer.from('body'))
  })

  test('holds a content-length of 0 where a body is usual', async () => {
    const server = await serve((socket) => void socket.write(respond('ok')))
    const post = await sendRequest(spec(`${server.url}/`, { method: 'POST' }))
    expect(post.request.headers).toContainEqual(['content-length', '0'])
    const get = await sendRequest(spec(`${server.url}/`))
    expect(get.request.headers.map(([name]) => name)).toEqual(['host', 'connection'])
  })
})

describe('the body of a request', () => {
  test('is sent whole, also when it is large and the server slow', { timeout: 30_000 }, async () => {
    const server = await serve((socket, request) => void socket.write(respond(String(request.length))), {
      onConnect: (socket) => {
        socket.pause()
        setTimeout(() => socket.resume(), 50)
      },
    })
    const body = gzipSync(Buffer.alloc(5_000_000, 'abc'), { level: 0 })
    const exchange = await sendRequest(spec(`${server.url}/`, { method: 'POST', body }))
    expect(Number(textOf(exchange))).toBeGreaterThan(body.byteLength)
  })
})

test('a host none of whose addresses can be reached is told by the first of them, without the query', () => {
  const why = 'connect EHOSTUNREACH ::1:80'
  const error = Object.assign(new AggregateError([new Error(why)]), { code: 'EHOSTUNREACH' })
  const { message } = describeFailure({
    phase: 'connect',
    error,
    request: { method: 'GET', url: 'http://h/a?pin=12' },
    elapsed: 1,
  })
  expect(message).toBe(`GET http://h/a?… failed while connecting after 1 ms: ${why} (EHOSTUNREACH)`)
})

test('a certificate that has expired is not told to lack an issuer that is trusted', () => {
  const error = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' })
  const request = { method: 'GET', url: 'https://h/a' }
  expect(describeFailure({ phase: 'tls', error, request, elapsed: 1 }).common).toBe(
    'https://h: the certificate has expired (CERT_HAS_EXPIRED). Renew it, or turn verification off with `insecure`',
  )
})
