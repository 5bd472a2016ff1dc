import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Router } from '@koa/router'
import Koa, { type Context } from 'koa'
import { createRouter } from '../../../server/index.ts'

/** A running server that has what the recipes ask for: the url, and how often each path was asked for. */
export type Api = AsyncDisposable & { url: string; counts: ReadonlyMap<string, number> }

/** The server behind the recipes: a shop with a login, jobs, pages, uploads and limits; the rest is answered by the echo server. */
export async function startApi(): Promise<Api> {
  const counts = new Map<string, number>()
  const app = new Koa()
  app.use(async ({ method, path }, next) => {
    counts.set(`${method} ${path}`, (counts.get(`${method} ${path}`) ?? 0) + 1)
    await next()
  })
  app.use(shop(counts).routes())
  app.use(createRouter().routes())
  const server = createServer(app.callback())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function shop(counts: ReadonlyMap<string, number>): Router {
  const router = new Router()
  const order = { id: 7, sku: 'lamp', state: 'open' }
  const answer = (status: number, body: unknown) => (ctx: Context) => {
    ctx.status = status
    ctx.body = body
  }
  const closed = (next: (ctx: Context) => unknown) => (ctx: Context) =>
    ctx.get('authorization') === 'Bearer t-ann' ? next(ctx) : answer(401, { error: 'log in first' })(ctx)
  router.post('/login', async (ctx) => {
    const { user, password } = JSON.parse(await readText(ctx)) as Record<string, unknown>
    answer(user && password ? 200 : 401, { token: 't-ann' })(ctx)
  })
  router.get('/me', closed(answer(200, { name: 'Ann' })))
  router.get('/orders', closed(answer(200, { items: [order] })))
  router.post('/orders', closed(answer(201, order)))
  router.get('/orders/7', closed(answer(200, order)))
  router.post('/jobs', answer(202, { id: 'j-1' }))
  router.get('/jobs/j-1', (ctx) => {
    const isDone = (counts.get('GET /jobs/j-1') ?? 0) > 2
    answer(200, isDone ? { state: 'done', file: '/files/export.csv' } : { state: 'running' })(ctx)
  })
  router.get('/files/export.csv', (ctx) => {
    ctx.type = 'csv'
    ctx.body = 'sku,amount\nlamp,2\n'
  })
  router.get('/items', (ctx) => {
    const page = Number(ctx.query['page'] ?? (ctx.query['cursor'] || 'c1').slice(1))
    const items = [2 * page - 1, 2 * page].map((id) => ({ id }))
    answer(200, { page, items, next: page < 3 ? `c${page + 1}` : null })(ctx)
  })
  router.post('/uploads', async (ctx) => {
    const form = await readForm(ctx)
    const photo = form.get('photo') as File
    answer(201, { name: photo.name, type: photo.type, title: form.get('title'), size: photo.size })(ctx)
  })
  router.put('/uploads/me.png', async (ctx) => answer(200, { size: (await readText(ctx)).length })(ctx))
  router.get('/limited/probe', answer(200, {}))
  router.get('/limited/:sku', (ctx) => {
    const isFirst = counts.get(`GET ${ctx.path}`) === 1
    if (isFirst || ctx.path.endsWith('strict')) ctx.set('retry-after', '0')
    answer(isFirst || ctx.path.endsWith('strict') ? 429 : 200, {})(ctx)
  })
  return router
}

async function readText({ req }: Context): Promise<string> {
  return Buffer.concat(await req.toArray()).toString()
}

async function readForm(ctx: Context): Promise<FormData> {
  const body = Buffer.concat(await ctx.req.toArray())
  return new Response(body, { headers: { 'content-type': ctx.get('content-type') } }).formData()
}
