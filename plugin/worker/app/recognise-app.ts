import { createServer, type RequestListener, type Server } from 'node:http'
import type { Json } from '../../../src/json.ts'
import { describeValue } from '../../../src/request/build-problem.ts'
import { listen, type Listening } from './listen.ts'

/** A Web-standard request handler. */
export type FetchHandler = (request: Request) => unknown

/** What an application turns out to be: something that can be started, or a function that makes it. */
export type AppKind = { open(): Promise<Listening> } | { create(): unknown }

/** The part of a Fastify instance that is used. */
type FastifyLike = {
  server: Server
  ready(): PromiseLike<unknown>
  listen(address: { host: string; port: number }): Promise<unknown>
  close(): PromiseLike<unknown>
}

/** The part of a NestJS application that is used. */
type NestLike = {
  init(): Promise<unknown>
  getHttpServer(): Server
  listen(port: number, host: string): Promise<unknown>
  close(): Promise<unknown>
}

type Members = Record<string, unknown>

/** Tells by its members what a value is, without loading a framework; undefined for what no application looks like. */
export function recogniseApp(value: unknown): AppKind | undefined {
  if (typeof value === 'function')
    return recogniseFunction(value as Members & ((...args: never[]) => unknown))
  if (typeof value !== 'object' || value === null) return undefined
  const app = value as Members
  if (hasMethods(app, ['listen', 'address', 'closeAllConnections']))
    return { open: () => listen(value as Server) }
  // Koa
  if (hasMethods(app, ['callback']) && Array.isArray(app['middleware']))
    return openListener((app as { callback(): RequestListener }).callback())
  if (hasMethods(app, ['ready', 'close', 'inject']) && typeof app['server'] === 'object')
    return { open: () => openFastify(value as FastifyLike) }
  if (hasMethods(app, ['init', 'getHttpServer', 'listen', 'close']))
    return { open: () => openNest(value as NestLike) }
  // Hono, and the default export of a Web-standard worker
  if (hasMethods(app, ['fetch']))
    return openFetch((request) => (app as { fetch: FetchHandler }).fetch(request))
  if (typeof app['url'] === 'string') return recogniseAddress(app as Members & { url: string })
  // A CommonJS module that was compiled from `export default`
  const inner = app['default']
  return inner === value || (typeof inner === 'object' && inner !== null && 'default' in inner)
    ? undefined
    : recogniseApp(inner)
}

function recogniseFunction(value: Members & ((...args: never[]) => unknown)): AppKind | undefined {
  if (/^class\b/.test(Function.prototype.toString.call(value))) return undefined
  // Express and connect are functions with a router.
  if (hasMethods(value, ['handle', 'use']) || value.length >= 2)
    return openListener(value as unknown as RequestListener)
  return value.length === 1 ? openFetch(value as unknown as FetchHandler) : { create: value }
}

function recogniseAddress(app: Members & { url: string; close?: unknown }): AppKind | undefined {
  const { url, close } = app
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return undefined
  if (close !== undefined && typeof close !== 'function') return undefined
  return {
    open: async () => ({ url: url.replace(/\/$/, ''), close: async () => void (await close?.call(app)) }),
  }
}

function openListener(listener: RequestListener): AppKind {
  return { open: () => listen(createServer(listener)) }
}

function openFetch(handler: FetchHandler): AppKind {
  return { open: async () => listen(createServer((await import('./serve-fetch.ts')).serveFetch(handler))) }
}

async function openFastify(app: FastifyLike): Promise<Listening> {
  await app.ready()
  return closeBoth(app, await listen(app.server, (address) => app.listen(address)))
}

async function openNest(app: NestLike): Promise<Listening> {
  await app.init()
  return closeBoth(app, await listen(app.getHttpServer(), ({ port, host }) => app.listen(port, host)))
}

/** A framework's own close runs the hooks and waits for connections, which therefore end at the same time. */
function closeBoth(app: { close(): PromiseLike<unknown> }, listening: Listening): Listening {
  return {
    url: listening.url,
    close: async () => void (await Promise.all([listening.close(), app.close()])),
  }
}

function hasMethods(value: Members, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'function')
}

/** What a value is, for messages. */
export function describeApp(value: unknown): string {
  if (value === null || value === undefined) return `\`${value}\``
  if (typeof value === 'function')
    return `the ${/^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'function'} \`${value.name || 'anonymous'}\``
  if (typeof value !== 'object') return describeValue(value as Json)
  if (value instanceof Response) return 'a `Response`: a fetch handler has one parameter, `(request) => …`'
  const names = Object.keys(value)
  const shown = names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : '')
  return names.length === 0 ? 'an object without members' : `an object with the members ${shown}`
}
