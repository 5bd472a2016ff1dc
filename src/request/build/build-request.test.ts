import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../json.ts'
import { buildRequest } from './build-request.ts'
import type { RequestSpec } from '../exchange.ts'
import type { BuildContext, RequestInput } from './request-input.ts'

const files = new Map([
  ['a/photo.PNG', Buffer.from([0x89, 0, 0xff])],
  ['data', Buffer.from('raw')],
])
const context: BuildContext = {
  baseUrl: 'http://host:1/api/',
  defaultTimeout: 30_000,
  readFile: async (path) => {
    const file = files.get(path)
    if (file === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`)
    return file
  },
}

async function build(input: Partial<RequestInput>, more: Partial<BuildContext> = {}): Promise<RequestSpec> {
  const built = await buildRequest({ url: '/x', ...input }, { ...context, ...more })
  if ('problem' in built) throw new Error(built.problem)
  return built.spec
}

async function refuse(input: Partial<RequestInput>, more: Partial<BuildContext> = {}): Promise<string> {
  const built = await buildRequest({ url: '/x', ...input }, { ...context, ...more })
  if ('spec' in built) throw new Error(`built ${built.spec.method} ${built.spec.url}`)
  return built.problem
}

async function urlOf(url: string, params?: JsonObject, baseUrl = 'http://host:1/api/'): Promise<string> {
  return (await build(params === undefined ? { url } : { url, params }, { baseUrl })).url
}

async function bodyOf(input: Partial<RequestInput>): Promise<{ text: string; type: string | undefined }> {
  const { body, headers } = await build(input)
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return { text: Buffer.from(body ?? []).toString(), type }
}

async function headerOf(input: Partial<RequestInput>, name: string): Promise<string | undefined> {
  return (await build(input)).headers.find(([other]) => other.toLowerCase() === name)?.[1]
}

/** Parses the built body with the platform's own parser. */
async function parse(multipart: JsonObject, headers: JsonObject = {}): Promise<[string, unknown][]> {
  const { body, headers: lines } = await build({ method: 'POST', multipart, headers })
  const type = lines.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const form = await new Response(Buffer.from(body ?? []), { headers: { 'content-type': type } }).formData()
  return Promise.all(
    Array.from(form, async ([name, value]): Promise<[string, unknown]> => [
      name,
      typeof value === 'string'
        ? value
        : {
            name: value.name,
            type: value.type,
            bytes: Buffer.from(await value.arrayBuffer()).toString('hex'),
          },
    ]),
  )
}

describe('method', () => {
  test.each([
    [undefined, 'GET'],
    ['post', 'POST'],
    ['Patch', 'PATCH'],
    ['M-SEARCH', 'M-SEARCH'],
    ['purge', 'purge'],
  ])('%s is sent as %s', async (method, sent) => {
    expect((await build(method === undefined ? {} : { method })).method).toBe(sent)
  })

  test('what has become null is refused, and not GET', async () => {
    expect(await refuse({ method: null as never })).toContain('Expected `method` to be a string, got `null`')
  })

  test.each(['', 'GET /', 'G\r\nX: 1', 'GET\0', 'G\u00c9T', 'CONNECT'])('%j is refused', async (method) => {
    expect(await refuse({ method })).toContain('Expected `method` to be an HTTP method')
  })
})

test.each([
  ['insecure', 'false', 'true or false, got `false` (string)'],
  ['http2', 1, 'true or false, got `1` (number)'],
  ['headers', 'x: y', 'an object of fields, got `x: y` (string)'],
  ['params', ['a'], 'an object of fields, got a list of 1'],
  ['tls', null, 'an object of fields, got `null`'],
])('a hook cannot leave `%s` as %j', async (key, value, wanted) => {
  expect(await refuse({ [key]: value })).toContain(`Expected \`${key}\` to be ${wanted}`)
})

describe('url', () => {
  test.each([
    ['/x', 'http://host:1/api/x'],
    ['x', 'http://host:1/api/x'],
    ['//x', 'http://host:1/api/x'],
    ['', 'http://host:1/api/'],
    ['?a=1', 'http://host:1/api/?a=1'],
    ['/x#part', 'http://host:1/api/x'],
    ['  /x\n', 'http://host:1/api/x'],
    ['http://other/y', 'http://other/y'],
    ['HTTPS://Other:443/Y', 'https://other/Y'],
    ['http://other', 'http://other/'],
    ['http://other?a=1', 'http://other/?a=1'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
    ['http://[::1]:3000/x', 'http://[::1]:3000/x'],
  ])('%j joins to %s', async (url, whole) => {
    expect(await urlOf(url)).toBe(whole)
  })

  test.each([
    ['http://host:1', 'http://host:1/x'],
    ['http://host:1/', 'http://host:1/x'],
    ['http://host:1/api', 'http://host:1/api/x'],
    ['http://host:1/api///', 'http://host:1/api/x'],
  ])('base %s gets exactly one slash', async (base, whole) => {
    expect(await urlOf('x', undefined, base)).toBe(whole)
    expect(await urlOf('/x', undefined, base)).toBe(whole)
  })

  test.each([
    ['/a b/ü?q=ö x', '/a%20b/%C3%BC?q=%C3%B6%20x'],
    ['/a%20b%2Fc?x=%26', '/a%20b%2Fc?x=%26'],
    ['/100%?q=50%zz', '/100%25?q=50%25zz'],
    ['/a/../b/./c', '/a/../b/./c'],
    ['/%2e%2e/x', '/%2e%2e/x'],
    ['/a\\b"<>^`|{}', '/a%5Cb%22%3C%3E%5E%60%7C%7B%7D'],
    ["/it's(1)*!~;,@:$&+=", "/it's(1)*!~;,@:$&+="],
    ['/ids[]=1', '/ids[]=1'],
    ['/line\r\nHost: evil\0', '/line%0D%0AHost:%20evil%00'],
    ['/\ud800', '/%EF%BF%BD'],
    ['/😀', '/%F0%9F%98%80'],
  ])('%j is encoded as %s', async (url, target) => {
    expect(await urlOf(url, undefined, 'http://h')).toBe(`http://h${target}`)
  })

  test.each(['{{x}}', '{{js: a + b && c?d#e/f}}', "{{cond ? 'x' : 'y'}}"])(
    'an unresolved %s reaches the server as written',
    async (text) => {
      const inPath = new URL(await urlOf(`/p/${text}/q`))
      expect(decodeURIComponent(inPath.pathname)).toBe(`/api/p/${text}/q`)
      const inQuery = new URL(await urlOf(`/p?a=${text}&b=1`))
      expect([...inQuery.searchParams]).toEqual([
        ['a', text],
        ['b', '1'],
      ])
    },
  )

  test.each<[string, string]>([
    ['ftp://h/x', 'Expected an http or https URL'],
    ['file:///etc/passwd', 'Expected an http or https URL'],
    ['http:/x', 'Expected `url` to have `//` after its scheme'],
    ['http://', 'Expected a URL with a valid host and port'],
    ['http://h:99999/', 'valid host and port'],
    ['http://h:x/', 'valid host and port'],
    ['http://a b/', 'valid host and port'],
    ['http://good\\evil/', 'valid host and port'],
    ['http://h\r\nx/', 'valid host and port'],
    ['http://{{host}}/x', 'valid host and port'],
    ['http://user:pass@h/', 'Use `auth.basic`'],
    ['http://good.example@evil.example/', 'without a user name and password'],
  ])('%j is refused', async (url, message) => {
    expect(await refuse({ url })).toContain(message)
  })

  test('credentials are not repeated in the message', async () => {
    expect(await refuse({ url: 'http://user:hunter2@h/' })).not.toContain('hunter2')
  })

  test('a relative one needs a base, and the base no query', async () => {
    for (const baseUrl of [undefined, ''])
      expect(await refuse({ url: '/x' }, { baseUrl })).toContain(
        '`base_url` is missing or empty, got `/x` (string). Add `base_url` to the suite, choose an environment that has one (SUITECASE_ENV), or',
      )
    expect(await refuse({ url: '/x' }, { baseUrl: 'http://h/?a=1' })).toContain('`base_url` to have no query')
    expect(await refuse({ url: '/x' }, { baseUrl: '{{base}}' })).toContain('got `{{base}}/x` (string)')
  })

  test('is text', async () => {
    expect(await refuse({ url: {} as unknown as string })).toContain(
      'Expected `url` to be a string, got an object',
    )
  })
})

describe('params', () => {
  test('are added to the url’s own query', async () => {
    const params = { list: [1, 'two', null], none: null, yes: true, empty: '', 'a&b': '&c=d#+ %' }
    expect(await urlOf('/x?own=1', params)).toBe(
      'http://host:1/api/x?own=1&list=1&list=two&yes=true&empty=&a%26b=%26c%3Dd%23%2B%20%25',
    )
    expect(await urlOf('/x?', { a: 1 })).toBe('http://host:1/api/x?a=1')
    expect(await urlOf('/x#frag', { a: '{{x}}' })).toBe('http://host:1/api/x?a=%7B%7Bx%7D%7D')
    expect(await urlOf('/x', { a: [] })).toBe('http://host:1/api/x')
  })

  test('named like prototype members are ordinary', async () => {
    expect(await urlOf('/x', JSON.parse('{"__proto__":"p","constructor":"c"}'))).toContain(
      '?__proto__=p&constructor=c',
    )
  })

  test.each<[Json]>([[{ a: 1 }], [[[1]]], [[{ a: 1 }]]])('nested values are refused: %j', async (value) => {
    expect(await refuse({ params: { filter: value } })).toContain(
      'Expected `params.filter` to be a string, number',
    )
  })
})

describe('headers', () => {
  test('keep case and order, repeat for lists, have defaults', async () => {
    const { headers } = await build({
      headers: { 'X-MiXeD': 1, 'x-flag': true, 'X-List': ['a', 'b'], 'X-Empty': '' },
    })
    expect(headers).toEqual([
      ['user-agent', expect.stringMatching(/^suitecase\/\d+\.\d+\.\d+/)],
      ['accept', '*/*'],
      ['accept-encoding', expect.stringContaining('gzip, deflate, br')],
      ['X-MiXeD', '1'],
      ['x-flag', 'true'],
      ['X-List', 'a'],
      ['X-List', 'b'],
      ['X-Empty', ''],
    ])
  })

  test('null sends none and removes a default', async () => {
    const { headers } = await build({
      headers: { 'User-Agent': null, accept: null, 'Accept-Encoding': null, 'x-a': null },
    })
    expect(headers).toEqual([])
    expect(await build({ headers: { cookie: null } })).toHaveProperty('withoutJar', true)
    expect(await build({ headers: { cookie: '' } })).not.toHaveProperty('withoutJar')
    const { headers: post } = await build({ body: {}, headers: { 'content-type': null } })
    expect(post.some(([name]) => name === 'content-type')).toBe(false)
  })

  test('the author’s replace the defaults', async () => {
    const { headers } = await build({ headers: { 'User-Agent': 'me' } })
    expect(headers.filter(([name]) => /user-agent/i.test(name))).toEqual([['User-Agent', 'me']])
  })

  test.each(['a\r\nX-Injected: 1', 'a\nb', 'a\rb', 'a\0b', 'a\u0007'])(
    'the value %j is refused with its name',
    async (value) => {
      expect(await refuse({ headers: { 'X-Name': value } })).toContain(
        'the header `X-Name` to have only printable Latin-1 characters',
      )
      expect(await refuse({ headers: { 'X-Name': ['ok', value] } })).toContain('`X-Name`')
      expect(await refuse({ auth: { bearer: value } })).toContain('the header `authorization`')
    },
  )

  test('a refused value is not told, for it may be a secret', async () => {
    const message =
      'Expected the value of the header `x-api-key` to have only printable Latin-1 characters, got'
    expect(await refuse({ headers: { 'x-api-key': 'k-1\nk-2' } })).toContain(
      `${message} \`\\n\` at character 4. Percent-encode it, or use base64`,
    )
    expect(await refuse({ headers: { 'x-api-key': 'k-1💥' } })).toContain(`${message} \`💥\` at character 4`)
  })

  test('characters outside latin-1 are refused with a hint', async () => {
    expect(await refuse({ headers: { 'X-Name': '日本' } })).toContain('only printable Latin-1 characters')
    expect(await headerOf({ headers: { 'X-Name': 'é\t' } }, 'x-name')).toBe('é\t')
  })

  test.each(['a b', 'a:b', 'a\r\nb', '', 'é', '{{x}}'])('the name %j is refused', async (name) => {
    expect(await refuse({ headers: { [name]: 'x' } })).toContain('Expected the header name')
  })

  test('objects are refused', async () => {
    expect(await refuse({ headers: { 'X-A': { a: 1 } } })).toContain(
      'Expected the header `X-A` to be a string',
    )
  })

  test.each(['Content-Length', 'Transfer-Encoding', 'upgrade', 'Expect', 'Keep-Alive'])(
    '%s is left to the client',
    async (name) => {
      expect(await refuse({ headers: { [name]: 'x' } })).toContain(`The header \`${name}\` cannot be set`)
    },
  )

  test('what may come once is refused twice, in any case', async () => {
    expect(await headerOf({ headers: { a: ['1', '2'], 'Content-Type': 'a/b' } }, 'content-type')).toBe('a/b')
    expect(await refuse({ headers: { Host: 'a', host: 'b' } })).toContain('`host` can be sent only once')
    expect(await refuse({ headers: { 'Content-Type': ['a/b', 'c/d'] } })).toContain(
      '`content-type` can be sent only once',
    )
    expect(await refuse({ headers: { Host: null } })).toContain('cannot be left out')
  })

  test('a `connection` that the client would not write is refused', async () => {
    expect(await headerOf({ headers: { Connection: 'Close' } }, 'connection')).toBe('Close')
    expect(await refuse({ headers: { Connection: 'close, TE' } })).toContain(
      'Expected `headers.connection` to be `close` or `keep-alive`, got `close, TE` (string)',
    )
    await build({ headers: { Connection: 'keep-alive, Upgrade' } }, { isHandshake: true })
  })

  test('one name in two spellings is refused: it would be two lines', async () => {
    expect(await refuse({ headers: { 'x-n': 5, 'X-N': 6 } })).toContain(
      'The header `X-N` appears twice, in different spellings. To send it twice, write a list: `X-N: [a, b]`',
    )
  })
})

describe('auth', () => {
  test('is refused when it is ambiguous', async () => {
    expect(await refuse({ auth: { bearer: 'a' }, headers: { Authorization: 'b' } })).toContain('got both')
    expect(await refuse({ auth: { bearer: 'a', basic: { username: 'u', password: 'p' } } })).toContain(
      'Expected `auth` to be none or one of basic, bearer, api_key, digest, oauth2, aws, got `bearer` and `basic`',
    )
    expect(await refuse({ auth: 'nome' })).toContain('got `nome` (string)')
    expect(await refuse({ auth: { basic: { username: 'a:b', password: 'p' } } })).toContain('without a colon')
    expect(await refuse({ auth: { basic: { username: 'a' } } })).toContain(
      '`auth.basic.password` to be a string, got nothing',
    )
  })
})

describe('body', () => {
  test.each<[Json, string]>([
    [{ a: 1, __proto__x: [] }, '{"a":1,"__proto__x":[]}'],
    [[1, null, 'é'], '[1,null,"é"]'],
    [5, '5'],
    [true, 'true'],
    [null, 'null'],
    [JSON.parse('{"__proto__":{"a":1}}') as Json, '{"__proto__":{"a":1}}'],
  ])('%j is sent as JSON', async (body, text) => {
    expect(await bodyOf({ body })).toEqual({ text, type: 'application/json' })
  })

  test('JSON keeps the author’s type', async () => {
    const headers = { 'Content-Type': 'application/vnd.api+json' }
    expect(await bodyOf({ body: { a: 1 }, headers })).toEqual({
      text: '{"a":1}',
      type: 'application/vnd.api+json',
    })
  })

  test('a text is sent as it is', async () => {
    expect(await bodyOf({ body: '{"a": {{x}}}\r\n' })).toEqual({
      text: '{"a": {{x}}}\r\n',
      type: 'text/plain; charset=utf-8',
    })
    const headers = { 'content-type': 'application/json' }
    expect(await bodyOf({ body: '{broken', headers })).toEqual({ text: '{broken', type: 'application/json' })
    expect((await bodyOf({ body: '\ud800' })).text).toBe('\ufffd')
  })

  test('an object is a form when its type says so', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }
    const body = { grant_type: 'a b', tags: ['1', 2], none: null, 'k&': '&x=1+é' }
    expect((await bodyOf({ body, headers })).text).toBe('grant_type=a+b&tags=1&tags=2&k%26=%26x%3D1%2B%C3%A9')
    expect((await bodyOf({ body: 'a=%20', headers })).text).toBe('a=%20')
    expect(await refuse({ body: { a: {} }, headers })).toContain('`body.a`')
    expect(await refuse({ body: [1], headers })).toContain('Expected `body` to be an object of fields')
  })

  test('a list is lines of JSON when its type says so', async () => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const body = [{ index: {} }, { a: 'é\n' }, null]
    expect(await bodyOf({ body, headers })).toEqual({
      text: '{"index":{}}\n{"a":"é\\n"}\nnull\n',
      type: 'application/x-ndjson',
    })
    expect((await bodyOf({ body: { a: 1 }, headers })).text).toBe('{"a":1}')
    for (const type of ['text/json', 'text/event-stream'])
      expect((await bodyOf({ body: [1], headers: { 'content-type': type } })).text).toBe('[1]')
  })

  test('form', async () => {
    expect(await bodyOf({ form: { a: '1', b: [true, ''] } })).toEqual({
      text: 'a=1&b=true&b=',
      type: 'application/x-www-form-urlencoded',
    })
    expect(await refuse({ form: { a: { b: 1 } } })).toContain('`form.a`')
  })

  test('file', async () => {
    expect(await bodyOf({ file: 'data' })).toEqual({ text: 'raw', type: 'application/octet-stream' })
    expect((await bodyOf({ file: 'a/photo.PNG' })).type).toBe('image/png')
    expect(await refuse({ file: 'gone' })).toContain(
      'Could not read the file `gone` (string) for the request: ENOENT',
    )
  })

  test('is one of several kinds, not two', async () => {
    expect(await refuse({ body: {}, form: {} })).toContain('got `body` and `form`')
    expect(await refuse({ body: null, file: 'data' })).toContain('got `body` and `file`')
    expect(await refuse({ body: {}, headers: { 'content-type': 'multipart/form-data' } })).toContain(
      'Rename `body`',
    )
  })

  test('may go with GET', async () => {
    expect((await bodyOf({ method: 'GET', body: { a: 1 } })).text).toBe('{"a":1}')
  })
})

describe('multipart', () => {
  test('holds fields, lists and files', async () => {
    const multipart = {
      text: 'é\r\n--x',
      n: 1,
      list: ['a', 'b'],
      none: null,
      photo: { file: 'a/photo.PNG' },
      named: { file: 'data', type: 'text/x', filename: 'ü.txt' },
      meta: { value: { id: 9007199254740993n, tags: ['é'] } },
      table: { value: 'a\n1', type: 'text/csv', filename: 't.csv' },
      plain: { value: { id: 1 }, filename: null },
    }
    expect(await parse(multipart)).toEqual([
      ['text', 'é\r\n--x'],
      ['n', '1'],
      ['list', 'a'],
      ['list', 'b'],
      ['photo', { name: 'photo.PNG', type: 'image/png', bytes: '8900ff' }],
      ['named', { name: 'ü.txt', type: 'text/x', bytes: '726177' }],
      [
        'meta',
        {
          name: 'blob',
          type: 'application/json',
          bytes: Buffer.from('{"id":9007199254740993,"tags":["é"]}').toString('hex'),
        },
      ],
      ['table', { name: 't.csv', type: 'text/csv', bytes: '610a31' }],
      ['plain', '{"id":1}'],
    ])
  })

  test('names that are numbers come last, as uploads of GraphQL need', async () => {
    const multipart = { operations: '{}', map: '{}', '1': { file: 'data' }, '0': { file: 'data' } }
    const parts = await parse(multipart)
    expect(parts.map(([name]) => name)).toEqual(['operations', 'map', '0', '1'])
  })

  test('sends the type of a file as it is written', async () => {
    const { body } = await build({
      multipart: { f: { file: 'data', type: 'multipart/mixed; boundary=AbC' } },
    })
    expect(Buffer.from(body ?? []).toString()).toContain(
      '\r\nContent-Type: multipart/mixed; boundary=AbC\r\n',
    )
  })

  test('names cannot end their header or start another', async () => {
    const evil = 'a"; filename="x\r\nX-Injected: 1\r\n\r\nbody'
    const { body } = await build({ multipart: { [evil]: 'v', f: { file: 'data', filename: evil } } })
    const text = Buffer.from(body ?? []).toString()
    expect(text).not.toMatch(/^X-Injected/m)
    expect(text.match(/^Content-Disposition/gm)).toHaveLength(2)
    expect(text).toContain('name="a%22; filename=%22x%0D%0AX-Injected: 1%0D%0A%0D%0Abody"')
  })

  test('has the author’s type, with a boundary', async () => {
    const type = await headerOf(
      { multipart: { a: 1 }, headers: { 'Content-Type': 'multipart/form-data' } },
      'content-type',
    )
    expect(type).toMatch(/^multipart\/form-data; boundary=\S+$/)
    for (const type of ['text/plain', 'multipart/form-data; boundary=x'])
      expect(await refuse({ multipart: { a: 1 }, headers: { 'Content-Type': type } })).toContain(
        'start with multipart/ and have no boundary',
      )
  })

  test.each<[Json, string]>([
    [{ title: 'x' }, 'got the key `title` (string)'],
    [{ file: 'data', typ: 'x' }, 'got the key `typ` (string)'],
    [{ type: 'x' }, 'got an object'],
    [{ file: {} }, '`multipart.f.file` to be a string'],
    [[['x']], 'got a list of 1'],
    [{ file: 'data', type: 'a/b\r\nX: 1' }, '`multipart.f.type` to be a media type'],
    [{ file: 'data', type: 'a/b;\tc=d' }, '`multipart.f.type` to be a media type'],
    [{ file: 'gone' }, 'Could not read the file `gone`'],
    [{ file: 'data', value: 'x' }, 'a map with `file` or (for JSON) `value`'],
    [{ value: null }, 'got an object'],
    [{ value: [1, Infinity] }, '`multipart.f.value.1` to be a finite number'],
  ])('%j is refused', async (value, message) => {
    expect(await refuse({ multipart: { f: value } })).toContain(message)
  })
})

describe('timeout and redirects', () => {
  test('have defaults', async () => {
    expect(await build({})).toMatchObject({ timeout: 30_000, maxRedirects: 20 })
    expect(await build({}, { defaultRedirects: false })).toMatchObject({ maxRedirects: 0 })
    expect(await build({ timeout: 5, follow_redirects: 3 })).toMatchObject({ timeout: 5, maxRedirects: 3 })
    expect(await build({ follow_redirects: false })).toMatchObject({ maxRedirects: 0 })
    expect(await build({ follow_redirects: 0 })).toMatchObject({ maxRedirects: 0 })
  })

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 'x', '100'])(
    'the timeout %s is refused',
    async (timeout) => {
      expect(await refuse({ timeout })).toContain('Expected `timeout` to be a positive integer')
    },
  )

  test('a timeout that is no duration is named as it was given', async () => {
    expect(await refuse({ timeout: '100' })).toMatch(/such as `5s`, got `100` \(string\)/)
    const long = (10n ** 20n) as unknown as number
    expect(await refuse({ timeout: long })).toMatch(/such as `5s`, got `10{20}` \(number\)/)
  })

  test.each([-1, 1.5, 'yes'])('follow_redirects %s is refused', async (value) => {
    expect(await refuse({ follow_redirects: value as number })).toContain(
      'Expected `follow_redirects` to be true, false or',
    )
  })
})
