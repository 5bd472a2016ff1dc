import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import { startServer } from '../server/index.ts'

/** The servers that are compared: ours, the least that gives the same bytes, and the same in plain Koa. */
export type Candidate = 'suitecase' | 'node:http' | 'koa + router'

const CANDIDATES: readonly Candidate[] = ['suitecase', 'node:http', 'koa + router']

/** Whether a word names a candidate. */
export function isCandidate(word: string): word is Candidate {
  return CANDIDATES.some((candidate) => candidate === word)
}

/** Starts one on a free port and returns the port. */
export async function startCandidate(candidate: Candidate): Promise<number> {
  if (candidate === 'suitecase') return (await startServer()).port
  return listen(candidate === 'node:http' ? createBareServer() : createServer(createPlainApp().callback()))
}

function createBareServer(): Server {
  return createServer((message, response) => {
    void answer(message, response)
  })
}

async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const data = await readText(message)
  const body = print(message.method === 'POST' ? describePost(message, data) : describeGet(message))
  response.writeHead(200, { ...HEADERS, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

function createPlainApp(): Koa {
  const app = new Koa()
  const router = new Router()
  for (const path of ['/headers', '/ip', '/status/:code', '/delay/:seconds', '/anything']) {
    router.all(path, (ctx) => void (ctx.status = 404))
  }
  router.get('/get', (ctx) => void (ctx.body = print(describeGet(ctx.req))))
  router.post('/post', async (ctx) => {
    ctx.body = print(describePost(ctx.req, await readText(ctx.req)))
  })
  app.use(async (ctx, next) => {
    ctx.set(HEADERS)
    await next()
  })
  app.use(router.routes())
  return app
}

const HEADERS = {
  'Content-Type': 'application/json',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Credentials': 'true',
  'X-Content-Type-Options': 'nosniff',
  Server: 'suitecase',
}

type Json = { [key: string]: unknown }

function describeGet(message: IncomingMessage): Json {
  const url = new URL(message.url ?? '/', `http://${message.headers.host}`)
  const headers: Json = {}
  for (const [name, value] of Object.entries(message.headers)) {
    headers[name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())] = value
  }
  const args = Object.fromEntries(url.searchParams)
  return { args, headers, origin: message.socket.remoteAddress, url: url.href }
}

function describePost(message: IncomingMessage, data: string): Json {
  return { ...describeGet(message), data, files: {}, form: {}, json: JSON.parse(data) }
}

function print(value: Json): string {
  return `${JSON.stringify(sortKeys(value), undefined, 2)}\n`
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]))
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  message.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(message, 'end')
  return Buffer.concat(chunks).toString()
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}
