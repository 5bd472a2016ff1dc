import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startServer, type EchoServer } from '../../../server/index.ts'
import type { Json } from '../../json.ts'
import { buildRequest } from '../build/build-request.ts'
import type { RequestInput } from '../build/request-input.ts'
import { createClient, type RequestClient } from '../send-request.ts'
import { createCookieJar, type CookieJar } from '../cookies.ts'
import type { Exchange } from '../exchange.ts'
import { certificate } from '../fixtures/certificate.ts'
import { startHttpServer, type HttpServer } from '../fixtures/http-server.ts'

let echo: EchoServer
let client: RequestClient
const servers: HttpServer[] = []
beforeAll(async () => void (echo = await startServer()))
afterAll(() => echo.close())
afterEach(async () => {
  await client.close()
  for (const server of servers.splice(0)) await server.close()
})

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Reply = { status?: number; headers?: Record<string, string>; body?: unknown }

/** Starts a server that records its requests and answers with `reply`. */
async function serve(reply: (seen: Seen, index: number) => Reply): Promise<HttpServer & { seen: Seen[] }> {
  const seen: Seen[] = []
  const server = await startHttpServer((request, response) => {
    let body = ''
    request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const index = seen.push({ method, url, headers, body }) - 1
      const {
        status = 200,
        headers: lines = {},
        body: answer = {},
      } = reply({ method, url, headers, body }, index)
      response.writeHead(status, { 'content-type': 'application/json', ...lines }).end(JSON.stringify(answer))
    })
  })
  servers.push(server)
  return { ...server, seen }
}

async function send(
  input: RequestInput,
  by: RequestClient = (client = createClient()),
  cookies?: CookieJar,
): Promise<Exchange> {
  const built = await buildRequest(input, {
    baseUrl: echo.url,
    defaultTimeout: 5000,
    readFile: () => Promise.reject(new Error('no files')),
  })
  if ('problem' in built) throw new Error(built.problem)
  return by.send(built.spec, { cookies })
}

function answerOf(exchange: Exchange): Record<string, Record<string, string>> {
  expect(exchange.failure).toBeUndefined()
  return JSON.parse(Buffer.from(exchange.response?.body ?? []).toString())
}

describe('none, basic and bearer', () => {
  test('are checked by the echo server', async () => {
    const url = '/basic-auth/us%C3%A9r/p%3Aw'
    const basic = { username: 'usér', password: 'p:w' }
    expect((await send({ url, auth: { basic } })).response?.statusCode).toBe(200)
    expect((await send({ url, auth: { basic: { ...basic, password: 'x' } } })).response?.statusCode).toBe(401)
    expect((await send({ url, auth: 'none' })).response?.statusCode).toBe(401)
    expect(answerOf(await send({ url: '/bearer', auth: { bearer: 'abc' } }))).toMatchObject({ token: 'abc' })
  })

  test('a bearer token comes without the word before it, and is not shown', async () => {
    await expect(send({ url: '/bearer', auth: { bearer: 'Bearer abc' } })).rejects.toThrow(
      'Expected `auth.bearer` to be the token alone, because `Bearer` is added in front of it, got `Bearer …` (string)',
    )
  })
})

test.each([
  [{ bearer: '' }, 'Expected `auth.bearer` to be a non-empty string, got `""` (string)'],
  [{ bearer: ' ' }, 'Expected `auth.bearer` to be a non-empty string'],
  [
    { oauth2: { token_url: 'http://a.test', client_id: 'a', client_secret: '' } },
    'Expected `auth.oauth2.client_secret` to be a non-empty string, or left out, got `""` (string)',
  ],
  [{ api_key: { name: 'k', value: '' } }, 'Expected `auth.api_key.value` to be a non-empty string'],
  [
    { aws: { region: 'r', service: 's', access_key_id: '', secret_access_key: 'k' } },
    'Expected `auth.aws.access_key_id` to be a non-empty string',
  ],
  [
    { aws: { region: 'r', service: 's', access_key_id: 'i', secret_access_key: '' } },
    'Expected `auth.aws.secret_access_key` to be a non-empty string',
  ],
  [
    { oauth2: { token_url: '/t', client_id: 'c', username: 'u', password: 'p' } },
    'Expected `auth.oauth2.username` to be left out for the grant client_credentials, got `…` (string)',
  ],
])('%j would not send what it says, and is refused', async (auth, message) => {
  await expect(send({ url: '/get', auth })).rejects.toThrow(message)
})

describe('api_key', () => {
  test('goes into a header, the query or a cookie', async () => {
    const key = { name: 'x-key', value: 'a b&c' }
    const { headers, args } = answerOf(await send({ url: '/get', auth: { api_key: key } }))
    expect([headers?.['X-Key'], args]).toEqual(['a b&c', {}])
    const query = await send({ url: '/get?a=1', auth: { api_key: { ...key, in: 'query' } } })
    expect(answerOf(query).args).toEqual({ a: '1', 'x-key': 'a b&c' })
    const kept = { in: 'query', name: 'k', value: 'v' }
    const target = '/redirect-to?url=%2Fget%3Fk%3Dv'
    expect(answerOf(await send({ url: target, auth: { api_key: kept } })).args).toEqual({ k: 'v' })
    const both = await send({ url: '/get?k=other', auth: { api_key: kept } })
    expect(answerOf(both).args).toEqual({ k: ['other', 'v'] })
    const cookie = { in: 'cookie', name: 'sid', value: 's-1' }
    const headersOf = { cookie: 'a=1' }
    expect(
      answerOf(await send({ url: '/cookies', headers: headersOf, auth: { api_key: cookie } })).cookies,
    ).toEqual({ a: '1', sid: 's-1' })
  })

  test.each([
    [{ in: 'header', name: 'a b', value: 'x' }, 'auth.api_key.name'],
    [{ in: 'cookie', name: 'a', value: 'x; b=1' }, 'auth.api_key.value'],
    [{ in: 'header', name: 'a', value: 'x\r\ny: 1' }, 'only printable Latin-1 characters'],
    [{ in: 'body', name: 'a', value: 'x' }, 'auth.api_key.in'],
    [{ name: 'a' }, '`auth.api_key.value` to be a string, got nothing'],
    [{ name: 'Content-Length', value: '1' }, 'The header `Content-Length` cannot be set'],
    [{ name: 'upgrade', value: 'h2c' }, 'The header `upgrade` cannot be set'],
  ])('%j is refused', async (key, message) => {
    await expect(send({ url: '/get?a=1', auth: { api_key: key } })).rejects.toThrow(message)
  })

  test('and an own header of its name are one too many', async () => {
    const auth = { api_key: { name: 'X-Key', value: 'a' } }
    await expect(send({ url: '/get', headers: { 'x-key': 'b' }, auth })).rejects.toThrow(
      'Expected either `auth` or a header `x-key`, got both',
    )
  })
})

describe('digest', () => {
  test.each(['MD5', 'SHA-256', 'SHA-512'])('answers a challenge of %s', async (name) => {
    const exchange = await send({
      url: `/digest-auth/auth/ann/pw/${name}?a=1`,
      auth: { digest: { username: 'ann', password: 'pw' } },
    })
    expect(answerOf(exchange)).toMatchObject({ authenticated: true, user: 'ann' })
    expect(exchange.authRequests).toEqual([
      { method: 'GET', url: exchange.request.url, status_code: 401, duration_ms: expect.any(Number) },
    ])
  })

  test('reads a long challenge in no time, and shows its beginning', async () => {
    const server = await serve(() => ({ status: 401, headers: { 'www-authenticate': 'a'.repeat(60_000) } }))
    const started = process.cpuUsage()
    const auth = { digest: { username: 'ann', password: 'pw' } }
    const { warnings } = await send({ url: server.url, auth })
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000)
    expect(warnings?.[0]).toMatch(/the 401 has `www-authenticate: a{499}…`, but no Digest challenge/)
  })

  test('with a wrong password is refused once', async () => {
    const exchange = await send({
      url: '/digest-auth/auth/ann/pw',
      auth: { digest: { username: 'ann', password: 'no' } },
    })
    expect(exchange.response?.statusCode).toBe(401)
    expect(exchange.authRequests).toHaveLength(1)
  })

  test.each([
    [{ 'www-authenticate': 'Basic realm="x"' }, '`www-authenticate: Basic realm="x"`'],
    [
      { 'www-authenticate': 'Digest nonce="n", algorithm=MD4' },
      '`www-authenticate: Digest nonce="n", algorithm=MD4`',
    ],
    [
      { 'www-authenticate': 'Digest nonce="n", qop="auth-int"' },
      '`www-authenticate: Digest nonce="n", qop="auth-int"`',
    ],
    [{}, 'no `www-authenticate`'],
  ])('says that a 401 with %j asks for something else', async (headers: Record<string, string>, found) => {
    const server = await serve(() => ({ status: 401, headers }))
    const exchange = await send({
      url: server.url,
      auth: { digest: { username: 'ann', password: 'pw' } },
    })
    expect(server.seen).toHaveLength(1)
    expect(exchange.warnings).toEqual([
      `The credentials of \`auth.digest\` were not sent: the 401 has ${found}, but no Digest challenge with \`qop\` auth and one of the algorithms SHA-512, SHA-256, MD5`,
    ])
  })

  test.each(['utf8', 'latin1'] as const)('sends a realm in %s back as it came', async (encoding) => {
    const realm = Buffer.from('Größe', encoding).toString('latin1')
    const challenge = `Digest realm="${realm}", nonce="n", qop="auth"`
    const server = await serve(() => ({ status: 401, headers: { 'www-authenticate': challenge } }))
    await send({ url: server.url, auth: { digest: { username: 'ü', password: 'ß' } } })
    const md5 = (...bytes: Buffer[]): Buffer =>
      Buffer.from(createHash('md5').update(Buffer.concat(bytes)).digest('hex'))
    const a1 = md5(Buffer.from('ü:'), Buffer.from(realm, 'latin1'), Buffer.from(':ß'))
    const sent = server.seen[1]?.headers.authorization ?? ''
    const proof = Buffer.from(`:n:00000001:${/cnonce="(\w+)"/.exec(sent)?.[1]}:auth:`)
    const response = md5(a1, proof, md5(Buffer.from('GET:/'))).toString()
    expect(sent).toContain(`realm="${realm}", nonce="n", uri="/", response="${response}"`)
  })

  test('goes along with the cookies of the challenge, in place of older ones', async () => {
    const server = await serve(({ headers }) =>
      headers.authorization
        ? {}
        : {
            status: 401,
            headers: { 'www-authenticate': 'Digest nonce="n", qop="auth"', 'set-cookie': 'id=new' },
          },
    )
    const cookies = createCookieJar()
    await cookies.store(server.url, ['id=old'])
    const auth = { digest: { username: 'ann', password: 'pw' } }
    await send({ url: server.url, auth, headers: { cookie: 'own=1' } }, undefined, cookies)
    expect(server.seen.map(({ headers }) => headers.cookie)).toEqual(['own=1; id=old', 'own=1; id=new'])
  })

  test('sends what is empty in the challenge back, too', async () => {
    const challenge = 'Digest realm="", nonce="n", opaque="", qop="auth"'
    const server = await serve(() => ({ status: 401, headers: { 'www-authenticate': challenge } }))
    await send({ url: server.url, auth: { digest: { username: 'ann', password: 'pw' } } })
    expect(server.seen[1]?.headers.authorization).toMatch(
      /^Digest username="ann", realm="", nonce="n", uri="\/", response="\w{32}", opaque="", cnonce="\w{32}", qop=auth, nc=00000001$/,
    )
  })

  test('takes the best hash of several challenges', async () => {
    const nonce = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v'
    const challenge = `Basic realm="x, Digest", Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="${nonce}", opaque="F\\"Q", Digest realm="http-auth@example.org", qop="auth", algorithm=SHA-256, nonce="${nonce}"`
    const server = await serve(({ headers }) =>
      headers.authorization ? {} : { status: 401, headers: { 'www-authenticate': challenge } },
    )
    const url = `${server.url}/dir/index.html`
    await send({ url, auth: { digest: { username: 'Müfasa', password: 'Circle of Life' } } })
    const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
    const a1 = sha('Müfasa:http-auth@example.org:Circle of Life')
    const sent = server.seen[1]?.headers.authorization ?? ''
    const cnonce = /cnonce="(\w+)"/.exec(sent)?.[1]
    const response = sha(`${a1}:${nonce}:00000001:${cnonce}:auth:${sha('GET:/dir/index.html')}`)
    expect(sent).toBe(
      `Digest username="MÃ¼fasa", realm="http-auth@example.org", nonce="${nonce}", uri="/dir/index.html", response="${response}", cnonce="${cnonce}", algorithm=SHA-256, qop=auth, nc=00000001`,
    )
  })
})

describe('oauth2', () => {
  const secret = 'p+w: ü'
  const settings = (server: HttpServer, rest: Record<string, Json> = {}) => ({
    oauth2: { token_url: `${server.url}/token`, client_id: 'ci', client_secret: secret, ...rest },
  })
  const grant = (rest: object = {}) => ({
    body: { access_token: 'T', token_type: 'Bearer', expires_in: 3600, ...rest },
  })

  test('fetches a token once for all requests of a run, also when many ask at once', async () => {
    const server = await serve(({ url }) => (url === '/token' ? grant() : {}))
    client = createClient()
    const auth = settings(server, { scope: 'read', audience: 'api' })
    const exchanges = await Promise.all(
      Array.from({ length: 3 }, () => send({ url: `${server.url}/x`, auth }, client)),
    )
    await send({ url: `${server.url}/y`, auth }, client)
    const [asked, ...others] = server.seen.filter(({ url }) => url === '/token')
    expect(others).toEqual([])
    expect(asked?.body).toBe('grant_type=client_credentials&scope=read&audience=api')
    expect(asked?.headers.authorization).toBe(`Basic ${btoa('ci:p%2Bw%3A+%C3%BC')}`)
    expect(
      server.seen.filter(({ url }) => url !== '/token').map(({ headers }) => headers.authorization),
    ).toEqual(Array(4).fill('Bearer T'))
    // Only the exchange that fetched the token reports the token request.
    expect(exchanges.flatMap(({ authRequests = [] }) => authRequests)).toEqual([
      { method: 'POST', url: `${server.url}/token`, status_code: 200, duration_ms: expect.any(Number) },
    ])
    await send({ url: `${server.url}/z`, auth: settings(server) }, client)
    expect(server.seen.filter(({ url }) => url === '/token')).toHaveLength(2)
  })

  test('what a token endpoint says at length is cut', async () => {
    const server = await serve(() => ({ status: 400, body: { error: 'no '.repeat(100_000) } }))
    const { failure } = await send({ url: `${server.url}/x`, auth: settings(server) })
    expect(failure?.message).toMatch(/answered with status 400 \(no no .*no…? \(OAUTH2_REFUSED\)\. Check/)
    expect(failure?.message.length).toBeLessThan(5000)
  })

  test('a request whose time is over before the token comes fails alone', async () => {
    const server = await startHttpServer((request, response) => {
      const answer = (): void => void response.end(JSON.stringify(grant().body))
      void setTimeout(request.url === '/token' ? 400 : 0).then(answer)
    })
    client = createClient()
    const request = { url: `${server.url}/x`, auth: settings(server) }
    const [hasty, ...patient] = await Promise.all([
      send({ ...request, timeout: 100 }, client),
      send(request, client),
      // This one comes when the token has already been requested.
      setTimeout(50).then(() => send(request, client)),
    ])
    await server.close()
    expect(hasty.failure).toMatchObject({ phase: 'auth', code: 'TIMEOUT' })
    expect(patient.map(({ response }) => response?.statusCode)).toEqual([200, 200])
    expect(patient.flatMap(({ authRequests = [] }) => authRequests)).toHaveLength(1)
  })

  test('a refusal holds for all requests that wait for the token', async () => {
    const server = await serve(({ url }) => (url === '/token' ? { status: 401 } : {}))
    client = createClient()
    const request = { url: `${server.url}/x`, auth: settings(server) }
    const exchanges = await Promise.all(Array.from({ length: 20 }, () => send(request, client)))
    expect(exchanges.map(({ failure }) => failure?.code)).toEqual(Array(20).fill('OAUTH2_REFUSED'))
    expect(server.seen).toHaveLength(1)
  })

  test('no request whose time is over asks for a token', async () => {
    let asked = 0
    const server = await startHttpServer(() => (asked += 1))
    client = createClient()
    const request = { url: `${server.url}/x`, auth: settings(server), timeout: 100 }
    const exchanges = await Promise.all([send(request, client), send(request, client)])
    expect(exchanges.map(({ failure }) => failure?.code)).toEqual(['TIMEOUT', 'TIMEOUT'])
    await setTimeout(100)
    await server.close()
    expect(asked).toBe(1)
  })

  test('fetches a token over a connection like that of the request, but for what is about its server', async () => {
    const api = createSecureServer(certificate, ({ headers }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ headers }))
    })
    await new Promise<void>((done) => api.listen(0, '127.0.0.1', done))
    const server = await startHttpServer((_, response) => void response.end(JSON.stringify(grant().body)), {
      tls: true,
    })
    servers.push(server)
    const url = `https://localhost:${(api.address() as AddressInfo).port}/x`
    const exchange = await send({ url, auth: settings(server), insecure: true, http2: true })
    expect(answerOf(exchange)['headers']).toMatchObject({ authorization: 'Bearer T' })
    await client.close()
    await new Promise((done) => api.close(done))
  })

  test('has the grants password and refresh_token, and the client in the body', async () => {
    const server = await serve(({ url }) => (url === '/token' ? grant() : {}))
    const url = `${server.url}/x`
    await send({ url, auth: settings(server, { grant: 'password', username: 'u', password: 'p' }) })
    await send({
      url,
      auth: settings(server, { grant: 'refresh_token', refresh_token: 'r', client_auth: 'body' }),
    })
    const [first, , third] = server.seen
    expect(first?.body).toBe('grant_type=password&username=u&password=p')
    expect(Object.fromEntries(new URLSearchParams(third?.body))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'r',
      client_id: 'ci',
      client_secret: secret,
    })
    expect(third?.headers.authorization).toBeUndefined()
  })

  test('renews a token before it ends, with the newest refresh token', async () => {
    let issued = 0
    const server = await serve(({ url }) => {
      if (url !== '/token') return {}
      issued++
      return grant({ access_token: `T${issued}`, expires_in: 0, refresh_token: `R${issued}` })
    })
    client = createClient()
    for (const rest of [{}, { grant: 'refresh_token', refresh_token: 'R' }])
      for (let count = 0; count < 2; count++)
        await send({ url: `${server.url}/x`, auth: settings(server, rest) }, client)
    const sent = server.seen.map(({ url, body, headers }) => (url === '/x' ? headers.authorization : body))
    expect(sent).toEqual([
      'grant_type=client_credentials',
      'Bearer T1',
      'grant_type=client_credentials',
      'Bearer T2',
      'grant_type=refresh_token&refresh_token=R',
      'Bearer T3',
      'grant_type=refresh_token&refresh_token=R3',
      'Bearer T4',
    ])
  })

  test('renews a token that has ended by the `clock` of a suite, and one that comes from its future', async () => {
    let issued = 0
    const server = await serve(({ url }) => (url === '/token' ? grant({ access_token: `T${++issued}` }) : {}))
    client = createClient()
    vi.useFakeTimers({ toFake: ['Date'] })
    for (const hours of [0, 0.9, 1, 9, 1]) {
      vi.setSystemTime(hours * 3_600_000)
      await send({ url: `${server.url}/x`, auth: settings(server) }, client)
    }
    vi.useRealTimers()
    const sent = server.seen.filter(({ url }) => url === '/x')
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(
      ['T1', 'T1', 'T2', 'T3', 'T4'].map((token) => `Bearer ${token}`),
    )
  })

  test.each([
    [
      { status: 401, body: { error: 'invalid_client', error_description: 'who?' } },
      'status 401 (invalid_client: who?)',
    ],
    [{ body: { nothing: 1 } }, 'status 200 (without a valid access_token)'],
    [{ body: [] }, 'status 200 (without a valid access_token)'],
    [{ body: { access_token: ' ' } }, 'status 200 (without a valid access_token)'],
    [{ body: { access_token: 7 } }, 'status 200 (without a valid access_token)'],
    [{ body: { access_token: `${secret}\n` } }, 'status 200 (without a valid access_token)'],
  ])('fails the request when the server says %j, and asks again next time', async (reply, message) => {
    const server = await serve(() => reply)
    client = createClient()
    for (let count = 1; count <= 2; count++) {
      const { failure, response } = await send({ url: `${server.url}/x`, auth: settings(server) }, client)
      expect(failure?.phase).toBe('auth')
      expect(failure?.message).toContain('failed while getting its credentials')
      expect(failure?.message).toContain(message)
      expect(failure?.message).not.toContain(secret)
      expect(response).toBeUndefined()
      expect(server.seen.map(({ url }) => url)).toEqual(Array(count).fill('/token'))
    }
  })

  test('has the time limit of the request', async () => {
    const server = await startHttpServer(() => {})
    servers.push(server)
    const { failure } = await send({ url: `${server.url}/x`, auth: settings(server), timeout: 200 })
    expect(failure).toMatchObject({ phase: 'auth' })
    expect(failure?.message).toContain('the limit `timeout` of 200 ms was reached')
  })

  test.each([
    [{ grant: 'password', username: 'u' }, 'Expected `auth.oauth2.password` to be a string, got nothing'],
    [{ grant: 'implicit' }, '`auth.oauth2.grant` to be client_credentials, password, refresh_token'],
    [{ token_url: 'ftp://x' }, 'Expected an http or https URL'],
  ])('%j is refused', async (rest, message) => {
    const server = await serve(() => ({}))
    await expect(send({ url: '/get', auth: settings(server, rest) })).rejects.toThrow(message)
  })
})

describe('aws', () => {
  const keys = {
    region: 'eu-central-1',
    service: 'execute-api',
    access_key_id: 'AKID',
    secret_access_key: 'SK/1',
  }

  /** Computes AWS Signature Version 4 as documented, from the request as received. */
  function computeSignature({ method, url, headers, body }: Seen): string {
    const { authorization = '' } = headers
    const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? ''
    const [path = '', query = ''] = url.split('?')
    const sha = (text: string): string => createHash('sha256').update(text, 'latin1').digest('hex')
    const mac = (key: string | Buffer, text: string): Buffer =>
      createHmac('sha256', key).update(text).digest()
    const canonical = [
      method,
      // Percent signs are encoded a second time, except for S3.
      path.replaceAll('%', '%25'),
      query.split('&').toSorted().join('&'),
      ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
      '',
      signed,
      sha(body),
    ].join('\n')
    const date = String(headers['x-amz-date'])
    const scope = `${date.slice(0, 8)}/${keys.region}/${keys.service}/aws4_request`
    const key = scope.split('/').reduce<string | Buffer>(mac, `AWS4${keys.secret_access_key}`)
    return mac(key, ['AWS4-HMAC-SHA256', date, scope, sha(canonical)].join('\n')).toString('hex')
  }

  test('signs method, path, query, headers and body', async () => {
    const server = await serve(() => ({}))
    await send({
      method: 'POST',
      url: `${server.url}/a%20b/c?z=1&a=x%20y`,
      body: { text: 'ü' },
      auth: { aws: { ...keys, session_token: 'ST' } },
    })
    const [seen] = server.seen as [Seen]
    expect(seen.headers.authorization).toContain('Credential=AKID/')
    expect(seen.headers.authorization).toContain('SignedHeaders=accept;host;x-amz-date;x-amz-security-token,')
    expect(seen.headers['x-amz-security-token']).toBe('ST')
    expect(/Signature=(\w+)/.exec(seen.headers.authorization ?? '')?.[1]).toBe(computeSignature(seen))
  })

  test('signs the host and the repeated headers that it sends', async () => {
    const server = await serve(() => ({}))
    await send({
      url: `${server.url}/?a=1`,
      headers: { host: 'api.example.test', 'x-list': ['b', 'a'] },
      auth: { aws: keys },
    })
    const [seen] = server.seen as [Seen]
    expect(seen.headers).toMatchObject({ host: 'api.example.test', 'x-list': 'b, a' })
    const canonical = { ...seen, headers: { ...seen.headers, 'x-list': 'b,a' } }
    expect(/Signature=(\w+)/.exec(seen.headers.authorization ?? '')?.[1]).toBe(computeSignature(canonical))
  })

  test('with a key that no header can hold, the request fails', async () => {
    const keys = { access_key_id: 'AKIA\n', secret_access_key: 'x', session_token: 'a\nb' }
    const exchange = await send({ url: '/get', auth: { aws: { region: 'r', service: 's', ...keys } } })
    expect(exchange.failure?.code).toBe('AUTH_FAILED')
    expect(exchange.failure?.message).toMatch(/^GET .* failed while getting its credentials after \d+ ms: /)
  })

  test('refuses headers that the author wrote and the signature needs', async () => {
    const headers = { 'x-amz-date': 'now' }
    await expect(send({ url: '/get', headers, auth: { aws: keys } })).rejects.toThrow(
      'Expected either `auth` or a header `x-amz-date`, got both',
    )
  })
})

describe('on a redirect', () => {
  const schemes: [string, Json][] = [
    ['bearer', 'T'],
    ['basic', { username: 'u', password: 'p' }],
    ['api_key', { name: 'x-mine', value: 'K' }],
    ['api_key', { in: 'cookie', name: 'sid', value: 'K' }],
    ['api_key', { in: 'query', name: 'k', value: 'K' }],
    ['aws', { region: 'r', service: 's', access_key_id: 'i', secret_access_key: 'k' }],
  ]
  test.each(schemes)('%s %j stays with its origin, and does not come back', async (name, value) => {
    const other = await serve(() => ({ status: 302, headers: { location: `${home.url}/back` } }))
    const home: HttpServer & { seen: Seen[] } = await serve(({ url }) => {
      if (url.startsWith('/back')) return {}
      return { status: 302, headers: { location: url.startsWith('/near') ? other.url : '/near' } }
    })
    await send({ url: `${home.url}/start`, auth: { [name]: value } })
    const show = ({ url, headers }: Seen): string => {
      const { authorization = '', cookie = '' } = headers
      return [url.split('?')[1] ?? '', authorization.split(' ')[0], cookie, headers['x-mine'] ?? ''].join('')
    }
    const [start, near, back] = home.seen.map(show)
    expect(start).not.toBe('')
    expect(near).toBe(start)
    expect([other.seen.map(show), back]).toEqual([[''], ''])
  })
})
