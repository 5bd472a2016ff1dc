import { createHash } from 'node:crypto'
import { describe, expect, test } from '../fixture.ts'

describe('/oauth/token', () => {
  const form = (fields: Record<string, string>): { method: string; body: URLSearchParams } => ({
    method: 'POST',
    body: new URLSearchParams(fields),
  })

  test.for<[grant: string, fields: Record<string, string>, keys: string[]]>([
    ['client_credentials', {}, ['access_token', 'expires_in', 'token_type']],
    [
      'password',
      { username: 'ann', password: 'p', scope: 'read' },
      ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type'],
    ],
  ])('gives a token for %s, which /bearer takes', async ([grant, fields, keys], { echo }) => {
    const answer = await fetch(
      `${echo.url}/oauth/token`,
      form({ grant_type: grant, client_id: 'c', ...fields }),
    )
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const token = (await answer.json()) as { access_token: string; refresh_token?: string }
    expect(Object.keys(token)).toEqual(keys)
    await echo.request.get('/bearer').auth(token.access_token, { type: 'bearer' }).expect(200)
    if (token.refresh_token === undefined) return
    const refresh = form({ grant_type: 'refresh_token', client_id: 'c', refresh_token: token.refresh_token })
    const renewed = (await (await fetch(`${echo.url}/oauth/token`, refresh)).json()) as typeof token
    expect(renewed.access_token).not.toBe(token.access_token)
  })

  test('takes basic authentication for the client, and gives tokens that end at once when asked', async ({
    echo,
  }) => {
    const { body } = await echo.request
      .post('/oauth/token?expires_in=0')
      .auth('client', 'secret')
      .type('form')
      .send({ grant_type: 'client_credentials' })
      .expect(200)
    await echo.request
      .get('/bearer')
      .auth(body.access_token, { type: 'bearer' })
      .expect(401)
      .expect('www-authenticate', 'Bearer error="invalid_token"')
  })

  test.for<[fields: Record<string, string>, status: number, error: string]>([
    [{}, 400, 'invalid_request'],
    [{ grant_type: 'client_credentials' }, 401, 'invalid_client'],
    [{ grant_type: 'magic', client_id: 'c' }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'constructor', client_id: 'c' }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'password', client_id: 'c', username: 'ann' }, 400, 'invalid_request'],
    [{ grant_type: 'refresh_token', client_id: 'c' }, 400, 'invalid_request'],
  ])('refuses %j', async ([fields, status, error], { echo }) => {
    const answer = await fetch(`${echo.url}/oauth/token`, form(fields))
    expect([answer.status, await answer.json()]).toEqual([
      status,
      { error, error_description: expect.any(String) },
    ])
  })

  test('takes forms alone', async ({ echo }) => {
    await echo.request
      .post('/oauth/token')
      .send({ grant_type: 'client_credentials', client_id: 'c' })
      .expect(400)
    await echo.request.get('/oauth/token').expect(405)
  })
})

describe('/graphql', () => {
  test('answers a query with variables', async ({ echo }) => {
    const first =
      '{"query": "query Q($n: Int) { users(first: $n) { id } }", "variables": {"n": 1.0}, "operationName": "Q"}'
    const one = await echo.request.post('/graphql').type('json').send(first).expect(200)
    expect(one.body).toEqual({ data: { users: [{ id: '1' }] } })
    const query = 'query Q($id: ID!) { user(id: $id) { name role orders { total items } } hello(name: "x") }'
    const { body } = await echo.request
      .post('/graphql')
      .send({ query, variables: { id: '1' } })
      .expect(200)
    expect(body).toEqual({
      data: {
        hello: 'Hello, x!',
        user: { name: 'Ada', role: 'ADMIN', orders: [{ total: 12.5, items: ['tea', 'cup'] }] },
      },
    })
  })

  test('answers lists, nulls and mutations', async ({ echo }) => {
    const ask = async (query: string): Promise<unknown> =>
      (await echo.request.post('/graphql').send({ query }).expect(200)).body
    expect(await ask('{ users(role: MEMBER) { id } user(id: 9) { id } }')).toEqual({
      data: { user: null, users: [{ id: '2' }] },
    })
    expect(
      await ask('mutation { createUser(name: "Eve", email: "e@example.org") { id name role } }'),
    ).toEqual({
      data: { createUser: { id: '3', name: 'Eve', role: 'MEMBER' } },
    })
  })

  test.for<[what: string, query: string, message: string]>([
    ['syntax', '{ users', 'Syntax Error'],
    ['fields', '{ nothing }', 'Cannot query field "nothing"'],
    ['variables', 'query ($id: ID!) { user(id: $id) { id } }', 'Variable "$id"'],
    ['size', `{ ${'hello '.repeat(2000)} }`, 'Document contains more'],
    [
      'introspection',
      `{ __schema { types { ${'fields { type { '.repeat(9)} name ${'} } '.repeat(9)} } } }`,
      'introspection',
    ],
  ])('tells of errors in %s with 200', async ([, query, message], { echo }) => {
    const { body } = await echo.request.post('/graphql').send({ query }).expect(200)
    expect(body.errors[0].message).toContain(message)
  })

  test.for([['{'], ['[]'], ['{"query": 1}'], ['{"query": "{ hello }", "variables": 1}']])(
    'refuses %s',
    async ([body], { echo }) => {
      await echo.request
        .post('/graphql')
        .type('json')
        .send(body ?? '')
        .expect(400)
    },
  )
})

describe('streams to try', () => {
  test('/ndjson gives lines over a time', async ({ echo }) => {
    const started = performance.now()
    const answer = await fetch(`${echo.url}/ndjson/3?duration=0.2&delay=0.1`)
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    expect(await answer.text()).toBe(
      '{"id":0,"name":"item 0"}\n{"id":1,"name":"item 1"}\n{"id":2,"name":"item 2"}\n',
    )
    expect(performance.now() - started).toBeGreaterThan(290)
    expect(await (await fetch(`${echo.url}/ndjson/0`)).text()).toBe('')
    await echo.request.get('/ndjson/101').expect(400)
  })

  test('/sse sends the texts it is given, or pings', async ({ echo }) => {
    const url = `${echo.url}/sse?duration=0&data=a&data=b%0Ac&data=[DONE]`
    expect(await (await fetch(url)).text()).toBe(
      'id: 0\ndata: a\n\nid: 1\ndata: b\ndata: c\n\nid: 2\ndata: [DONE]\n\n',
    )
    const named = await fetch(`${echo.url}/sse?duration=0&data=x&event=delta`)
    expect(await named.text()).toBe('event: delta\nid: 0\ndata: x\n\n')
    const pings = await fetch(`${echo.url}/sse?duration=0&count=1`)
    expect(await pings.text()).toMatch(/^event: ping\nid: 0\ndata: \{"id":0,/)
    await echo.request.get('/sse?event=a%0Ab&duration=0').expect(400)
    await echo.request.get(`/sse?${'data=a&'.repeat(101)}`).expect(400)
  })
})

test("/html and /xml are httpbin's, to the byte", async ({ echo }) => {
  const hash = async (path: string): Promise<string> =>
    createHash('sha256')
      .update(await (await fetch(echo.url + path)).text())
      .digest('hex')
  expect([await hash('/html'), await hash('/xml')]).toEqual([
    '3f324f9914742e62cf082861ba03b207282dba781c3349bee9d7c1b5ef8e0bfe',
    '8af142cb967d18f96520013a33760bbf5459f60a521d224a4ddd40c7794758bc',
  ])
})
