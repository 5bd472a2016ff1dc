import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Router } from '@koa/router'
import { text } from 'node:stream/consumers'
import Koa from 'koa'
import { createRouter, startServer } from '../server/index.ts'

// A server in its own process: ours, or plain Koa with a router that does the same work. It sends its port
// and, for every message, the processor time it has used so far, in µs.

async function startPlain(): Promise<number> {
  const router = new Router()
  // As many routes as the echo server has, in the same order: the router tries them all.
  for (const { path, methods } of createRouter().stack)
    if (methods.length > 0 && path !== '/get' && path !== '/post')
      router.register(path, methods, (ctx) => void (ctx.status = 404))
  router.get('/get', (ctx) => void (ctx.body = print(describeGet(ctx.req))))
  router.post('/post', async (ctx) => {
    const data = await text(ctx.req)
    const echo = { ...describeGet(ctx.req), data, files: {}, form: {}, json: JSON.parse(data) as unknown }
    ctx.body = print(echo)
  })
  const app = new Koa()
  app.use(async (ctx, next) => {
    ctx.set(HEADERS)
    await next()
  })
  const server = app.use(router.routes()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
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
  const args: Json = {}
  for (const name of url.searchParams.keys()) {
    const values = url.searchParams.getAll(name)
    args[name] = values.length > 1 ? values : values[0]
  }
  return { args, headers, origin: message.socket.remoteAddress, url: url.href }
}

function print(value: Json): string {
  return `${JSON.stringify(sortKeys(value), undefined, 2).replaceAll(/[^\n -~]/g, escapeUnit)}\n`
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]))
}

process.send?.(process.argv[2] === 'suitecase' ? (await startServer()).port : await startPlain())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.on('disconnect', () => process.exit())
