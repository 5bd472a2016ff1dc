import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { http as handle } from 'msw'
import { afterEach, describe, expect, test } from 'vitest'
import { startHttpServer } from '../request/fixtures/http-server.ts'
import type { Mock } from './mock.ts'
import { anywhere, post, send } from './fixtures/calls.ts'
import { context, createContext, mock, start, stop } from './fixtures/mocks.ts'
import { keepHandler } from './handlers.ts'

afterEach(stop)

function createForm(): FormData {
  const form = new FormData()
  for (const [name, value] of new URLSearchParams('user=1&other=2&tag=a&tag=b')) form.append(name, value)
  form.append('doc', new File(['é\n'], 'a.txt', { type: 'text/plain' }))
  return form
}

describe('matching', () => {
  test.each<[string, Omit<Mock, 'at' | 'pointer' | 'respond'>, string, RequestInit?]>([
    ['any method by default', { url: anywhere }, anywhere, { method: 'DELETE' }],
    ['a method in any case', { method: 'post', url: anywhere }, anywhere, { method: 'POST' }],
    ['a host in any case and its default port', { url: 'HTTPS://PAY.example:443/charges' }, anywhere],
    ['a wildcard', { url: '*/charges' }, anywhere],
    [
      'a colon inside a segment',
      { url: 'https://pay.example:443/:id:approve' },
      'https://pay.example/7:approve',
    ],
    ['the address of a WebSocket', { url: 'wss://pay.example/charges' }, anywhere],
    ['path parameters', { url: 'https://pay.example/:a/:b' }, 'https://pay.example/x/y'],
    ['a query that is not asked for', { url: anywhere }, `${anywhere}?page=2`],
    ['a query in the url', { url: `${anywhere}?page=2` }, `${anywhere}?size=1&page=2`],
    [
      'params as texts',
      { url: anywhere, when: { params: { page: 2, all: true } } },
      `${anywhere}?page=2&all=true`,
    ],
    ['repeated params', { url: anywhere, when: { params: { tag: ['a', 'b'] } } }, `${anywhere}?tag=a&tag=b`],
    ['an absent param', { url: anywhere, when: { params: { tag: null } } }, anywhere],
    [
      'a param named __proto__',
      { url: anywhere, when: { params: JSON.parse('{"__proto__":"1"}') } },
      `${anywhere}?__proto__=1`,
    ],
    [
      'headers in any case',
      { url: anywhere, when: { headers: { 'X-Key': 7 } } },
      anywhere,
      { headers: { 'x-kEY': '7' } },
    ],
    [
      'authorization and host',
      { url: anywhere, when: { headers: { authorization: 'Bearer x', host: 'pay.example' } } },
      anywhere,
      { headers: { authorization: 'Bearer x' } },
    ],
    [
      'a part of a JSON body',
      { url: anywhere, when: { body: { card: { last4: '42' } } } },
      anywhere,
      post({ amount: 5, card: { last4: '42', brand: 'x' } }),
    ],
    [
      'a JSON body without content type',
      { url: anywhere, when: { body: { a: [1, { b: null }] } } },
      anywhere,
      { method: 'POST', body: '{"a":[1,{"b":null,"c":1}]}' },
    ],
    [
      'a number as JSON',
      { url: anywhere, when: { body: 42 } },
      anywhere,
      post('42', 'application/problem+JSON'),
    ],
    [
      'a form body',
      { url: anywhere, when: { body: { amount: '5' } } },
      anywhere,
      post('amount=5&currency=eur', 'application/x-www-form-urlencoded'),
    ],
    [
      'fields and files of a multipart form',
      {
        url: anywhere,
        when: {
          body: { user: '1', tag: ['a', 'b'], doc: { filename: 'a.txt', type: 'text/plain', value: 'é\n' } },
        },
      },
      anywhere,
      { method: 'POST', body: createForm() },
    ],
    [
      'a multipart body that is not one as a text',
      { url: anywhere, when: { body: 'x' } },
      anywhere,
      post('x', 'multipart/form-data; boundary=b'),
    ],
    [
      'a compressed JSON body',
      { url: anywhere, when: { body: { a: 'é' } } },
      anywhere,
      { method: 'POST', body: gzipSync('{"a":"é"}'), headers: { 'content-encoding': 'gzip' } },
    ],
    [
      'a body whose encoding is unknown as it is',
      { url: anywhere, when: { body: 'x' } },
      anywhere,
      { method: 'POST', body: 'x', headers: { 'content-encoding': 'aws-chunked' } },
    ],
    ['a text body', { url: anywhere, when: { body: 'a & b' } }, anywhere, post('a & b', 'text/plain')],
    [
      'own keys only',
      { url: anywhere, when: { body: JSON.parse('{"__proto__":{"x":1}}') } },
      anywhere,
      post('{"__proto__":{"x":1}}'),
    ],
  ])('takes %s', async (...[, fields, url, init]) => {
    const scope = (await start()).use([mock({ ...fields, respond: {} })], context)
    await expect(send(url, init)).resolves.toBe('200 ')
    expect(scope.finish().problems).toEqual([])
  })

  test.each<[string, Omit<Mock, 'at' | 'pointer' | 'respond'>, string, RequestInit | undefined, string]>([
    ['another method', { method: 'PUT', url: anywhere }, anywhere, undefined, 'its method is PUT'],
    [
      'another param',
      { url: anywhere, when: { params: { page: 2 } } },
      `${anywhere}?page=3`,
      undefined,
      '`when.params.page` is `2` (number), but the request has `3` (string)',
    ],
    [
      'other values of a param that comes twice',
      { url: anywhere, when: { params: { tag: ['a', 'c'] } } },
      `${anywhere}?tag=a&tag=b`,
      undefined,
      '`when.params.tag` is `["a","c"]` (array), but the request has `["a","b"]` (array)',
    ],
    [
      'a missing param',
      { url: `${anywhere}?page=2` },
      anywhere,
      undefined,
      '`url.page` is `2` (string), but the request has nothing',
    ],
    [
      'a param that is a map',
      { url: anywhere, when: { params: { page: {} } } },
      `${anywhere}?page=3`,
      undefined,
      '`when.params.page` is an object',
    ],
    [
      'an inherited name',
      { url: anywhere, when: { body: { constructor: {} } } },
      anywhere,
      post({}),
      '`when.body.constructor` is an object, but the request has nothing',
    ],
    [
      'another type',
      { url: anywhere, when: { body: { amount: 5 } } },
      anywhere,
      post({ amount: '5' }),
      '`when.body.amount` is `5` (number), but the request has `5` (string)',
    ],
    [
      'a longer list',
      { url: anywhere, when: { body: { ids: [1] } } },
      anywhere,
      post({ ids: [1, 2] }),
      '`when.body.ids[1]` is nothing, but the request has `2` (number)',
    ],
    [
      'no body',
      { url: anywhere, when: { body: { a: 1 } } },
      anywhere,
      undefined,
      '`when.body` is an object, but the request has `""` (string)',
    ],
    [
      'another file of a form',
      { url: anywhere, when: { body: { doc: { filename: 'b.txt' } } } },
      anywhere,
      { method: 'POST', body: createForm() },
      '`when.body.doc.filename` is `b.txt` (string), but the request has `a.txt` (string)',
    ],
    [
      'another text',
      { url: anywhere, when: { body: 'yes' } },
      anywhere,
      post('yes!', 'text/plain'),
      '`when.body` is `yes` (string), but the request has `yes!` (string)',
    ],
  ])('does not take %s, and says so', async (...[, fields, url, init, reason]) => {
    const scope = (await start()).use([mock({ ...fields, respond: {} })], context)
    await expect(send(url, init)).resolves.toBe('ECONNREFUSED')
    const [problem, ...others] = scope.finish().problems
    expect(others).toEqual([])
    expect(problem?.message).toContain(
      `no mock answered it (the mock at shop.suite.yaml:10 does not match: ${reason}`,
    )
    expect(problem?.at).toEqual([3, 5])
  })

  test('of another address or method is named beside the call', async () => {
    const charge = { method: 'POST', url: 'https://pay.example/v1/charge', respond: {} }
    const scope = (await start()).use([mock(charge), mock(charge), mock({ url: '*/x' })], context)
    await expect(send('https://pay.example/v1/charges', { method: 'POST' })).resolves.toBe('ECONNREFUSED')
    expect(scope.finish().problems[0]?.message).toContain(
      'no mock answered it (a mock is for `POST https://pay.example/v1/charge`; a mock is for `*/x`)',
    )
  })

  test('another word after a colon is another URL', async () => {
    const scope = (await start()).use([mock({ url: '*/models/*:generate', respond: {} })], context)
    await expect(send('https://ai.example/models/m:generate')).resolves.toBe('200 ')
    await expect(send('https://ai.example/models/m:stream')).resolves.toBe('ECONNREFUSED')
    expect(scope.finish().problems[0]?.message).toContain('a mock is for `*/models/*:generate`')
  })

  test('takes the first mock that matches, and fills in what it asks for when the call comes', async () => {
    const variables = { base: 'https://pay.example', key: 'one' }
    const scope = (await start()).use(
      [
        mock({
          url: '{{base}}/charges',
          when: { headers: { 'x-key': '{{key}}' } },
          respond: { body: 'keyed' },
        }),
        mock({ url: '*', respond: { body: 'other' } }),
      ],
      createContext(variables),
    )
    await expect(send(anywhere, { headers: { 'x-key': 'two' } })).resolves.toBe('200 other')
    variables.key = 'two'
    await expect(send(anywhere, { headers: { 'x-key': 'two' } })).resolves.toBe('200 keyed')
    expect(scope.finish().problems).toEqual([])
  })

  test('what it asks for may be computed from the request, such as a signature of the exact body', async () => {
    const signature = "{{js: crypto.hmacSha256('key', request.headers['x-at'] + '.' + request.text)}}"
    const when = { headers: { 'x-signature': signature }, body: { n: '{{request.path.n}}' } }
    const scope = (await start()).use([mock({ url: '*/hooks/:n', when, respond: {} })], context)
    const body = '{ "n":  "7" }'
    const signed = createHmac('sha256', 'key').update(`5.${body}`).digest('hex')
    const sendSigned = (text: string): Promise<string> =>
      send('https://shop.example/hooks/7', {
        ...post(text),
        headers: { 'x-at': '5', 'x-signature': signed },
      })
    await expect(sendSigned(body)).resolves.toBe('200 ')
    await expect(sendSigned('{"n":"7"}')).resolves.toBe('ECONNREFUSED')
    expect(scope.finish().problems[0]?.message).toContain(`but the request has \`${signed}\``)
  })

  test('a body of 50,000 levels is a text', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    const scope = (await start()).use(
      [
        mock({ url: anywhere, when: { body: [[]] }, respond: { body: 'list' } }),
        mock({ url: anywhere, when: { body: deep }, respond: { body: 'deep' } }),
      ],
      context,
    )
    await expect(send(anywhere, post(deep))).resolves.toBe('200 deep')
    await expect(send(anywhere, post(deep.slice(1, -1)))).resolves.toBe('ECONNREFUSED')
    expect(scope.finish().problems).toHaveLength(1)
  })

  test('a client that waits for `100 Continue` is asked for its body once, also on a kept-alive socket', async () => {
    const server = await startHttpServer((request, response) => void request.pipe(response))
    const mocks = [
      mock({ url: `${server.url}/real`, respond: 'passthrough' }),
      mock({ url: '*/mocked', when: { body: 'a' }, respond: { body: 'mocked' } }),
    ]
    const echo = handle.put('*', async ({ request }) => new Response(`handled ${await request.text()}`))
    ;(await start()).use([...mocks, mock({ url: keepHandler(echo) })], context)
    const agent = new http.Agent({ keepAlive: true })
    for (const [path, answer] of [
      ['/mocked', 'mocked'],
      ['/other', 'handled a'],
      ['/real', 'a'],
    ]) {
      const options = { method: 'PUT', headers: { expect: '100-continue' }, agent }
      const request = http.request(server.url + path, options)
      let asked = 0
      request.on('continue', () => ++asked === 1 && request.end('a')).flushHeaders()
      const [response] = (await once(request, 'response')) as [http.IncomingMessage]
      expect([await text(response), asked]).toEqual([answer, 1])
    }
    agent.destroy()
    await server.close()
  })

  test('a request that the application gives up half-way is no problem', async () => {
    const mocks = [mock({ url: anywhere, when: { body: { a: 1 } }, respond: {} })]
    const scope = (await start()).use(mocks, context)
    const request = https.request(anywhere, { method: 'POST' })
    const closed = new Promise((resolve) => request.on('error', () => {}).once('close', resolve))
    request.write('{"a":')
    setTimeout(() => request.destroy(), 20)
    await closed
    await scope.settle()
    expect(scope.finish().problems).toEqual([])
  })
})
