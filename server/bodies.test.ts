import { describe, expect } from './fixture.ts'
import { echoOf } from './fixtures/echo-of.ts'
import { test } from './fixtures/echo-port.ts'
import { request } from './fixtures/raw-client.ts'

const HOST = 'Host: echo.test'

describe('bodies', () => {
  const FORM = 'application/x-www-form-urlencoded'
  const MULTIPART = 'multipart/form-data; boundary=b'
  const nothing = { data: '', files: {}, form: {}, json: null }
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
      'a field whose name is in UTF-8 (RFC 8187)',
      MULTIPART,
      `${part("Content-Disposition: form-data; name*=UTF-8''%C3%A4%27b", '1')}--b--\r\n`,
      { form: { "ä'b": '1' } },
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

  test('in chunks, of any length', async ({ port }) => {
    const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
    const parts = ['a', 'b', 'c'].map((letter) => letter.repeat(3000))
    const head = `POST /post HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked`
    const { body } = await request(port, head, `${parts.map(chunk).join('')}0\r\n\r\n`)
    expect(JSON.parse(body)).toMatchObject({ data: parts.join('') })
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

function part(headers: string, content: string): string {
  return `--b\r\n${headers}\r\n\r\n${content}\r\n`
}
