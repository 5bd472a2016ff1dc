import { describe, expect } from './fixture.ts'
import { echoOf } from './fixtures/echo-of.ts'
import { test } from './fixtures/echo-port.ts'
import { request } from './fixtures/raw-client.ts'

const HOST = 'Host: echo.test'

describe('args', () => {
  test.for<[query: string, args: object]>([
    ['a=1&b=2&a=3', { a: ['1', '3'], b: '2' }],
    ['a&b=&=c&&=', { '': ['c', ''], a: '', b: '' }],
    ['a+b=c%20d%2B', { 'a b': 'c d+' }],
    ['a=%zz%4&b=%', { a: '%zz%4', b: '%' }],
    ['a=%ff%C3%A9', { a: '\ufffdé' }],
    ['a=1;b=2', { a: '1;b=2' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=x?y', { a: 'x?y' }],
    ['__proto__=1&__proto__=2&constructor=3', JSON.parse('{"__proto__":["1","2"],"constructor":"3"}')],
  ])('of ?%s', async ([query, args], { port }) => {
    expect(await echoOf(port, `GET /get?${query} HTTP/1.1\r\n${HOST}`)).toMatchObject({ args })
  })
})

describe('url', () => {
  test.for<[target: string, url: string]>([
    ['/get?', 'http://echo.test/get'],
    ['/get?a=x@y/z?"<>{}|\\^`[]', 'http://echo.test/get?a=x%40y%2Fz%3F%22%3C%3E%7B%7D%7C%5C%5E%60%5B%5D'],
    ['/get?a=%41%2d%7E%40%2F%3A%20%26', 'http://echo.test/get?a=A-~%40%2F%3A%20%26'],
    ['/get?a=%c3%a9%ff%zz', 'http://echo.test/get?a=é%FF%zz'],
    ['/get?a=%e2%82&b=%F0%9F%98%80', 'http://echo.test/get?a=%E2%82&b=😀'],
    ['/get?a=1#part', 'http://echo.test/get?a=1'],
    ['http://other.test/get?a=1', 'http://echo.test/get?a=1'],
    ['/g%65t', 'http://echo.test/get'],
    ['/anything/a%2Fb/%C3%A9/@=&', 'http://echo.test/anything/a/b/é/%40%3D%26'],
    ['/anything/%25/a%20b', 'http://echo.test/anything/%25/a%20b'],
  ])('of %s', async ([target, url], { port }) => {
    expect(await echoOf(port, `GET ${target} HTTP/1.1\r\n${HOST}`)).toMatchObject({ url })
  })

  test.for<[headers: string, url: string]>([
    ['Host: echo.test:80', 'http://echo.test/get'],
    ['Host: echo.test:8080', 'http://echo.test:8080/get'],
    ['Host: [::1]:81', 'http://[::1]:81/get'],
    ['Host: [::1]', 'http://[::1]/get'],
    ['Host: ECHO.test:0081', 'http://ECHO.test:81/get'],
    ['Host: echo.test:', 'http://echo.test/get'],
    ['Host: echo.test:99999', 'http://echo.test/get'],
    ['Host: xn--n3h.test:81', 'http://☃.test:81/get'],
    ['Host:', 'http:///get'],
    ['Host: a:443\r\nX-Forwarded-Proto: https', 'https://a/get'],
    ['Host: a\r\nX-Forwarded-Proto: https', 'https://a/get'],
    ['Host: a\r\nX-Forwarded-Ssl: on', 'https://a/get'],
  ])('with %s', async ([headers, url], { port }) => {
    expect(await echoOf(port, `GET /get HTTP/1.1\r\n${headers}`)).toMatchObject({ url })
  })

  test('without a Host is that of the address listened on', async ({ echo, port }) => {
    expect(await echoOf(port, 'GET /get HTTP/1.0')).toMatchObject({ headers: {}, url: `${echo.url}/get` })
  })
})

describe('headers', () => {
  test('have normalised names, joined repetitions and latin-1 values', async ({ port }) => {
    const lines = [
      'x-SHA256sum: a',
      'X-A: 1',
      'x-a: 2',
      'X-Empty:',
      'X_y-z: caf\xe9',
      '__proto__: p',
      'Cookie: a=1',
      'Cookie: b=2',
    ]
    const { headers } = await echoOf(port, ['GET /headers HTTP/1.1', HOST, ...lines].join('\r\n'))
    expect(headers).toEqual(
      JSON.parse(
        '{"__proto__":"p","Connection":"close","Cookie":"a=1,b=2","Host":"echo.test","X-A":"1,2","X-Empty":"","X-Sha256sum":"a","X_y-Z":"caf\u00e9"}',
      ),
    )
  })

  test('are joined for /user-agent, too', async ({ port }) => {
    const head = `GET /user-agent HTTP/1.1\r\n${HOST}\r\nUser-Agent: a\r\nuser-agent: b`
    expect(await echoOf(port, head)).toEqual({ 'user-agent': 'a,b' })
  })

  test('of more than 2000 are all there', async ({ port }) => {
    const lines = Array.from({ length: 2100 }, (_, index) => `${index}:`)
    const { headers } = await echoOf(port, ['GET /headers HTTP/1.1', HOST, ...lines].join('\r\n'))
    expect(Object.keys(headers ?? {})).toHaveLength(2102)
  })
})

test('origin is what X-Forwarded-For says, else the address of the client', async ({ port }) => {
  expect(await echoOf(port, `GET /ip HTTP/1.1\r\n${HOST}`)).toEqual({ origin: '127.0.0.1' })
  expect(await echoOf(port, `GET /ip HTTP/1.1\r\n${HOST}\r\nX-Forwarded-For: 1.2.3.4, 5.6.7.8`)).toEqual({
    origin: '1.2.3.4, 5.6.7.8',
  })
})

describe('methods', () => {
  test('HEAD has the head of GET', async ({ port }) => {
    const get = await request(port, `GET /get HTTP/1.1\r\n${HOST}`)
    const head = await request(port, `HEAD /get HTTP/1.1\r\n${HOST}`)
    expect(head).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': get.headers['content-length'] },
    })
  })

  test.for<[line: string, status: number, allow: string | undefined]>([
    ['OPTIONS /post', 200, 'POST, OPTIONS'],
    ['OPTIONS /status/200', 200, 'PATCH, HEAD, POST, PUT, GET, TRACE, DELETE, OPTIONS'],
    ['OPTIONS /nothing', 404, undefined],
    ['OPTIONS *', 404, undefined],
    ['POST /get', 405, 'GET, HEAD, OPTIONS'],
    ['TRACE /get', 405, 'GET, HEAD, OPTIONS'],
    ['PROPFIND /anything', 405, 'PATCH, HEAD, POST, PUT, GET, TRACE, DELETE, OPTIONS'],
    ['HEAD /post', 405, 'POST, OPTIONS'],
    ['GET /get/', 404, undefined],
    ['GET /status/', 404, undefined],
    ['GET /GET', 404, undefined],
    ['GET /anything/', 404, undefined],
    ['TRACE /anything/x', 200, undefined],
  ])('%s', async ([line, status, allow], { port }) => {
    const answer = await request(port, `${line} HTTP/1.1\r\n${HOST}\r\nOrigin: http://a.test`)
    expect(answer.status).toBe(status)
    expect(answer.headers['allow']).toBe(allow)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'http://a.test',
      'access-control-allow-credentials': 'true',
      'x-content-type-options': 'nosniff',
    })
  })

  test('a preflight gets back the headers that it asks for', async ({ port }) => {
    const answer = await request(
      port,
      `OPTIONS /get HTTP/1.1\r\n${HOST}\r\nAccess-Control-Request-Headers: X-A, X-B`,
    )
    expect(answer.headers).toMatchObject({
      'access-control-allow-headers': 'X-A, X-B',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE, PATCH, OPTIONS',
      'access-control-max-age': '3600',
    })
  })
})
