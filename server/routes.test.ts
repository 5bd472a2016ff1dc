import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, test } from './fixture.ts'
import { startServer } from './start-server.ts'

const AUTHORIZED = { authenticated: true, user: 'ann' }

describe('status', () => {
  test.for<[code: number, headers: object, body: string]>([
    [301, { location: '/redirect/1' }, ''],
    [307, { location: '/redirect/1' }, ''],
    [308, { 'content-type': 'text/html; charset=utf-8' }, ''],
    [401, { 'www-authenticate': 'Basic realm="Fake Realm"' }, ''],
    [402, { 'x-more-info': 'http://vimeo.com/22053820', 'content-length': '17' }, 'Fuck you, pay me!'],
    [
      406,
      { 'content-type': 'application/json', 'content-length': '142' },
      expect.stringContaining('"accept": ["image/webp"'),
    ],
    [
      418,
      { 'x-more-info': 'http://tools.ietf.org/html/rfc2324', 'content-length': '135' },
      expect.stringContaining('-=[ teapot ]=-'),
    ],
    [599, { 'content-length': '0' }, ''],
  ])('%i', async ([code, headers, body], { echo }) => {
    const answer = await fetch(`${echo.url}/status/${code}`, { redirect: 'manual' })
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: code, body })
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers)
  })

  test('picks one of several by weight', async ({ echo }) => {
    for (let round = 0; round < 10; round++) {
      expect([200, 404]).toContain((await fetch(`${echo.url}/status/200,404`)).status)
      expect((await fetch(`${echo.url}/status/200:0.0,500:3`)).status).toBe(500)
    }
  })
})

test('status 407 has a challenge for proxies', async ({ echo }) => {
  await echo.request.get('/status/407').expect(407).expect('proxy-authenticate', 'Basic realm="Fake Realm"')
})

describe('retry routes', () => {
  test('flaky fails as often as asked, then succeeds, until it is reset', async () => {
    await using server = await startServer()
    const url = `${server.url}/flaky/job-1?fail=2&status=502`
    const run = async (): Promise<number[]> => [
      (await fetch(url)).status,
      (await fetch(url, { method: 'POST' })).status,
      (await fetch(url)).status,
      (await fetch(url)).status,
    ]
    expect(await run()).toEqual([502, 502, 200, 200])
    expect(await (await fetch(url)).json()).toEqual({ attempt: 5, key: 'job-1', remaining: 0, status: 200 })
    expect((await fetch(`${server.url}/flaky/job-2`)).status).toBe(503)
    expect(await (await fetch(url, { method: 'DELETE' })).json()).toEqual({ key: 'job-1', requests: 5 })
    expect(await run()).toEqual([502, 502, 200, 200])
  })

  test('sequence gives its statuses in turn and stays at the last', async () => {
    await using server = await startServer()
    const url = `${server.url}/sequence/a?statuses=500,429,204,200`
    const statuses: number[] = []
    for (let round = 0; round < 6; round++) statuses.push((await fetch(url)).status)
    expect(statuses).toEqual([500, 429, 204, 200, 200, 200])
    expect((await fetch(`${server.url}/sequence/a`)).status).toBe(400)
    expect((await fetch(`${server.url}/sequence/a?statuses=500,99`)).status).toBe(400)
  })

  test('servers share nothing, and forget the oldest key beyond their limit', async () => {
    await using one = await startServer({ maxKeys: 2 })
    await using other = await startServer()
    const status = async (url: string): Promise<number> => (await fetch(url)).status
    expect([
      await status(`${one.url}/flaky/a`),
      await status(`${other.url}/flaky/a`),
      await status(`${one.url}/flaky/a`),
    ]).toEqual([503, 503, 200])
    expect([
      await status(`${one.url}/flaky/b`),
      await status(`${one.url}/flaky/c`),
      await status(`${one.url}/flaky/a`),
    ]).toEqual([503, 503, 503])
  })
})

describe('authentication', () => {
  test('basic, hidden and bearer', async ({ echo }) => {
    await echo.request.get('/basic-auth/ann/s3cret').auth('ann', 's3cret').expect(200, AUTHORIZED)
    await echo.request.get('/basic-auth/ann/s3cret').auth('ann', 'wrong').expect(401, '')
    await echo.request.get('/hidden-basic-auth/ann/s3cret').auth('ann', 's3cret').expect(200, AUTHORIZED)
    await echo.request.get('/hidden-basic-auth/ann/s3cret').expect(404)
    await echo.request
      .get('/bearer')
      .set('Authorization', 'Bearer t')
      .expect(200, { authenticated: true, token: 't' })
    await echo.request.get('/bearer').expect(401).expect('www-authenticate', 'Bearer')
  })

  test.for(['MD5', 'SHA-256', 'SHA-512'])('digest with %s', async (algorithm, { echo }) => {
    const path = `/digest-auth/auth/ann/s3cret/${algorithm}`
    const challenge = (await echo.request.get(path).expect(401)).headers['www-authenticate'] ?? ''
    const read = (name: string): string => new RegExp(`${name}="?([^",]+)`).exec(challenge)?.[1] ?? ''
    const hash = (text: string): string =>
      createHash(algorithm.replace('-', '').toLowerCase()).update(text).digest('hex')
    const authorize = (password: string): string => {
      const secret = hash(`ann:${read('realm')}:${password}`)
      const response = hash(`${secret}:${read('nonce')}:00000001:c,1:auth:${hash(`GET:${path}`)}`)
      return `Digest username="ann", realm="${read('realm')}", nonce="${read('nonce')}", uri="${path}", algorithm=${algorithm}, qop=auth, nc=00000001, cnonce="c,1", response="${response}"`
    }
    expect(read('algorithm')).toBe(algorithm)
    expect(
      await (await fetch(echo.url + path, { headers: { authorization: authorize('s3cret') } })).json(),
    ).toEqual(AUTHORIZED)
    expect((await fetch(echo.url + path, { headers: { authorization: authorize('wrong') } })).status).toBe(
      401,
    )
  })
})

describe('redirects', () => {
  test.for<[path: string, status: number, location: string]>([
    ['/redirect/3', 302, '/relative-redirect/2'],
    ['/redirect/1', 302, '/get'],
    ['/relative-redirect/2', 302, '/relative-redirect/1'],
    ['/absolute-redirect/2', 302, 'http://echo.test/absolute-redirect/1'],
    ['/redirect/1?absolute=true', 302, 'http://echo.test/get'],
    ['/redirect-to?url=/get%3Fa=1&status_code=307', 307, '/get?a=1'],
    ['/redirect-to?url=http://echo.test/get', 302, 'http://echo.test/get'],
    ['/links/3', 302, '/links/3/0'],
  ])('%s', async ([path, status, location], { echo }) => {
    await echo.request
      .get(path)
      .set('Host', 'echo.test')
      .redirects(0)
      .expect(status)
      .expect('location', location)
  })

  test.for([
    'https://evil.test/',
    '//evil.test',
    '/%09/evil.test',
    '/\\evil.test',
    'javascript:alert(1)',
    '%0d%0aX:1',
    'http://echo.test@evil.test/',
  ])('to %s are refused', async (target, { echo }) => {
    await echo.request.get(`/redirect-to?url=${target}`).set('Host', 'echo.test').redirects(0).expect(400)
  })

  test('may go to an allowed origin', async () => {
    await using server = await startServer({ allowedRedirects: ['https://example.org'] })
    const answer = await fetch(`${server.url}/redirect-to?url=https://example.org/x`, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe('https://example.org/x')
  })
})

describe('cookies', () => {
  test('are shown, set and deleted', async ({ echo }) => {
    // Not through the agent, which keeps cookies of its own.
    const shown = await fetch(`${echo.url}/cookies`, {
      headers: { cookie: 'a=1; b="x\\054y"; a=2; __proto__=p' },
    })
    expect(await shown.json()).toEqual({ cookies: JSON.parse('{"__proto__":"p","a":"1","b":"x,y"}') })
    const set = await echo.request
      .get('/cookies/set?a=1&b=x%2Cy')
      .redirects(0)
      .expect(302)
      .expect('location', '/cookies')
    expect(set.headers['set-cookie']).toEqual(['a=1; Path=/', 'b="x\\054y"; Path=/'])
    const deleted = await echo.request.get('/cookies/delete?a').redirects(0).expect(302)
    expect(deleted.headers['set-cookie']).toEqual([
      'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/',
    ])
    await echo.request.get('/cookies/set?a%0d%0ab=1').expect(400)
  })
})

describe('response-headers', () => {
  test('sets them and describes the whole answer', async ({ echo }) => {
    const answer = await echo.request.get('/response-headers?X-A=1&X-A=2&Content-Type=text/plain').expect(200)
    expect(answer.headers['x-a']).toBe('1, 2')
    expect(JSON.parse(answer.text)).toEqual({
      'Content-Length': answer.headers['content-length'],
      'Content-Type': 'text/plain',
      'X-A': ['1', '2'],
    })
  })

  test.for([
    'Content-Length=5',
    'Transfer-Encoding=chunked',
    'Content-Type=text/html',
    'a%20b=1',
    'X=%0d%0aY:1',
    'X=%E2%82%AC',
  ])('refuses %s', async (query, { echo }) => {
    await echo.request.get(`/response-headers?${query}`).expect(400)
  })
})

describe('encodings', () => {
  test.for<[path: string, coding: string, decode: (body: Buffer) => Buffer, flag: string]>([
    ['/gzip', 'gzip', gunzipSync, 'gzipped'],
    ['/deflate', 'deflate', inflateSync, 'deflated'],
    ['/brotli', 'br', brotliDecompressSync, 'brotli'],
    ['/zstd', 'zstd', zstdDecompressSync, 'zstd'],
  ])('%s', async ([path, coding, decode, flag], { echo }) => {
    const answer = await fetch(echo.url + path)
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(await answer.json()).toMatchObject({ [flag]: true, method: 'GET', origin: '127.0.0.1' })
    const { request } = await import('node:http')
    const raw = await new Promise<Buffer>((resolve) => {
      request(echo.url + path, (response) => {
        const chunks: Buffer[] = []
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => resolve(Buffer.concat(chunks)))
      }).end()
    })
    expect(JSON.parse(String(decode(raw)))).toMatchObject({ [flag]: true })
  })
})

describe('documents', () => {
  test.for<[path: string, type: string, part: string]>([
    ['/', 'application/json', '"/anything/{rest}"'],
    ['/json', 'application/json', 'Sample Slide Show'],
    ['/html', 'text/html; charset=utf-8', '<h1>Herman Melville - Moby-Dick</h1>'],
    ['/xml', 'application/xml', '<slideshow'],
    ['/encoding/utf8', 'text/html; charset=utf-8', '∀x∈ℝ'],
    ['/robots.txt', 'text/plain', 'Disallow: /deny'],
    ['/deny', 'text/plain', "YOU SHOULDN'T BE HERE"],
    ['/forms/post', 'text/html; charset=utf-8', 'name="custname"'],
    ['/image/svg', 'image/svg+xml', '<svg'],
    ['/image/png', 'image/png', 'PNG'],
    ['/image/jpeg', 'image/jpeg', 'JFIF'],
    ['/image/webp', 'image/webp', 'WEBP'],
    ['/links/3/1', 'text/html; charset=utf-8', '<a href="/links/3/0">0</a> 1 <a href="/links/3/2">2</a>'],
    ['/dump/request', 'text/plain; charset=utf-8', 'GET /dump/request HTTP/1.1\r\n'],
    ['/uuid', 'application/json', '"uuid": "'],
    ['/hostname', 'application/json', '"hostname": "'],
    ['/user-agent', 'application/json', '"user-agent": "node"'],
    ['/base64/aMOpbGxv', 'text/plain; charset=utf-8', 'héllo'],
  ])('%s', async ([path, type, part], { echo }) => {
    const answer = await fetch(echo.url + path)
    expect(answer.headers.get('content-type')).toBe(type)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(bytes.toString('utf8')).toContain(part)
  })

  test.for<[accept: string, type: string, status: number]>([
    ['image/webp,image/png', 'image/webp', 200],
    ['*/*', 'image/png', 200],
    ['text/html', 'application/json', 406],
  ])('/image for %s', async ([accept, type, status], { echo }) => {
    await echo.request.get('/image').set('Accept', accept).expect(status).expect('content-type', type)
  })
})

describe('bytes and streams', () => {
  test('the same seed gives the same bytes', async ({ echo }) => {
    const get = async (path: string): Promise<Buffer> =>
      Buffer.from(await (await fetch(echo.url + path)).arrayBuffer())
    expect(await get('/bytes/1000?seed=7')).toEqual(await get('/stream-bytes/1000?seed=7&chunk_size=10'))
    expect(await get('/bytes/1000')).toHaveLength(1000)
    expect(await get('/bytes/1000')).not.toEqual(await get('/bytes/1000'))
  })

  test.for([
    '/bytes/102401',
    '/bytes/-1',
    '/stream/101',
    '/range/0',
    '/links/0',
    '/drip?duration=11',
    '/drip?numbytes=0',
    '/sse?count=0',
    '/redirect/0',
    '/base64/%21',
    '/unstable?failure_rate=2',
    '/drip?code=100',
  ])('%s is out of range', async (path, { echo }) => {
    await echo.request.get(path).redirects(0).expect(400)
  })

  test.for<[range: string, status: number, contentRange: string | undefined, body: string]>([
    ['bytes=1-3', 206, 'bytes 1-3/30', 'bcd'],
    ['bytes=25-', 206, 'bytes 25-29/30', 'zabcd'],
    ['bytes=-2', 206, 'bytes 28-29/30', 'cd'],
    ['bytes=5-100', 206, 'bytes 5-29/30', 'fghijklmnopqrstuvwxyzabcd'],
    ['bytes=30-', 416, 'bytes */30', '{"error": '],
    ['bytes=3-1', 200, undefined, 'abcdefghijklmnopqrstuvwxyzabcd'],
    ['lines=1-2', 200, undefined, 'abcdefghijklmnopqrstuvwxyzabcd'],
  ])('/range with %s', async ([range, status, contentRange, body], { echo }) => {
    const answer = await fetch(`${echo.url}/range/30`, { headers: { range } })
    const text = (await answer.text()).replace('{\n  ', '{')
    expect([
      answer.status,
      answer.headers.get('content-range') ?? undefined,
      text.slice(0, body.length),
    ]).toEqual([status, contentRange, body])
  })

  test('/stream gives lines of JSON', async ({ echo }) => {
    const text = await (await fetch(`${echo.url}/stream/3?a=1%0A2`)).text()
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ id, args }) => [id, args])).toEqual([0, 1, 2].map((id) => [id, { a: '1\n2' }]))
  })

  test('/drip and /sse spread their parts over the time asked for', async ({ echo }) => {
    const started = performance.now()
    const drip = await fetch(`${echo.url}/drip?numbytes=20&duration=0.2&delay=0.1&code=201`)
    expect([drip.status, drip.headers.get('content-length'), await drip.text()]).toEqual([
      201,
      '20',
      '*'.repeat(20),
    ])
    expect(performance.now() - started).toBeGreaterThan(250)
    const events = await (await fetch(`${echo.url}/sse?count=3&duration=0.1`)).text()
    expect(events.match(/^event: ping\nid: \d\ndata: \{"id":\d,"timestamp":\d+\}$/gm)).toHaveLength(3)
  })

  test('/trailers sends trailers', async ({ echo }) => {
    const { get } = await import('node:http')
    const trailers = await new Promise((resolve) => {
      get(`${echo.url}/trailers?X-A=1&X-B=2`, (response) => {
        response.resume().on('end', () => resolve(response.trailers))
      })
    })
    expect(trailers).toEqual({ 'x-a': '1', 'x-b': '2' })
    await echo.request.get('/trailers?Content-Length=1').expect(400)
  })
})

describe('caching', () => {
  test('/etag and /cache answer conditional requests', async ({ echo }) => {
    await echo.request.get('/etag/x').expect(200).expect('etag', '"x"')
    await echo.request.get('/etag/x').set('If-None-Match', 'W/"y", "x"').expect(304)
    await echo.request.get('/etag/x').set('If-Match', '"y"').expect(412)
    await echo.request.get('/etag/x').set('If-Match', '*').expect(200)
    const { headers } = await echo.request.get('/cache').expect(200)
    await echo.request
      .get('/cache')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304)
    await echo.request.get('/cache/60').expect('cache-control', 'public, max-age=60')
  })
})

test('/unstable and /problem fail as asked', async ({ echo }) => {
  await echo.request.get('/unstable?failure_rate=1').expect(500)
  await echo.request.get('/unstable?failure_rate=0').expect(200)
  await echo.request.get('/problem').expect(400).expect('content-type', 'application/problem+json')
})
