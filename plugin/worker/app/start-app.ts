import { createServer, type RequestListener, type Server } from 'node:http'
import { listen, type Listening } from './listen.ts'
import type { FetchHandler } from './serve-fetch.ts'

/** What an application turns out to be: something that can be started, or a function that makes it. */
type AppKind = { open(): Promise<Listening> } | { create(): unknown }

/**
 * Starts an application on a free loopback port: a Koa, Express, Hono, Fastify or NestJS application, a Node request listener
 * or server, a fetch handler, a `{ url, close }`, or a (possibly async) function that returns one of these. Rejects with
 * the application's own error, or with a `TypeError` for what is none of these. The limits are ms until it listens and
 * until its own close has ended.
 */
export async function startApp(
  exported: unknown,
  limits: { start?: number; close?: number } = {},
): Promise<Listening> {
  const { start = 30_000, close = 10_000 } = limits
  const listening = await within(
    openApp(exported),
    start,
    `The app did not start within ${start} ms: its function or its \`ready\` has not come to an end.`,
  )
  let closing: Promise<void> | undefined
  return {
    url: listening.url,
    close: () =>
      (closing ??= within(
        listening.close(),
        close,
        `The app did not close within ${close} ms: its own \`close\` has not come to an end.`,
      )),
  }
}

async function openApp(exported: unknown): Promise<Listening> {
  // A promise of an application is awaited; so is Fastify, which then has loaded its plugins.
  const value = await exported
  const app = recogniseApp(value)
  if (!app) throw new TypeError(`${EXPECTED}, got ${describe(value)}`)
  if ('open' in app) return app.open()
  const created = await app.create()
  const product = recogniseApp(created)
  if (product && 'open' in product) return product.open()
  throw new TypeError(`${EXPECTED}; the function returned ${describe(created)}`)
}

const EXPECTED =
  'Expected the app’s default export to be a Koa, Express, Hono, Fastify or NestJS application, a Node request listener or ' +
  'server, a fetch handler, `{ url, close }`, or a function without parameters that returns one of these'

/** True for a function that makes an application, a new one with each call. */
export function makesApp(exported: unknown): exported is () => unknown {
  const app = recogniseApp(exported)
  return app !== undefined && 'create' in app
}

/** Waits for a promise, at most `limit` ms; rejects with an error of this message after that. What the promise does later is ignored. */
async function within<Value>(promise: Promise<Value>, limit: number, message: string): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(message)), limit)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

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
function recogniseApp(value: unknown): AppKind | undefined {
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
  if (isClass(value)) return undefined
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

function isClass(value: Function): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value))
}

/** What a value is, for messages: of an object the names alone, as its values may be secret. */
function describe(value: unknown): string {
  if (typeof value === 'function')
    return `the ${isClass(value) ? 'class' : 'function'} \`${value.name || 'anonymous'}\``
  if (typeof value !== 'object' || value === null) return `\`${String(value)}\``
  if (value instanceof Response) return 'a `Response`: a fetch handler has one parameter, `(request) => …`'
  const advice = Object.hasOwn(value, 'app') ? ': export what `app` holds, and nothing else' : ''
  return `an object with the members ${Object.keys(value).join(', ') || '(none)'}${advice}`
}
