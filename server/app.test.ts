import { bodyParser } from '@koa/bodyparser'
import { Router } from '@koa/router'
import Koa from 'koa'
import supertest from 'supertest'
import { describe, expect, test } from 'vitest'
import { createApp, createRouter } from './app.ts'
import { startServer } from './start-server.ts'

describe('createApp', () => {
  test('answers without a server of ours around it', async () => {
    const request = supertest(createApp({ maxBody: 10 }).callback())
    const { body } = await request
      .post('/post')
      .type('text/plain')
      .send('[1]')
      .expect(200)
      .expect('access-control-allow-origin', '*')
    expect(body).toMatchObject({ data: '[1]', json: [1] })
    await request
      .post('/post')
      .type('text/plain')
      .send('x'.repeat(11))
      .expect(413, { error: 'the body is larger than 10 bytes' })
    await request.get('/websocket/echo').expect(426).expect('upgrade', 'websocket')
  })

  test('runs middleware of your own before its routes', async () => {
    const seen: string[] = []
    await using server = await startServer({
      middleware: [
        async (ctx, next) => {
          seen.push(ctx.path)
          if (ctx.path === '/closed') ctx.throw(403, 'not today', { headers: { 'X-Why': 'closed' } })
          await next()
          ctx.set('X-Route', String(ctx['_matchedRoute']))
        },
      ],
    })
    const answer = await fetch(`${server.url}/status/201`)
    expect([answer.status, answer.headers.get('x-route')]).toEqual([201, '/status/:codes'])
    const refusal = await fetch(`${server.url}/closed`)
    expect([refusal.status, refusal.headers.get('x-why'), await refusal.json()]).toEqual([
      403,
      'closed',
      { error: 'not today' },
    ])
    expect(seen).toEqual(['/status/201', '/closed'])
  })

  test('takes further routes after its own, printed and refused as all are', async () => {
    const app = createApp()
    const router = new Router()
    router.get('/orders/:id', (ctx) => {
      ctx.body = { id: ctx.params['id'], at: new Date(0), none: undefined }
    })
    router.get('/broken', () => {
      throw new Error('secret')
    })
    router.get('/text', (ctx) => {
      ctx.body = 'plain'
    })
    app.use(router.routes())
    const errors: unknown[] = []
    app.on('error', (error) => errors.push(error))
    const request = supertest(app.callback())
    const order = await request.get('/orders/a%20b').expect(200).expect('content-type', 'application/json')
    expect(order.text).toBe('{\n  "at": "1970-01-01T00:00:00.000Z",\n  "id": "a b"\n}\n')
    await request.get('/text').expect(200, 'plain').expect('server', 'suitecase')
    await request.delete('/orders/1').expect(405).expect('allow', 'GET, HEAD, OPTIONS')
    await request.get('/broken').expect(500, { error: 'internal error' })
    expect(errors).toEqual([new Error('secret')])
    await request.get('/nothing').expect(404, { error: 'there is nothing at /nothing' })
    await request.get('/get').expect(200)
  })

  test('leaves the bodies of further routes to them', async () => {
    const app = createApp({ maxBody: 10 })
    const router = new Router()
    router.post('/orders', bodyParser(), (ctx) => {
      ctx.body = { got: ctx.request.body }
    })
    router.post('/missing', (ctx) => {
      ctx.status = 404
    })
    router.get('/search', (ctx) => {
      ctx.body = ctx.query
    })
    app.use(router.routes())
    const request = supertest.agent(app.callback())
    const { body } = await request
      .post('/orders')
      .send({ items: ['a', 'b'] })
      .expect(200)
    expect(body).toEqual({ got: { items: ['a', 'b'] } })
    await request.post('/missing').send({ a: 1 }).expect(404, { error: 'there is nothing at /missing' })
    await request
      .post('/nothing')
      .send({ items: ['a', 'b'] })
      .expect(413)
    const search = await request.get('/search?b=1&a=2').expect('content-type', 'application/json')
    expect(search.text).toBe('{\n  "a": "2",\n  "b": "1"\n}\n')
  })

  test('refuses an option that it does not have', () => {
    const options: object = { maxbody: 1 }
    expect(() => createApp(options)).toThrow(
      'Expected an option of the echo server, got `maxbody`: it has middleware, maxBody,',
    )
    const origin = 'https://example.org'
    expect(() => createApp({ allowedRedirects: [origin, `${origin}/`] })).not.toThrow()
    expect(() => createApp({ allowedRedirects: [`${origin}/a`] })).toThrow(
      'Expected each of `allowedRedirects` to be an http(s) origin, got `https://example.org/a`',
    )
  })
})

describe('createRouter', () => {
  test('is mounted into another application, below a prefix', async () => {
    const app = new Koa()
    const router = createRouter({ prefix: '/echo', maxDelay: 1 })
    app.use((ctx, next) => {
      ctx.set('X-Request-Id', '7')
      return next()
    })
    app.use(router.routes()).use(router.allowedMethods())
    app.use((ctx) => {
      ctx.status = 404
      ctx.body = 'mine'
    })
    const request = supertest(app.callback())
    const { body } = await request
      .post('/echo/post?a=1')
      .send({ b: 1 })
      .expect(200)
      .expect('server', 'suitecase')
    expect(body).toMatchObject({
      args: { a: '1' },
      json: { b: 1 },
      url: expect.stringMatching(/\/echo\/post\?a=1$/),
    })
    await request
      .get('/echo/delay/2')
      .expect(400, { error: 'expected seconds from 0 to 1, got "2"' })
      .expect('x-request-id', '7')
    await request.get('/echo/redirect/2').expect(302).expect('location', '/echo/relative-redirect/1')
    await request.get('/echo/status/301').expect(301).expect('location', '/echo/redirect/1')
    await request.get('/echo/cookies/set?a=1').expect(302).expect('location', '/echo/cookies')
    expect((await request.get('/echo/forms/post').expect(200)).text).toContain('action="/echo/post"')
    await request.get('/echo/nothing').expect(404, 'mine')
    await request.get('/get').expect(404, 'mine')
  })

  test('leads to its own paths wherever it is mounted', async () => {
    const parent = new Router().use('/api', createRouter({ prefix: '/echo' }).routes())
    const request = supertest(new Koa().use(parent.routes()).callback())
    for (const [path, location] of [
      ['/redirect/2', '/relative-redirect/1'],
      ['/status/302', '/redirect/1'],
      ['/cookies/set/a/redirect', '/cookies'],
      ['/links/3', '/links/3/0'],
    ] as const)
      await request.get(`/api/echo${path}`).expect(302).expect('location', `/api/echo${location}`)
    expect((await request.get('/api/echo/forms/post')).text).toContain('action="/api/echo/post"')
  })

  test.each(['echo', '/echo/', '/'])('the prefix %s, below which nothing would be, is refused', (prefix) => {
    expect(() => createRouter({ prefix })).toThrow(
      `Expected the \`prefix\` option to be a path such as \`/echo\`, got \`${prefix}\``,
    )
  })

  test('reads bodies itself, and says so where another middleware has read them before', async () => {
    const app = new Koa()
    app.use(bodyParser())
    app.use(createRouter().routes())
    const errors: Error[] = []
    app.on('error', (error: Error) => errors.push(error))
    const request = supertest(app.callback())
    await request.post('/post').send({ a: 1 }).expect(500)
    expect(errors.map(({ message }) => message)).toEqual([
      'the body of this request has already been read: mount the echo routes before any middleware that reads bodies',
    ])
    await request.get('/get').expect(200)
  })
})
