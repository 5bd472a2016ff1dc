import { execFile } from 'node:child_process'
import { constants, createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../send-request.ts'
import type { ConnectionSettings, Exchange, RequestSpec, TlsSettings } from '../exchange.ts'
import { certificate, lockedKey, pkcs12 } from '../fixtures/certificate.ts'
import { startHttpServer, type HttpServer } from '../fixtures/http-server.ts'
import { startRawServer } from '../fixtures/raw-server.ts'
import { renderCurl, renderRawRequest } from '../render/render-request.ts'

const client = createClient()
let server: HttpServer

beforeAll(async () => {
  server = await startHttpServer((_request, response) => void response.end('ok'), { tls: true })
})
afterAll(async () => {
  await client.close()
  await server.close()
})

function spec(url: string, connection?: ConnectionSettings): RequestSpec {
  return { method: 'GET', url, headers: [], timeout: 3000, maxRedirects: 0, connection }
}

test('a certificate nobody trusts is a failure with its reason and the way out', async () => {
  const { failure, response } = await client.send(spec(`https://localhost:${server.port}/`))
  expect(failure).toMatchObject({ phase: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  expect(failure?.message).toContain('in the TLS handshake')
  expect(failure?.message).toContain('the certificate is not accepted: self-signed certificate')
  expect(failure?.message).toContain('turn verification off with `insecure`')
  expect(response).toBeUndefined()
})

test('insecure takes it, times the handshake, and does not lend its connections to others', async () => {
  const url = `https://localhost:${server.port}/`
  const first = await client.send(spec(url, { insecure: true }))
  expect(first.response?.statusCode).toBe(200)
  expect(first.connection).toEqual({ insecure: true })
  expect(Object.keys(first.timings).toSorted()).toEqual([
    'connect',
    'dns',
    'download',
    'tls',
    'total',
    'ttfb',
  ])
  const second = await client.send(spec(url, { insecure: true }))
  expect(second.timings).not.toHaveProperty('tls')
  expect((await client.send(spec(url))).failure?.phase).toBe('tls')
})

test('a server without TLS is asked whether http was meant', async () => {
  const plain = await startHttpServer((_request, response) => void response.end())
  const { failure } = await client.send(spec(plain.url.replace('http', 'https')))
  await plain.close()
  expect(failure?.phase).toBe('tls')
  expect(failure?.message).toContain('does not speak TLS on this port')
})

test('only a handshake that was not verified is noted', async () => {
  const plain = await startHttpServer((_request, response) => void response.end('ok'))
  const open = await client.send(spec(`${plain.url}/`, { insecure: true }))
  await plain.close()
  const ca = Buffer.from(certificate.cert)
  const verified = await client.send(spec(`https://localhost:${server.port}/`, { tls: { ca } }))
  expect([open, verified].map(({ response, connection }) => [response?.statusCode, connection])).toEqual([
    [200, undefined],
    [200, undefined],
  ])
})

test('a handshake that is cut is a failure', async () => {
  const raw = await startRawServer(() => {}, {
    onConnect: (socket) => void socket.once('data', () => socket.destroy()),
  })
  const { failure } = await client.send(spec(`https://127.0.0.1:${raw.port}/`))
  await raw.close()
  expect(failure).toMatchObject({ phase: 'tls', code: 'ECONNRESET' })
})

test('an alert is told by its reason alone', async () => {
  const alert = Buffer.from('15030300020246', 'hex')
  const raw = await startRawServer(() => {}, {
    onConnect: (socket) => void socket.once('data', () => socket.write(alert)),
  })
  const { failure } = await client.send(spec(`https://127.0.0.1:${raw.port}/`))
  await raw.close()
  expect(failure?.message).toMatch(
    /in the TLS handshake after \d+ ms: tlsv1 alert protocol version \(ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION\)$/,
  )
})

test('a TLS server asked in plain text is a failure, not a hang', async () => {
  const { failure } = await client.send(spec(`http://127.0.0.1:${server.port}/`))
  expect(failure?.phase).toBe('head')
})

describe('with `tls`', () => {
  const ca = Buffer.from(certificate.cert)
  const identity = { cert: ca, key: Buffer.from(certificate.key), ca }
  let mutual: HttpServer

  beforeAll(async () => {
    mutual = await startHttpServer(
      (request, response) =>
        void response.end((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody'),
      { tls: { requestCert: true, rejectUnauthorized: true, ca: certificate.cert } },
    )
  })
  afterAll(() => mutual.close())

  function sendMutual(tls: TlsSettings | undefined, host = 'localhost'): Promise<Exchange> {
    return client.send(spec(`https://${host}:${mutual.port}/`, tls && { tls }))
  }

  test('a server that asks for a client certificate gets it, and one is trusted through `ca`', async () => {
    const exchange = await sendMutual(identity)
    expect(Buffer.from(exchange.response?.body ?? []).toString()).toBe('localhost')
    expect(
      (await sendMutual({ ...identity, key: Buffer.from(lockedKey), passphrase: 'open' })).failure,
    ).toBeUndefined()
    expect((await sendMutual({ ca, pfx: pkcs12, passphrase: 'open' })).failure).toBeUndefined()
  })

  test('without one the server refuses, and a connection of another identity is not lent', async () => {
    await sendMutual(identity)
    const { failure } = await sendMutual({ ca })
    expect(failure).toMatchObject({ phase: 'head', code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' })
    expect(failure?.message).toContain(
      'the server asks for a client certificate (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED). Provide one with `tls: { cert, key }`',
    )
    expect((await sendMutual({ ...identity, ca: undefined } as never)).failure?.phase).toBe('tls')
  })

  test('the server proves `server_name`', async () => {
    const { failure } = await sendMutual(identity, '127.0.0.1')
    expect(failure?.code).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(failure?.message).toContain('expect another name with `tls: { server_name }`')
    expect((await sendMutual({ ...identity, serverName: 'localhost' }, '127.0.0.1')).failure).toBeUndefined()
    expect((await sendMutual({ ...identity, serverName: 'other.test' })).failure?.phase).toBe('tls')
  })

  test('a key that cannot be read is a failure', async () => {
    const { failure } = await sendMutual({ ...identity, key: Buffer.from(lockedKey), passphrase: 'wrong' })
    expect(failure).toMatchObject({ phase: 'tls', code: 'ERR_OSSL_BAD_DECRYPT' })
  })

  test('the certificate is not shown to another origin on a redirect', async () => {
    const away = await startHttpServer(
      (_request, response) =>
        void response.writeHead(302, { location: `https://localhost:${mutual.port}/` }).end(),
      { tls: true },
    )
    const exchange = await client.send({
      ...spec(`https://localhost:${away.port}/`, { tls: identity }),
      maxRedirects: 1,
    })
    await away.close()
    expect(exchange.redirects).toHaveLength(1)
    expect(exchange.failure?.code).toMatch(/CERTIFICATE_REQUIRED|ECONNRESET|CONNECTION_CLOSED/)
  })
})

describe('with `http2`', () => {
  test('requests are sent and answered over HTTP/2', async () => {
    const seen: string[] = []
    const h2 = createSecureServer(certificate)
    h2.on('stream', (stream, headers) => {
      let body = ''
      stream.on('data', (chunk: Buffer) => (body += chunk.toString()))
      stream.on('end', () => {
        seen.push(`${headers[':method']} ${headers[':path']} ${String(headers['x-a'])} ${body}`)
        stream.respond({ ':status': 201, 'x-b': 'c', 'set-cookie': ['a=1', 'b=2'] })
        stream.end('answer')
      })
    })
    await new Promise<void>((resolve) => h2.listen(0, '127.0.0.1', resolve))
    const { port } = h2.address() as AddressInfo
    const post: RequestSpec = {
      ...spec(`https://localhost:${port}/x?a=1`, { http2: true, insecure: true }),
      method: 'POST',
      headers: [['X-A', '1']],
      body: Buffer.from('payload'),
    }
    for (let count = 1; count <= 2; count++) {
      const exchange = await client.send(post)
      expect(exchange.failure).toBeUndefined()
      expect(exchange.response).toMatchObject({ statusCode: 201, httpVersion: '2.0', transferBytes: 6 })
      expect(exchange.response?.headers).toEqual(
        expect.arrayContaining([
          ['x-b', 'c'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ]),
      )
      expect(Buffer.from(exchange.response?.body ?? []).toString()).toBe('answer')
      expect(exchange.timings).toMatchObject({ ttfb: expect.any(Number), download: expect.any(Number) })
      expect('tls' in exchange.timings).toBe(count === 1)
      const { request, connection } = exchange
      expect(renderRawRequest(request, '', connection)).toMatch(/^POST \/x\?a=1 HTTP\/2\.0\r\n/)
      const { stdout } = await promisify(execFile)('sh', ['-c', renderCurl(request, { connection })])
      expect(stdout).toBe('answer')
    }
    h2.close()
    expect(seen).toEqual(Array(4).fill('POST /x?a=1 1 payload'))
  })

  test('what it cannot carry is refused, and bodies go with all methods', async () => {
    const h2 = createSecureServer(certificate)
    h2.on('stream', (stream, { ':method': method, te }) => {
      let body = ''
      stream.on('data', (chunk: Buffer) => (body += chunk.toString()))
      stream.on('end', () => stream.end(`${method} ${String(te)} ${body}`))
    })
    await new Promise<void>((resolve) => h2.listen(0, '127.0.0.1', resolve))
    const { port } = h2.address() as AddressInfo
    const request = spec(`https://localhost:${port}/`, { http2: true, insecure: true })
    const body = Buffer.from('payload')
    const sendLines = (...headers: [string, string][]) => client.send({ ...request, headers })
    for (const method of ['GET', 'DELETE', 'QUERY', 'OPTIONS', 'PURGE']) {
      const { response } = await client.send({ ...request, method, body })
      expect(Buffer.from(response?.body ?? []).toString()).toBe(`${method} undefined payload`)
    }
    for (const name of ['te', 'proxy-connection']) {
      const { failure } = await sendLines([name, 'gzip'])
      expect(failure?.message).toContain(`HTTP/1 Connection specific headers are forbidden: "${name}"`)
    }
    const { response } = await sendLines(['te', 'trailers'])
    expect(Buffer.from(response?.body ?? []).toString()).toBe('GET trailers ')
    h2.close()
  })

  test('a body that its server cancels is a failure', async () => {
    const h2 = createSecureServer(certificate)
    h2.on('stream', (stream) => {
      stream.respond({ ':status': 200, 'content-length': '500000' })
      stream.write(Buffer.alloc(400_000))
      stream.close(constants.NGHTTP2_CANCEL)
    })
    await new Promise<void>((resolve) => h2.listen(0, '127.0.0.1', resolve))
    const { port } = h2.address() as AddressInfo
    const { failure, response } = await client.send(
      spec(`https://localhost:${port}/`, {
        http2: true,
        insecure: true,
      }),
    )
    expect(failure?.message).toContain('before the body was complete')
    expect(response?.body).toHaveLength(0)
    await new Promise((done) => h2.close(done))
  })

  test('a request that a closing server (GOAWAY) has taken is answered; one that it refused goes out again', async () => {
    const h2 = createSecureServer(certificate)
    const paths: string[] = []
    h2.on('stream', (stream, { ':path': path }) => {
      stream.on('error', () => {})
      const isAgain = paths.push(String(path)) > 2
      const [session, id] = [stream.session, stream.id ?? 0]
      if (path === '/taken') session?.goaway(constants.NGHTTP2_NO_ERROR, id)
      if (path === '/calm') session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, id)
      if (path === '/ended' || path === '/calm') session?.destroy()
      else if (path === '/refused' && !isAgain) session?.goaway(constants.NGHTTP2_NO_ERROR, id - 2)
      else stream.respond({ ':status': 204 }, { endStream: true })
    })
    await new Promise<void>((resolve) => h2.listen(0, '127.0.0.1', resolve))
    const { port } = h2.address() as AddressInfo
    const at = (path: string, method: string): RequestSpec => ({
      ...spec(`https://localhost:${port}${path}`, { http2: true, insecure: true }),
      method,
    })
    const closed = 'the server closed the connection without a response (CONNECTION_CLOSED)'
    for (const [path, method, times, result] of [
      ['/taken', 'GET', 1, '/taken 204'],
      ['/taken', 'POST', 1, '/taken 204'],
      ['/refused', 'GET', 2, '/refused 204'],
      ['/refused', 'POST', 2, '/refused 204'],
      ['/calm', 'POST', 1, closed],
      ['/ended', 'GET', 2, closed],
      ['/ended', 'POST', 1, closed],
    ] as const) {
      paths.length = 0
      await client.send(at('/first', 'GET'))
      const { failure, response, warnings = [] } = await client.send(at(path, method))
      expect(`${path} ${response?.statusCode ?? failure?.message}`).toContain(result)
      expect([path, ...paths]).toEqual([path, '/first', ...Array<string>(times).fill(path)])
      expect(warnings.length).toBe(path === '/ended' ? times - 1 : 0)
    }
    h2.close()
  })

  test('the last response of a connection is read to its end, as nginx closes it', async () => {
    const frame = ([type, flags, stream]: [number, number, number], ...payload: number[]): Buffer =>
      Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, stream, ...payload])
    const settings = frame([4, 0, 0])
    const head = frame([1, 4, 1], 0x88) // `:status: 200`
    const body = (flags: number): Buffer => frame([0, flags, 1], ...Buffer.from('answer'))
    const goaway = frame([7, 0, 0], 0, 0, 0, 1, 0, 0, 0, 0)
    let parts = 0
    const closing = createServer({ ...certificate, ALPNProtocols: ['h2'] }, (socket) => {
      socket.on('error', () => {}).write(settings)
      // The path of the request is compressed. The header's value is not, since `!` would take 10 bits.
      let received = Buffer.alloc(0)
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        if (received.includes('!last!')) socket.end(Buffer.concat([head, body(1), goaway]))
        if (!received.includes('!part!')) return
        parts += 1
        socket.end(Buffer.concat([head, body(0)]))
      })
    })
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve))
    const { port } = closing.address() as AddressInfo
    const ask = (value: string): Promise<Exchange> =>
      client.send({
        ...spec(`https://localhost:${port}/`, { http2: true, insecure: true }),
        headers: [['x-a', value]],
      })
    for (let count = 1; count <= 20; count++) {
      const { response, failure } = await ask('!last!!!!')
      expect(failure).toBeUndefined()
      expect(Buffer.from(response?.body ?? []).toString()).toBe('answer')
    }
    const { response, failure } = await ask('!part!!!!')
    expect(failure?.message).toContain('the connection was closed before the body was complete')
    expect(response?.body).toHaveLength(0)
    expect(parts).toBe(1)
    closing.close()
  })

  test('a server may refuse a large body before it has all of it', async () => {
    const h2 = createSecureServer(certificate)
    const lengths: unknown[] = []
    h2.on('stream', (stream, headers) => {
      lengths.push(headers['content-length'])
      stream.on('error', () => {})
      stream.respond({ ':status': 413 })
      stream.end('too large')
    })
    await new Promise<void>((resolve) => h2.listen(0, '127.0.0.1', resolve))
    const { port } = h2.address() as AddressInfo
    const { response, failure } = await client.send({
      ...spec(`https://localhost:${port}/`, { http2: true, insecure: true }),
      method: 'POST',
      body: Buffer.alloc(12_000_000),
    })
    expect(failure).toBeUndefined()
    expect(`${response?.statusCode} ${Buffer.from(response?.body ?? []).toString()}`).toBe('413 too large')
    expect(lengths).toEqual(['12000000'])
    h2.close()
  })

  test('a server that does not speak it is a failure, and so is a url without TLS', async () => {
    const refused = await client.send(
      spec(`https://localhost:${server.port}/`, {
        http2: true,
        insecure: true,
      }),
    )
    expect(refused.failure).toMatchObject({ phase: 'tls' })
    expect(refused.failure?.message).toContain(
      'the server does not speak the version of HTTP that it was offered',
    )
    const plain = await client.send(spec('http://localhost:1/', { http2: true }))
    expect(plain.failure?.message).toContain('HTTP/2 needs TLS: use an https URL, or leave out `http2`')
  })
})
