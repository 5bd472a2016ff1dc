import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect } from './fixture.ts'
import { readBody } from './request/body.ts'
import { startServer } from './start-server.ts'
import { test } from './fixtures/echo-port.ts'
import { exchangeBytes, parseAnswer } from './fixtures/raw-client.ts'

const HOST = 'Host: echo.test\r\n'
const CLOSE = `${HOST}Connection: close\r\n`
const SMUGGLED = `GET /get?smuggled HTTP/1.1\r\n${CLOSE}\r\n`

/** The status lines and bodies of the responses. */
async function statuses(port: number, bytes: string): Promise<number[]> {
  const text = String(await exchangeBytes(port, Buffer.from(bytes, 'latin1'), { idle: 2000 }))
  expect(text).not.toContain('smuggled')
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
}

describe('bytes that are no request', () => {
  const POST = `POST /post HTTP/1.1\r\n${HOST}`
  const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n`
  const UPGRADE = `GET /websocket/echo HTTP/1.1\r\n${HOST}Connection: upgrade\r\nUpgrade: websocket\r\n`
  test.for<[what: string, bytes: string, status: number]>([
    ['a TLS handshake', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 400],
    ['HTTP/0.9', 'GET /\r\n\r\n', 400],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an unknown version', `GET /get HTTP/3.7\r\n${HOST}\r\n`, 400],
    ['bare line feeds', `GET /get HTTP/1.1\nHost: a\n\n`, 400],
    ['a space before a colon', `GET /get HTTP/1.1\r\n${HOST}X : a\r\n\r\n`, 400],
    ['a folded header', `GET /get HTTP/1.1\r\n${HOST}X: a\r\n b\r\n\r\n`, 400],
    ['NUL in a header', `GET /get HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`, 400],
    ['a space in the target', `GET /get?a b HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['no Host', 'GET /get HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', `GET /get HTTP/1.1\r\n${HOST}${HOST}\r\n${SMUGGLED}`, 400],
    ['both lengths', `${CHUNKED}Content-Length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`, 400],
    ['two lengths', `${POST}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc${SMUGGLED}`, 400],
    ['a list of lengths', `${POST}Content-Length: 3, 3\r\n\r\nabc${SMUGGLED}`, 400],
    ['a signed length', `${POST}Content-Length: +3\r\n\r\nabc${SMUGGLED}`, 400],
    ['an endless length', `${POST}Content-Length: 99999999999999999999999\r\n\r\nabc`, 400],
    ['an unknown transfer coding', `${POST}Transfer-Encoding: identity\r\n\r\nabc${SMUGGLED}`, 400],
    ['chunked that is not last', `${CHUNKED}Transfer-Encoding: identity\r\n\r\n0\r\n\r\n${SMUGGLED}`, 400],
    ['a bad chunk size', `${CHUNKED}\r\nzz\r\nabc\r\n0\r\n\r\n${SMUGGLED}`, 400],
    ['a chunk longer than its size', `${CHUNKED}\r\n3\r\nabcXX\r\n0\r\n\r\n${SMUGGLED}`, 400],
    ['an endless chunk size', `${CHUNKED}\r\nffffffffffffffffff\r\nabc${SMUGGLED}`, 400],
    ['a header of 17 KB', `GET /get HTTP/1.1\r\n${HOST}X: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
    ['a target of 17 KB', `GET /get?${'a'.repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`, 431],
    ['trailers for HTTP/1.0', 'GET /trailers?X-A=1 HTTP/1.0\r\n\r\n', 400],
    ['CONNECT', `CONNECT echo.test:80 HTTP/1.1\r\n${HOST}\r\n${SMUGGLED}`, 405],
    ['an unknown method', `BREW /get HTTP/1.1\r\n${HOST}\r\n${SMUGGLED}`, 400],
    ['a broken WebSocket handshake', `${UPGRADE}\r\n`, 400],
  ])('%s', async ([, bytes, status], { port }) => {
    expect(await statuses(port, bytes)).toEqual([status])
    expect(await statuses(port, `GET /get HTTP/1.1\r\n${CLOSE}\r\n`)).toEqual([200])
  })

  test.for([
    ['nonsense\r\n\r\n', 'not an HTTP/1.1 request'],
    [`${UPGRADE}\r\n`, 'not a WebSocket handshake: Missing or invalid Sec-WebSocket-Key header'],
  ] as const)(
    'are refused with a JSON error, CORS headers and the end of the connection',
    async ([bytes, reason], { port }) => {
      const answer = parseAnswer(await exchangeBytes(port, bytes))
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        connection: 'close',
        'content-length': String(answer.body.length),
        'content-type': 'application/json',
        server: 'suitecase',
      })
      expect(JSON.parse(answer.body)).toEqual({ error: expect.stringContaining(reason) })
    },
  )

  test('are told apart from a request that only lacks its end', async ({ port }) => {
    const socket = connect(port, '127.0.0.1').end(
      `POST /post HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\nabc`,
    )
    expect(await text(socket)).toContain('"error": "the connection ended before the request did"')
  })

  test('end the connection without an answer of their own while others are owed', async ({ port }) => {
    const pipelined = `GET /delay/0.2 HTTP/1.1\r\n${HOST}\r\nGET /get HTTP/1.1\r\n${HOST}\r\nnonsense\r\n\r\n`
    expect(await statuses(port, pipelined)).toEqual([])
  })

  test('a WebSocket handshake before earlier answers is not accepted', async ({ port }) => {
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
    const handshake = `GET /websocket/echo HTTP/1.1\r\n${HOST}Connection: upgrade\r\nUpgrade: websocket\r\n${key}\r\n`
    const answers = await statuses(port, `GET /delay/0.1 HTTP/1.1\r\n${HOST}\r\n${handshake}`)
    expect(answers).toEqual([200, 426])
  })

  test('after a bad chunk have no answer of their own, even where the body does not matter', async ({
    port,
  }) => {
    const bytes = `POST /status/201 HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n3\r\nabcXX\r\n0\r\n\r\n${SMUGGLED}`
    expect(await statuses(port, bytes)).toEqual([400])
  })
})

describe('limits', () => {
  test('a body announced as too large is refused at once', async ({ port }) => {
    const bytes = `POST /post HTTP/1.1\r\n${HOST}Content-Length: 10485761\r\n\r\nabc`
    expect(await statuses(port, bytes)).toEqual([413])
  })

  test('a client that is still sending a body gets to know why it is refused', async ({ echo }) => {
    for (const size of [11_000_000, 30_000_000]) {
      const answer = await fetch(`${echo.url}/post`, { method: 'POST', body: new Uint8Array(size) })
      expect([answer.status, await answer.json()]).toEqual([
        413,
        { error: 'the body is larger than 10485760 bytes' },
      ])
    }
  })

  test('100 Continue is sent where the body may come', async ({ port }) => {
    const bytes = `POST /post HTTP/1.1\r\n${CLOSE}Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc`
    expect(await statuses(port, bytes)).toEqual([100, 200])
  })

  test('a chunked body is refused when it grows too large', async () => {
    await using server = await startServer({ maxBody: 100 })
    const chunk = `40\r\n${'a'.repeat(64)}\r\n`
    const bytes = `POST /post HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(2)}0\r\n\r\n${SMUGGLED}`
    const [first, ...more] = await statuses(server.port, bytes)
    expect([first, more]).toEqual([413, []])
  })

  test('all bodies that are being read are limited together, until they are gone', async () => {
    const unfinished = { bytes: 0, most: 150 }
    const messages = [1, 2].map(() =>
      Object.assign(new Readable({ read() {} }), { headers: { 'transfer-encoding': 'chunked' } }),
    )
    const bodies = messages.map((message) => readBody(message as never, 1000, unfinished))
    for (const message of messages) message.push(Buffer.alloc(100))
    await expect(bodies[1]).rejects.toMatchObject({ status: 503 })
    messages[0]?.push(null)
    expect(await bodies[0]).toHaveLength(100)
    messages[1]?.destroy()
    await expect.poll(() => unfinished.bytes).toBe(0)
  })

  test('a body of a hundred thousand tiny chunks is put together', async ({ port }) => {
    const chunks = '1\r\na\r\n'.repeat(100_000)
    const bytes = `POST /anything HTTP/1.1\r\n${CLOSE}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`
    const answer = parseAnswer(await exchangeBytes(port, bytes))
    expect(JSON.parse(answer.body)).toMatchObject({ data: 'a'.repeat(100_000) })
  })

  test('a form or a multipart body with too many parts is refused', async () => {
    await using server = await startServer({ maxParts: 2 })
    const send = async (type: string, body: string): Promise<number> =>
      (await fetch(`${server.url}/post`, { method: 'POST', headers: { 'content-type': type }, body })).status
    const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
    expect(await send('application/x-www-form-urlencoded', 'a&b')).toBe(200)
    expect(await send('application/x-www-form-urlencoded', 'a&b&c')).toBe(413)
    expect(await send('multipart/form-data; boundary=b', `${part.repeat(2)}--b--`)).toBe(200)
    expect(await send('multipart/form-data; boundary=b', `${part.repeat(3)}--b--`)).toBe(413)
  })

  test('a part with an endless head is refused', async ({ echo }) => {
    const body = `--b\r\nContent-Disposition: form-data${'\r\n '.repeat(3_000_000)}\r\n\r\n1\r\n--b--`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    expect((await fetch(`${echo.url}/post`, { method: 'POST', headers, body })).status).toBe(413)
  })

  test('JSON nested 100,000 deep is answered', async ({ echo }) => {
    const body = '['.repeat(100_000) + ']'.repeat(100_000)
    const answer = await fetch(`${echo.url}/post`, { method: 'POST', body })
    expect(await answer.json()).toMatchObject({ data: body, json: null })
  })

  test.for([
    ['every level indented', `${'['.repeat(900)}${'1,'.repeat(50_000)}1${']'.repeat(900)}`],
    ['millions of values', `[${'1,'.repeat(2_000_000)}1]`],
  ])('JSON that would be printed far larger is refused: %s', async ([, body], { echo }) => {
    const answer = await fetch(`${echo.url}/post`, { method: 'POST', body: body ?? '' })
    expect(answer.status).toBe(413)
  })

  test.for(['-1', 'abc', 'NaN', 'Infinity', '1e99', '10.001', '4294967297', '0x1', '1,5', ' 1', '%2B1'])(
    'a delay of %s is refused at once',
    async (seconds, { echo }) => {
      expect((await fetch(`${echo.url}/delay/${seconds}`)).status).toBe(400)
    },
  )

  test.for([
    '100',
    '199',
    '600',
    '999',
    '0',
    '-1',
    '2e2',
    'abc',
    '200:',
    '200:x',
    '200:0',
    '200,',
    '200:1:1',
    ',',
  ])('a status of %s is refused', async (codes, { echo }) => {
    expect((await fetch(`${echo.url}/status/${codes}`)).status).toBe(400)
  })
})

describe('clients that leave', () => {
  test('in the middle of a body, a delay or a stream, nothing is left behind', async () => {
    await using server = await startServer()
    const errors: unknown[] = []
    server.app.on('error', (error) => errors.push(error))
    for (const bytes of [
      `POST /post HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nabc`,
      `GET /delay/10 HTTP/1.1\r\n${HOST}\r\n`,
      `GET /drip?numbytes=100&duration=10 HTTP/1.1\r\n${HOST}\r\n`,
      `GET /sse?duration=10 HTTP/1.1\r\n${HOST}\r\n`,
      `GET /stream-bytes/102400?chunk_size=1 HTTP/1.1\r\n${HOST}\r\n`,
    ]) {
      await exchangeBytes(server.port, bytes, { idle: 50 })
    }
    expect((await fetch(`${server.url}/get`)).status).toBe(200)
    expect(errors).toEqual([])
  })

  test('with thousands of pipelined delays, the others are still served', async () => {
    await using server = await startServer()
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => socket.destroy())
    socket.write(`GET /delay/10 HTTP/1.1\r\n${HOST}\r\n`.repeat(3000))
    for (let round = 0; round < 5; round++) expect((await fetch(`${server.url}/get`)).status).toBe(200)
    socket.destroy()
  })
})
