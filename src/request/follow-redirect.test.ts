import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCookieJar } from './cookies.ts'
import { createClient } from './send-request.ts'
import type { Exchange, RequestSpec } from './exchange.ts'
import { startHttpServer, type HttpServer } from './fixtures/http-server.ts'
import type { SendOptions } from './send-request.ts'

type Seen = { server: string; method: string; url: string; headers: IncomingHttpHeaders; body: string }

const client = createClient()
const seen: Seen[] = []
let one: HttpServer
let two: HttpServer

/** Starts a server: `/to/<status>?<location>` redirects, anything else answers. */
async function start(name: string): Promise<HttpServer> {
  return startHttpServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const url = request.url ?? ''
      seen.push({ server: name, method: request.method ?? '', url, headers: request.headers, body })
      const [, status, location] = /^\/to\/(\d+)\?(.*)$/s.exec(url) ?? []
      if (url === '/login') response.setHeader('set-cookie', ['sid=1; Path=/', 'bad=1; Domain=other.example'])
      if (status === undefined) return response.end('arrived')
      response.writeHead(Number(status), location ? { location: decodeURIComponent(location) } : {})
      return response.end('moved')
    })
  })
}

beforeAll(async () => {
  one = await start('one')
  two = await start('two')
})
beforeEach(() => {
  seen.length = 0
})
afterAll(async () => {
  await client.close()
  await one.close()
  await two.close()
})

function to(status: number, location: string): string {
  return `/to/${status}?${encodeURIComponent(location)}`
}

function send(path: string, rest: Partial<RequestSpec> = {}, options: SendOptions = {}): Promise<Exchange> {
  const spec: RequestSpec = {
    method: 'GET',
    url: one.url + path,
    headers: [],
    timeout: 5000,
    maxRedirects: 20,
    ...rest,
  }
  return client.send(spec, options)
}

describe('following', () => {
  test('is recorded; the request stays the author’s, the response is the last', async () => {
    const path = to(302, `/to/301?${encodeURIComponent('/end?a=1#part')}`)
    const exchange = await send(path)
    expect(exchange.redirects).toEqual([
      {
        status_code: 302,
        method: 'GET',
        url: one.url + path,
        location: `/to/301?${encodeURIComponent('/end?a=1#part')}`,
        target: `${one.url}/to/301?${encodeURIComponent('/end?a=1#part')}`,
      },
      {
        status_code: 301,
        method: 'GET',
        url: `${one.url}${to(301, '/end?a=1#part')}`,
        location: '/end?a=1#part',
        target: `${one.url}/end?a=1`,
      },
    ])
    expect(exchange.request.url).toBe(one.url + path)
    expect(Buffer.from(exchange.response?.body ?? []).toString()).toBe('arrived')
    expect(seen.at(-1)?.url).toBe('/end?a=1')
  })

  test('is off with 0: the redirect itself is the response', async () => {
    const exchange = await send(to(302, '/end'), { maxRedirects: 0 })
    expect(exchange).toMatchObject({ redirects: [], response: { statusCode: 302 } })
    expect(seen).toHaveLength(1)
  })

  test.each([300, 304, 305])('is not done for %d', async (status) => {
    expect((await send(to(status, '/end'))).response?.statusCode).toBe(status)
  })

  test('is not done without a location', async () => {
    expect((await send('/to/302?')).response?.statusCode).toBe(302)
  })

  test.each<[number, string, string, boolean]>([
    [301, 'POST', 'GET', false],
    [302, 'POST', 'GET', false],
    [303, 'POST', 'GET', false],
    [303, 'PUT', 'GET', false],
    [301, 'PUT', 'PUT', true],
    [302, 'DELETE', 'DELETE', true],
    [307, 'POST', 'POST', true],
    [308, 'PATCH', 'PATCH', true],
  ])('%d turns %s into %s', async (...[status, method, after, keepsBody]) => {
    const headers = [
      ['content-type', 'text/x'],
      ['x-a', '1'],
    ] as const
    await send(to(status, '/end'), { method, headers, body: Buffer.from('payload') })
    const last = seen.at(-1)
    expect(last).toMatchObject({ method: after, body: keepsBody ? 'payload' : '' })
    expect(last?.headers['x-a']).toBe('1')
    expect(last?.headers['content-type']).toBe(keepsBody ? 'text/x' : undefined)
  })
})

test('303 leaves HEAD a HEAD', async () => {
  await send(to(303, '/end'), { method: 'HEAD' })
  expect(seen.at(-1)).toMatchObject({ method: 'HEAD', url: '/end' })
})

describe('refusing', () => {
  test('a loop names its way', async () => {
    const { failure, redirects } = await send(to(302, to(302, 'x').replace('x', '')))
    expect(failure).toBeUndefined()
    expect(redirects).toHaveLength(1)
    const loop = await startHttpServer((request, response) => {
      response.writeHead(302, { location: request.url === '/a' ? '/b' : '/a' }).end()
    })
    const spec = { method: 'GET', url: `${loop.url}/a`, headers: [], timeout: 5000, maxRedirects: 20 }
    const looped = await client.send(spec)
    const withJar = await client.send(spec, { cookies: createCookieJar() })
    await loop.close()
    expect(looped.failure).toMatchObject({ phase: 'redirect', code: 'REDIRECT_LOOP' })
    expect(looped.failure?.message).toContain(
      `${loop.url}/a → ${loop.url}/b → ${loop.url}/a (REDIRECT_LOOP). If a cookie is to end them, set \`cookies: true\` in the suite; if time is, use \`follow_redirects: false\` and \`retry\``,
    )
    expect(looped.response).toBeUndefined()
    expect(withJar.failure?.message).toContain(
      '/a (REDIRECT_LOOP). If time is to end them, use `follow_redirects: false` and `retry`',
    )
  })

  test('more than the limit names the option', async () => {
    const server = await startHttpServer((request, response) => {
      response.writeHead(302, { location: `${request.url}x` }).end()
    })
    const spec = { method: 'GET', url: `${server.url}/a`, headers: [], timeout: 5000, maxRedirects: 20 }
    const { failure, redirects } = await client.send(spec)
    await server.close()
    expect(failure).toMatchObject({ phase: 'redirect', code: 'TOO_MANY_REDIRECTS' })
    expect(failure?.message).toContain(
      'more than 20 times (TOO_MANY_REDIRECTS). The option `follow_redirects`',
    )
    expect(redirects).toHaveLength(20)
  })

  test.each([
    [
      'app://cb?code=1',
      'is not an http or https URL (REDIRECT_REFUSED). With `follow_redirects: false` the step checks',
    ],
    ['file:///etc/passwd', 'is not an http or https URL'],
    ['javascript:alert(1)', 'is not an http or https URL'],
    ['data:,x', 'is not an http or https URL'],
    ['ftp://h/x', 'is not an http or https URL'],
    ['http://user:pass@127.0.0.1/', 'a user name or password'],
    ['http://[bad/', 'is not an http or https URL'],
  ])('the target %s', async (location, message) => {
    const { failure } = await send(to(302, location))
    expect(failure).toMatchObject({ phase: 'redirect', code: 'REDIRECT_REFUSED' })
    expect(failure?.message).toContain(message)
    expect(failure?.message).not.toContain('pass@')
  })

  test('a dead target is a failure of its own, named', async () => {
    const { failure, redirects } = await send(to(302, 'http://127.0.0.1:1/x'))
    expect(failure).toMatchObject({ phase: 'connect', code: 'ECONNREFUSED' })
    expect(failure?.message).toContain('GET http://127.0.0.1:1/x failed')
    expect(redirects).toHaveLength(1)
  })
})

describe('secrets', () => {
  const headers: [string, string][] = [
    ['Authorization', 'Bearer a'],
    ['Cookie', 'sid=1'],
    ['Proxy-Authorization', 'Basic a'],
    ['X-API-Key', 'k'],
    ['X-Auth-Token', 't'],
    ['X-Session-Id', 's'],
    ['X-Custom', 'declared'],
    ['X-Access-Key', 'k'],
    ['api_key', 'k'],
    ['X-Value', 'holds hunter2 inside'],
    ['Host', 'front.test'],
    ['X-Plain', 'p'],
    ['X-Author', 'a'],
  ]
  const rules = {
    isSecretName: (name: string) => /^x-custom$|access-key|^api_key$/i.test(name),
    secretValues: () => ['hunter2'],
  }

  test('stay on the way to the same origin', async () => {
    await send(to(302, '/end'), { headers }, rules)
    expect(Object.keys(seen.at(-1)?.headers ?? {})).toEqual(
      expect.arrayContaining(headers.map(([name]) => name.toLowerCase())),
    )
  })

  test('are not sent to another origin, and not picked up again on the way back', async () => {
    await send(to(302, two.url + to(302, `${one.url}/end`)), { headers }, rules)
    expect(seen.map(({ server }) => server)).toEqual(['one', 'two', 'one'])
    for (const { headers: received } of seen.slice(1)) {
      expect(received).toMatchObject({ 'x-plain': 'p', 'x-author': 'a' })
      expect(received.host).toMatch(/^127\.0\.0\.1:/)
      expect(
        Object.keys(received).filter((name) => /auth(?!or$)|cookie|key|session|custom|value/.test(name)),
      ).toEqual([])
    }
  })

  test('in a body stop a redirect to another origin', async () => {
    for (const body of ['{"password":"hunter2"}', 'password=hunter2']) {
      const spec = { method: 'POST', body: Buffer.from(body) }
      const { failure } = await send(to(307, `${two.url}/end`), spec, rules)
      expect(failure?.message).toContain('is another origin and the body holds a secret')
      expect((await send(to(307, '/end'), spec, rules)).failure).toBeUndefined()
    }
    expect(seen.some(({ server }) => server === 'two')).toBe(false)
  })

  test('are recognised in every spelling', async () => {
    const secret = 'pin + "é" 99'
    const spellings = {
      latin1: secret,
      json: JSON.stringify(secret),
      base64: btoa(`user:${secret}`),
      url: encodeURIComponent(secret),
      form: new URLSearchParams({ a: secret }).toString(),
    }
    const declared = { secretValues: () => [secret] }
    const lines = Object.entries(spellings).map(([name, value]) => [`x-in-${name}`, value] as const)
    await send(to(302, `${two.url}/end`), { headers: [...lines, ['x-plain', 'p']] }, declared)
    expect(Object.keys(seen.at(-1)?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([
      'x-plain',
    ])
    for (const body of Object.values(spellings)) {
      const { failure } = await send(
        to(307, `${two.url}/end`),
        { method: 'POST', body: Buffer.from(body) },
        declared,
      )
      expect(failure?.code).toBe('REDIRECT_REFUSED')
    }
  })
})

describe('a cookie jar', () => {
  test('keeps cookies across redirects and requests, for their own host', async () => {
    const cookies = createCookieJar()
    const login = await send('/login', {}, { cookies })
    expect(login.warnings).toEqual([expect.stringMatching(/^The cookie `bad` of .* was refused: /)])
    await send(to(302, '/end'), { headers: [['Cookie', 'own=1']] }, { cookies })
    expect(seen.map(({ headers }) => headers.cookie)).toEqual([undefined, 'own=1; sid=1', 'own=1; sid=1'])
    await send(to(302, `http://localhost:${one.port}/end`), {}, { cookies })
    expect(seen.at(-1)?.headers.cookie).toBeUndefined()
  })

  test('gives way to a cookie of the same name that the author wrote', async () => {
    const sent: unknown[] = []
    const server = await startHttpServer((request, response) => {
      sent.push(request.headers.cookie)
      if (request.url === '/end') return response.end('in')
      const fresh = request.url === '/login' ? { 'set-cookie': 'sid=fresh' } : {}
      return response.writeHead(302, { location: '/end', ...fresh }).end()
    })
    const cookies = createCookieJar()
    await cookies.store(server.url, ['sid=kept', 'a=1'])
    for (const path of ['/go', '/login']) {
      const headers = [['Cookie', 'sid=own;b=2']] as const
      const spec = { method: 'GET', url: server.url + path, headers, timeout: 5000, maxRedirects: 20 }
      await client.send(spec, { cookies })
    }
    await server.close()
    expect(sent).toEqual(Array(4).fill('sid=own;b=2; a=1'))
  })

  test('does not take a visit with new cookies for a loop', async () => {
    const server = await startHttpServer((request, response) => {
      if (request.headers.cookie) return response.end('in')
      return response.writeHead(302, { location: '/', 'set-cookie': 'sid=1' }).end()
    })
    const spec = { method: 'GET', url: `${server.url}/`, headers: [], timeout: 5000, maxRedirects: 20 }
    const withJar = await client.send(spec, { cookies: createCookieJar() })
    const without = await client.send(spec)
    await server.close()
    expect(withJar.response?.statusCode).toBe(200)
    expect(withJar.redirects).toMatchObject([{ status_code: 302, set_cookies: ['sid'] }])
    expect(without.failure?.code).toBe('REDIRECT_LOOP')
  })

  test.each([
    ['__Host-a=1; Path=/', /__Host prefix/],
    ['__Secure-a=1', /__Secure prefix/],
    ['a=1; Domain=test', /a special use domain\.$/],
  ])('says why it refuses %s', async (line, reason) => {
    expect(await createCookieJar().store('http://a.test/', [line])).toEqual([expect.stringMatching(reason)])
  })

  test('starts empty and treats odd names as data', async () => {
    const jar = createCookieJar()
    const cookies = async (url: string) => (await jar.addTo({ method: 'GET', url, headers: [] })).headers
    expect(await cookies('http://h/')).toEqual([])
    expect(
      await jar.store('http://h/a/b', ['__proto__=1; Path=/', 'constructor=2; Path=/', '']),
    ).toHaveLength(1)
    expect(await cookies('http://h/')).toEqual([['cookie', '__proto__=1; constructor=2']])
    expect(await cookies('http://other/')).toEqual([])
  })
})
