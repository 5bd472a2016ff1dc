import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { attributeRequests } from '../../../src/mock/network.ts'
import { within } from '../../../src/run/wait.ts'

// An `import` would also load Node's own `fetch`, which takes 20 ms.
const { createServer } = process.getBuiltinModule('node:http')

/** A listening server, with a function that ends it at once. */
export type Listening = { url: string; close(): Promise<void> }

/**
 * Starts an application (see `EXPECTED`) on a free loopback port. Rejects with its own error, or with a `TypeError`
 * for anything else. The limits are in ms: until it listens, and until its own close has ended.
 */
export async function startApp(
  exported: unknown,
  { start = 30_000, close = 10_000 }: { start?: number; close?: number } = {},
): Promise<Listening> {
  const listening = await within(
    openApp(exported),
    { ms: start },
    `The app did not start within ${start} ms: its function or its \`ready\` did not finish.`,
  )
  const late = `The app did not close within ${close} ms: its own \`close\` did not finish.`
  return { url: listening.url, close: () => within(listening.close(), { ms: close }, late) }
}

async function openApp(exported: unknown): Promise<Listening> {
  // Awaits a promised application, and Fastify, a thenable that resolves when its plugins are loaded.
  const value = await exported
  const isMade = makesApp(value)
  const app = isMade ? await (unwrap(value) as () => unknown)() : value
  const open = findOpener(unwrap(app))
  if (!open)
    throw new TypeError(`${EXPECTED}${isMade ? '; the function returned' : ', got'} ${describeValue(app)}`)
  return open()
}

const EXPECTED =
  'Expected the app’s default export to be a Koa, Express, Hono, Fastify or NestJS application, a Node request listener or ' +
  'server, a fetch handler, `{ url, close }`, or a function without parameters that returns one of these'

export function makesApp(exported: unknown): exported is () => unknown {
  const value = unwrap(exported)
  return typeof value === 'function' && value.length === 0 && !isClass(value) && !isRouter(value)
}

/** Unwraps the default export of a CommonJS module that was compiled from ES modules. */
function unwrap(value: unknown): unknown {
  const isModule = typeof value === 'object' && value !== null && 'default' in value && !findOpener(value)
  return isModule ? value.default : value
}

type FetchHandler = (request: Request) => unknown

type AppLike = {
  callback(): RequestListener
  fetch: FetchHandler
  server: Server
  getHttpServer(): Server
  getHttpAdapter?(): { getInstance(): Partial<AppLike> }
  ready(): PromiseLike<unknown>
  init(): PromiseLike<unknown>
  close?(): unknown
  url: unknown
}

/** How to start a value, judged by its members, without loading a framework. Undefined if it does not look like an application. */
function findOpener(value: unknown): (() => Promise<Listening>) | undefined {
  if (typeof value === 'function') {
    if (isClass(value)) return undefined
    if (isRouter(value) || value.length >= 2)
      return () => listen(createServer(serve(value as RequestListener)))
    return value.length === 1 ? () => openFetch(value as FetchHandler) : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const app = value as AppLike
  // A server of node:http, https or http2
  if (hasMethods(app, 'listen', 'address', 'setTimeout')) return () => listen(value as Server)
  if (hasMethods(app, 'callback') && 'middleware' in app) return () => listen(createServer(app.callback()))
  if (hasMethods(app, 'ready', 'close', 'inject'))
    return () => openFramework(app, app.ready(), () => app.server)
  if (hasMethods(app, 'init', 'getHttpServer', 'close'))
    return () => openFramework(app, app.init(), () => app.getHttpServer())
  // Hono, and the default export of a Web-standard worker
  if (hasMethods(app, 'fetch')) return () => openFetch((request) => app.fetch(request), app)
  const { url } = app
  // The `url` of a restify server ends with `:0`, in some releases `:0000`, before it listens.
  if (typeof url !== 'string' || !/^https?:\/\/(?!.*:0+$)/.test(url) || !URL.canParse(url)) return undefined
  return async () => ({ url: url.replace(/\/$/, ''), close: async () => void (await app.close?.()) })
}

/** Calls a request listener. A fetch handler with two parameters looks like one, but would never answer. */
function serve(listener: (...given: Parameters<RequestListener>) => unknown): RequestListener {
  return async (request, response) => {
    const returned = await listener(request, response)
    if (returned instanceof Response)
      throw new TypeError(`${EXPECTED}; the request listener returned ${describeValue(returned)}`)
  }
}

/** Starts a web-standard handler. Its errors are printed, and answered with the status 500. What it uses is closed after its last request. */
async function openFetch(handler: FetchHandler, used?: Pick<AppLike, 'close'>): Promise<Listening> {
  const { createRequestListener } = await import('@remix-run/node-fetch-server')
  const answer = createRequestListener(async (request) => {
    const response = await handler(request)
    // Judged by its members, since the application may have its own Response class.
    if (['status', 'headers', 'body'].every((name) => name in Object(response))) return response as Response
    throw new TypeError(
      `Expected the app’s fetch handler to return a Response, got ${describeValue(response)}. ` +
        'A default export with one parameter is called with each request; a function that creates the application must have none.',
    )
  })
  const listener: RequestListener = (request, response) => {
    // The part of the body that the handler has not read would keep the connection's next request waiting.
    response.once('finish', () => request.removeAllListeners('data').resume())
    answer(request, response)
  }
  const listening = await listen(createServer(listener))
  const close = async (): Promise<void> => void (await listening.close().then(() => used?.close?.()))
  return { url: listening.url, close }
}

/** A framework's own close runs its hooks and waits for connections, so these are ended at the same time. */
async function openFramework(
  app: AppLike,
  prepared: PromiseLike<unknown>,
  readServer: () => Server,
): Promise<Listening> {
  await prepared
  // NestJS leaves Fastify unready until it listens itself.
  await app.getHttpAdapter?.().getInstance().ready?.()
  const listening = await listen(readServer())
  return {
    url: listening.url,
    close: async () => void (await Promise.all([listening.close(), app.close?.()])),
  }
}

function hasMethods(value: object, ...names: readonly string[]): boolean {
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
}

/** Express and connect applications are functions that are routers too. */
function isRouter(value: Function): boolean {
  return hasMethods(value, 'handle', 'use')
}

function isClass(value: Function): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value))
}

function describeValue(value: unknown): string {
  if (typeof value === 'function')
    return `the ${isClass(value) ? 'class' : 'function'} \`${value.name || 'anonymous'}\``
  if (typeof value !== 'object' || value === null) return `\`${String(value)}\``
  if (value instanceof Response) return 'a `Response`: a fetch handler has one parameter, `(request) => …`'
  return `an object with the members ${Object.keys(value).join(', ') || '(none)'}`
}

/** Makes a server listen on a free loopback port, unless it already listens. Rejects with the server's own error. */
async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  attributeRequests(server)
  if (server.address() === null) await startListening(server)
  const url = readAddress(server)
  return {
    url,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => {
          // The application may have closed it itself.
          if (error && (error as NodeJS.ErrnoException).code !== 'ERR_SERVER_NOT_RUNNING') reject(error)
          else resolve()
        })
        server.closeAllConnections?.()
        // Upgraded connections no longer belong to the HTTP server.
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function startListening(server: Server): Promise<void> {
  const listening = once(server, 'listening')
  try {
    server.listen({ host: '127.0.0.1', port: 0 })
  } catch (error) {
    // The application is already making it listen elsewhere: `listening` will follow.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SERVER_ALREADY_LISTEN') throw error
  }
  await listening
}

function readAddress(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new TypeError(
      `Expected the app’s server to listen on a TCP port, got ${address === null ? 'none' : `the pipe \`${address}\``}; export a server that does not listen yet, and suitecase will start it`,
    )
  const { address: host, port } = address
  // A server on all interfaces is reached through loopback.
  const asked = host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `${server instanceof TlsServer ? 'https' : 'http'}://${asked}:${port}`
}
