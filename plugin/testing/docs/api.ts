import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createApp } from '../../../server/index.ts'
import { startHttpServer, type HttpServer } from '../../../src/request/fixtures/http-server.ts'

/** A running server for the recipes: its URL, and how often each path was requested. */
export type Api = HttpServer & { counts: ReadonlyMap<string, number> }

type Asked = { request: IncomingMessage; url: URL; body: Buffer; count: number }
type Answer = { status?: number; body: unknown; headers?: Record<string, string> }

const order = { id: 7, sku: 'lamp', state: 'open' }
const closed =
  (answer: Answer) =>
  ({ request }: Asked): Answer =>
    request.headers.authorization === 'Bearer t-ann'
      ? answer
      : { status: 401, body: { error: 'log in first' } }

/** A shop with a login, jobs, pages, uploads, webhooks and limits. */
const routes: Record<string, (asked: Asked) => Answer | Promise<Answer>> = {
  'POST /login': ({ body }) => {
    const { user, password } = JSON.parse(String(body)) as Record<string, unknown>
    return user && password ? { body: { token: 't-ann' } } : { status: 401, body: {} }
  },
  'GET /me': closed({ body: { name: 'Ann' } }),
  'GET /orders': closed({ body: { items: [order] } }),
  'POST /orders': closed({ status: 201, body: order }),
  'GET /orders/7': closed({ body: order }),
  'POST /jobs': () => ({ status: 202, body: { id: 'j-1' } }),
  'GET /jobs/j-1': ({ count }) => ({
    body: count > 2 ? { state: 'done', file: '/files/export.csv' } : { state: 'running' },
  }),
  'GET /files/export.csv': () => ({
    headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="export.csv"' },
    body: 'sku,amount\nlamp,2\n',
  }),
  'POST /webhooks/payments': ({ request, body }) => {
    const signature = createHmac('sha256', 'WEBHOOK_SECRET-of-a-test').update(body).digest('hex')
    if (request.headers['x-signature'] !== `sha256=${signature}`) return { status: 401, body: {} }
    return { body: { received: (JSON.parse(String(body)) as { id: string }).id } }
  },
  'GET /items': ({ url }) => {
    const { page, cursor } = Object.fromEntries(url.searchParams)
    const number = Number(page ?? (cursor || 'c1').slice(1))
    const items = [2 * number - 1, 2 * number].map((id) => ({ id }))
    return { body: { page: number, items, next: number < 3 ? `c${number + 1}` : null } }
  },
  'GET /pages': ({ request, url }) => {
    const page = Number(url.searchParams.get('page') ?? 1)
    const link = (rel: string, to: number): string =>
      `<http://${request.headers.host}/pages?page=${to}>; rel="${rel}"`
    return {
      headers: {
        'content-type': 'application/json',
        link: [link('first', 1), ...(page < 3 ? [link('next', page + 1)] : [])].join(', '),
      },
      body: [{ id: page }],
    }
  },
  'POST /uploads': async ({ request, body }) => {
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const form = await new Response(new Uint8Array(body), { headers }).formData()
    const { name, type, size } = form.get('photo') as File
    return { status: 201, body: { name, type, size, title: form.get('title') } }
  },
  'PUT /uploads/me.png': ({ body }) => ({ body: { size: body.length } }),
  'POST /mcp': ({ request, body }) => {
    const { id, method } = JSON.parse(String(body)) as { id?: number; method: string }
    const isNew = method === 'initialize'
    if (!isNew && request.headers['mcp-session-id'] !== 's-1') return { status: 404, body: {} }
    if (id === undefined) return { status: 202, headers: {}, body: '' }
    const results: Record<string, unknown> = {
      initialize: { serverInfo: { name: 'shop' } },
      'tools/call': { content: [{ type: 'text', text: '5' }] },
    }
    const [name, value]: [string, unknown] =
      method in results ? ['result', results[method]] : ['error', { code: -32601 }]
    return {
      headers: { 'content-type': 'text/event-stream', ...(isNew && { 'mcp-session-id': 's-1' }) },
      body: `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, [name]: value })}\n\n`,
    }
  },
  'GET /mcp': () => ({ headers: { 'content-type': 'text/event-stream' }, body: '' }),
  'DELETE /mcp': () => ({ body: {} }),
  'GET /limited/probe': () => ({ body: {} }),
  'GET /limited/strict': () => ({ status: 429, headers: { 'retry-after': '0' }, body: {} }),
  ...Object.fromEntries(
    ['lamp', 'desk', 'chair'].map((sku) => [
      `GET /limited/${sku}`,
      ({ count }: Asked) =>
        count === 1 ? { status: 429, headers: { 'retry-after': '0' }, body: {} } : { body: {} },
    ]),
  ),
}

/** Starts the server for the recipes. Paths that it does not know are answered by the echo server. */
export async function startApi(): Promise<Api> {
  const counts = new Map<string, number>()
  const echo = createApp().callback()
  const server = await startHttpServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const name = `${request.method} ${url.pathname}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const route = routes[name]
    if (!route) return echo(request, response)
    const asked = { request, url, count, body: Buffer.concat(await request.toArray()) }
    const { status = 200, headers = { 'content-type': 'application/json' }, body } = await route(asked)
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return { ...server, counts }
}
