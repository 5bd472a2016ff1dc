import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../create-client.ts'
import type { RequestSpec } from '../exchange.ts'
import { startHttpServer } from '../fixtures/http-server.ts'
import type { HttpServer } from '../fixtures/http-server.ts'
import { startRawServer } from '../fixtures/raw-server.ts'

const client = createClient()
let server: HttpServer

beforeAll(async () => {
  server = await startHttpServer((_request, response) => void response.end('ok'), { tls: true })
})
afterAll(async () => {
  await client.close()
  await server.close()
})

function spec(url: string): RequestSpec {
  return { method: 'GET', url, headers: [], timeout: 3000, maxRedirects: 0 }
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
  const first = await client.send(spec(url), { insecure: true })
  expect(first.response?.statusCode).toBe(200)
  expect(Object.keys(first.timings).toSorted()).toEqual([
    'connect',
    'dns',
    'download',
    'tls',
    'total',
    'ttfb',
  ])
  const second = await client.send(spec(url), { insecure: true })
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

test('a handshake that is cut is a failure', async () => {
  const raw = await startRawServer(() => {}, {
    onConnect: (socket) => void socket.once('data', () => socket.destroy()),
  })
  const { failure } = await client.send(spec(`https://127.0.0.1:${raw.port}/`))
  await raw.close()
  expect(failure).toMatchObject({ phase: 'tls', code: 'ECONNRESET' })
})

test('a TLS server asked in plain text is a failure, not a hang', async () => {
  const { failure, response } = await client.send(spec(`http://127.0.0.1:${server.port}/`))
  expect(failure ?? response?.statusCode).toBeDefined()
  expect(failure?.phase).toBe('head')
})
