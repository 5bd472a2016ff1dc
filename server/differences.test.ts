import { describe, expect } from './fixture.ts'
import { echoOf } from './fixtures/echo-of.ts'
import { test } from './fixtures/echo-port.ts'
import { request } from './fixtures/raw-client.ts'

const HOST = 'Host: echo.test'

// Requests that httpbin once answered differently. Now equal, or docs/application/echo-server.md says why not.
describe('as in httpbin', () => {
  test('a parameter may contain empty parts', async ({ port }) => {
    const { url } = await echoOf(port, `GET /anything/a//b/ HTTP/1.1\r\n${HOST}`)
    expect(url).toBe('http://echo.test/anything/a//b/')
  })

  test('a path with other slashes is another path', async ({ port }) => {
    for (const path of ['//get', '//evil.test/get', '/status//404'])
      expect((await request(port, `GET ${path} HTTP/1.1\r\n${HOST}`)).status).toBe(404)
  })

  test('a single status has no weight', async ({ port }) => {
    expect((await request(port, `GET /status/200:1 HTTP/1.1\r\n${HOST}`)).status).toBe(400)
    expect((await request(port, `GET /status/200:1,200:1 HTTP/1.1\r\n${HOST}`)).status).toBe(200)
  })

  test('/range spreads its chunks over a duration', async ({ port }) => {
    const started = performance.now()
    const answer = await request(port, `GET /range/30?duration=0.3&chunk_size=10 HTTP/1.1\r\n${HOST}`)
    expect(performance.now() - started).toBeGreaterThan(290)
    expect(answer).toMatchObject({
      status: 200,
      body: 'abcdefghijklmnopqrstuvwxyzabcd',
      headers: { 'content-length': '30' },
    })
    expect((await request(port, `GET /range/30?duration=11 HTTP/1.1\r\n${HOST}`)).status).toBe(400)
  })

  test('multipart without a boundary is data', async ({ port }) => {
    const head = `POST /post HTTP/1.1\r\n${HOST}\r\nContent-Type: multipart/form-data`
    expect(await echoOf(port, head, '--b--')).toMatchObject({ data: '--b--', form: {}, files: {} })
  })

  test('a header of a multipart part may go on in the next line', async ({ port }) => {
    const head = `POST /post HTTP/1.1\r\n${HOST}\r\nContent-Type: multipart/form-data; boundary=b`
    const body =
      '--b\r\nContent-Disposition: form-data;\r\n name="f";\r\n\tfilename="x"\r\n\r\n1\r\n' +
      '--b\nContent-Disposition: form-data; name="a"\nX: 1\n name="b"\n\n2\n--b--'
    expect(await echoOf(port, head, body)).toMatchObject({ form: { a: '2' }, files: { f: '1' } })
  })
})

describe('decided otherwise', () => {
  test('methods are case-sensitive', async ({ port }) => {
    expect((await request(port, `get /get HTTP/1.1\r\n${HOST}`)).status).toBe(400)
  })

  test('blanks around a header value are not part of it', async ({ port }) => {
    const { headers } = await echoOf(port, `GET /headers HTTP/1.1\r\n${HOST}\r\nX-A: \t a b \t `)
    expect(headers).toMatchObject({ 'X-A': 'a b' })
  })

  test('a part without a name has the empty one', async ({ port }) => {
    const head = `POST /post HTTP/1.1\r\n${HOST}\r\nContent-Type: multipart/form-data; boundary=b`
    const body = '--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--'
    expect(await echoOf(port, head, body)).toMatchObject({ form: { '': '1' } })
  })

  test('407 has the challenge that RFC 9110 demands', async ({ port }) => {
    const answer = await request(port, `GET /status/407 HTTP/1.1\r\n${HOST}`)
    expect(answer.headers['proxy-authenticate']).toBe('Basic realm="Fake Realm"')
  })

  test('redirects have no page', async ({ port }) => {
    for (const path of ['/redirect/1', '/absolute-redirect/1', '/cookies/set?a=1', '/links/1'])
      expect(await request(port, `GET ${path} HTTP/1.1\r\n${HOST}`)).toMatchObject({ status: 302, body: '' })
  })

  test('an absolute target without a path is /', async ({ port }) => {
    for (const target of ['http://echo.test', 'http://echo.test?a=1'])
      expect((await request(port, `GET ${target} HTTP/1.1\r\n${HOST}`)).body).toContain('nothing at /"')
  })

  test('capitals follow hyphens alone', async ({ port }) => {
    const { headers } = await echoOf(port, `GET /headers HTTP/1.1\r\n${HOST}\r\nX-a.b'c!d: 1`)
    expect(headers).toMatchObject({ "X-A.b'c!d": '1' })
  })

  test('a transfer coding beside chunked is refused, and nothing follows', async ({ port }) => {
    const head = `POST /post HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: gzip, chunked`
    const answer = await request(port, head, '3\r\nabc\r\n0\r\n\r\n')
    expect(answer).toMatchObject({ status: 400, headers: { connection: 'close' } })
    expect(answer.body).toContain('expected no transfer coding but chunked')
  })

  test('an upgrade that is not offered is ignored', async ({ port }) => {
    const head = `GET /get?a=1 HTTP/1.1\r\n${HOST}\r\nUpgrade: h2c`
    expect(await echoOf(port, head)).toMatchObject({ args: { a: '1' }, headers: { Upgrade: 'h2c' } })
  })
})
