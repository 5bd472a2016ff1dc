import { describe, expect } from './fixture.ts'
import { test } from './testing/echo-port.ts'
import { request } from './testing/raw-client.ts'

const HOST = 'Host: echo.test'

/** The echo of a request sent as raw bytes. */
async function echoOf(
  port: number,
  head: string,
  body: string | Buffer = '',
): Promise<Record<string, unknown>> {
  const length = body.length === 0 ? '' : `\r\nContent-Length: ${Buffer.byteLength(body)}`
  const answer = await request(port, `${head}${length}`, body)
  expect(answer.status).toBe(200)
  expect(answer.headers['content-length']).toBe(String(answer.body.length))
  return JSON.parse(answer.body)
}

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

describe('bodies', () => {
  const FORM = 'application/x-www-form-urlencoded'
  const MULTIPART = 'multipart/form-data; boundary=b'
  const nothing = { data: '', files: {}, form: {}, json: null }
  const part = (headers: string, content: string): string => `--b\r\n${headers}\r\n\r\n${content}\r\n`
  const file = 'Content-Disposition: form-data; name="f"; filename="x"'

  test.for<[what: string, type: string, body: string | Buffer, echo: object]>([
    ['JSON without a type', '', '{"b":1.0,"a":[]}', { data: '{"b":1.0,"a":[]}', json: { a: [], b: 1 } }],
    ['no JSON', 'application/json', '{"a":', { data: '{"a":', json: null }],
    ['NaN', 'application/json', '[NaN]', { data: '[NaN]', json: null }],
    ['a byte order mark', 'application/json', '\ufeff1', { data: '\ufeff1', json: null }],
    [
      'binary',
      'application/json',
      Buffer.from([0xff, 0xfe]),
      { data: 'data:application/octet-stream;base64,//4=', json: null },
    ],
    ['a form', FORM, 'b=1&a=%C3%A9+%zz&b=2&c', { form: { a: 'é %zz', b: ['1', '2'], c: '' } }],
    ['a form in raw UTF-8', FORM, 'a=é', { form: { a: 'é' } }],
    ['a form of bad bytes', FORM, Buffer.from([0x61, 0x3d, 0xff]), { form: { a: '\ufffd' } }],
    ['a form of another case', 'Application/X-WWW-Form-Urlencoded; charset=x', 'a=1', { form: { a: '1' } }],
    [
      'a field and a file',
      MULTIPART,
      `${part('Content-Disposition: form-data; name="a"', '1')}${part(file, 'text')}--b--\r\n`,
      { form: { a: '1' }, files: { f: 'text' } },
    ],
    [
      'files of the same name',
      MULTIPART,
      `${part(file, 'first')}${part(file, 'second')}--b--`,
      { files: { f: 'first' } },
    ],
    [
      'fields of the same name',
      MULTIPART,
      `${part('Content-Disposition: form-data; name=a', '1').repeat(2)}--b--`,
      { form: { a: ['1', '1'] } },
    ],
    [
      'a file without a name',
      MULTIPART,
      `${part('Content-Disposition: form-data; name="f"; filename=""', '')}--b--`,
      { files: { f: '' } },
    ],
    [
      'a preamble and an epilogue',
      MULTIPART,
      `before\r\n${part(file, 'x')}--b--\r\nafter`,
      { files: { f: 'x' } },
    ],
    [
      'line feeds alone',
      MULTIPART,
      part(file, 'x').replaceAll('\r\n', '\n') + '--b--',
      { files: { f: 'x' } },
    ],
    [
      'a boundary in the content',
      MULTIPART,
      `${part(file, 'x--b\r\n--bb\r\ny')}--b--`,
      { files: { f: 'x--b\r\n--bb\r\ny' } },
    ],
    [
      'a binary file',
      MULTIPART,
      Buffer.from(`${part(`${file}\r\nContent-Type: image/png`, '\xff\x00')}--b--`, 'latin1'),
      { files: { f: 'data:image/png;base64,/wA=' } },
    ],
    [
      'a quoted boundary',
      'multipart/form-data; boundary="b"',
      `${part(file, 'x')}--b--`,
      { files: { f: 'x' } },
    ],
    [
      'a name with a semicolon and escapes',
      MULTIPART,
      `${part('Content-Disposition: form-data; name="a;\\"b\\""', '1')}--b--`,
      { form: { 'a;"b"': '1' } },
    ],
    [
      'a name like no other',
      MULTIPART,
      `${part('Content-Disposition: form-data; name="__proto__"', '1')}--b--`,
      { form: JSON.parse('{"__proto__":"1"}') },
    ],
    ['no closing boundary', MULTIPART, part(file, 'x'), {}],
    ['a part without a disposition', MULTIPART, `${part('X: 1', 'x')}--b--`, {}],
    ['no boundary', 'multipart/form-data', '[1]', { data: '[1]', json: [1] }],
  ])('of %s', async ([, type, body, echo], { port }) => {
    const head = `POST /post HTTP/1.1\r\n${HOST}${type === '' ? '' : `\r\nContent-Type: ${type}`}`
    expect(await echoOf(port, head, body)).toMatchObject({ ...nothing, ...echo })
  })

  test('in chunks, with extensions and trailers', async ({ port }) => {
    const head = `PUT /put HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked`
    const answer = await request(port, head, '3;x=y\r\n{"a\r\n4\r\n":1}\r\n0\r\nX-T: 1\r\n\r\n')
    expect(JSON.parse(answer.body)).toMatchObject({
      data: '{"a":1}',
      json: { a: 1 },
      headers: { 'Transfer-Encoding': 'chunked' },
    })
  })

  test('of GET and DELETE are shown where the route shows bodies', async ({ port }) => {
    expect(await echoOf(port, `GET /anything HTTP/1.1\r\n${HOST}`, '[1]')).toMatchObject({
      data: '[1]',
      json: [1],
      method: 'GET',
    })
    expect(await echoOf(port, `DELETE /delete HTTP/1.1\r\n${HOST}`, '[1]')).toMatchObject({
      data: '[1]',
      json: [1],
    })
    expect(await echoOf(port, `GET /get HTTP/1.1\r\n${HOST}`, '[1]')).not.toHaveProperty('data')
  })

  test('keep the source text of numbers', async ({ port }) => {
    const answer = await request(
      port,
      `POST /post HTTP/1.1\r\n${HOST}\r\nContent-Length: 30`,
      '[1.0,1e5,-0,12345678901234567890]'.slice(0, 30),
    )
    expect(answer.status).toBe(200)
    const whole = '[1.0,1e5,-0,12345678901234567890]'
    const { body } = await request(
      port,
      `POST /post HTTP/1.1\r\n${HOST}\r\nContent-Length: ${whole.length}`,
      whole,
    )
    expect(body).toContain('"json": [\n    1.0,\n    1e5,\n    -0,\n    12345678901234567890\n  ]')
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
