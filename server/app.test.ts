import supertest from 'supertest'
import { describe, expect, test } from 'vitest'
import { createApp } from './app.ts'

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
    await request.get('/websocket/echo').expect(426)
  })

  test('takes further middleware before it', async () => {
    const app = createApp()
    app.middleware.unshift(async (ctx, next) => {
      ctx.req.headers.origin = 'http://from.middleware'
      await next()
    })
    const { headers } = await supertest(app.callback()).get('/get')
    expect(headers['access-control-allow-origin']).toBe('http://from.middleware')
  })
})
