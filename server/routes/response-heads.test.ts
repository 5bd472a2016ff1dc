import { describe, expect, test } from '../fixture.ts'
import { startServer } from '../start-server.ts'

describe('redirects', () => {
  test.for<[path: string, status: number, location: string]>([
    ['/redirect/3', 302, '/relative-redirect/2'],
    ['/redirect/1', 302, '/get'],
    ['/relative-redirect/2', 302, '/relative-redirect/1'],
    ['/absolute-redirect/2', 302, 'http://echo.test/absolute-redirect/1'],
    ['/redirect/1?absolute=true', 302, 'http://echo.test/get'],
    ['/redirect-to?url=/get%3Fa=1&status_code=307', 307, '/get?a=1'],
    ['/redirect-to?url=http://echo.test/get', 302, 'http://echo.test/get'],
    ['/redirect-to?url=/anything/a%20b/%C3%A9%3Fq=%2525', 302, '/anything/a%20b/%C3%A9?q=%25'],
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

  test('to another scheme are refused, whatever scheme the client says it used', async ({ echo }) => {
    const request = echo.request.get('/redirect-to?url=javascript:alert(1)').redirects(0)
    await request.set({ Host: 'echo.test', 'X-Forwarded-Proto': 'foo' }).expect(400)
  })

  test('may go to an allowed origin', async () => {
    await using server = await startServer({ allowedRedirects: ['https://example.org'] })
    const answer = await fetch(`${server.url}/redirect-to?url=https://example.org/x`, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe('https://example.org/x')
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

  test('sends a value as latin-1', async ({ echo }) => {
    const answer = await echo.request.get('/response-headers?X-A=caf%C3%A9').expect('x-a', 'caf\xe9')
    expect(answer.body).toMatchObject({ 'X-A': 'caf\xe9' })
  })

  test.for([
    'Content-Length=5',
    'Transfer-Encoding=chunked',
    'Content-Type=text/html',
    'Content-Type=text/plain&content-type=text/plain',
    'a%20b=1',
    'X=%0d%0aY:1',
    'X=%E2%82%AC',
  ])('refuses %s', async (query, { echo }) => {
    await echo.request.get(`/response-headers?${query}`).expect(400)
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
