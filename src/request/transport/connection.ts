import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { Client } from 'undici'
import type { ConnectionSettings } from '../exchange.ts'
import { observeWire, type Tap } from './observe-wire.ts'
import { openSocket, type Route } from './open-socket.ts'
import { findProxy } from './proxy.ts'

/** A kept-alive connection. It carries one request at a time, so whatever happens on it belongs to `progress`. */
export type Connection = Tap & {
  client: Client
  route: Route
  /** When its last answer was complete (`performance.now()`). */
  freeSince: number
  /** Ends the connection at once, also while it is being opened. */
  discard(): void
}

/** Prepares a connection to an origin; the socket is opened by the first request, and again after it was closed. */
function createConnection(origin: string, settings: ConnectionSettings, headLimit: number): Connection {
  const { route, problem } = readRoute(origin, settings)
  // Not `settings`, in functions that live as long as the connection: with them go the step and its answer.
  const { http2 } = route
  let socket: Socket | undefined
  const client = new (loadClient())(origin, {
    // The request's own `timeout` covers these phases.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: headLimit + 1,
    allowH2: http2,
    connect: (_options, done) => {
      if (connection.progress === undefined) return done(new Error('no request to connect for'), null)
      if (problem !== undefined) return done(problem, null)
      connection.unsentWrites = 0
      socket = openSocket(route, connection.progress, (error, opened) => {
        if (opened === null) return done(error ?? new Error('no socket'), null)
        if (!http2) observeWire(opened, connection)
        return done(null, opened)
      })
    },
  })
  const connection: Connection = {
    client,
    route,
    progress: undefined,
    unsentWrites: 0,
    freeSince: 0,
    discard() {
      // The client first, so that its requests hear why.
      void client.destroy()
      socket?.destroy()
    },
  }
  return connection
}

/** A text that is the same for the same settings; it holds no secret. */
function nameSettings({ insecure, http2, proxy, tls }: ConnectionSettings): string {
  if (!insecure && !http2 && proxy === undefined && tls === undefined) return ''
  const text = JSON.stringify([insecure === true, http2 === true, proxy ?? null, tls ?? null])
  return createHash('sha256').update(text).digest('base64')
}

/** Where a connection to an origin leads, with what is wrong with its settings. */
export function readRoute(origin: string, settings: ConnectionSettings): { route: Route; problem?: Error } {
  const url = new URL(origin)
  const protocol = url.protocol as Route['protocol']
  const { insecure = false, http2 = false, tls } = settings
  const route: Route = {
    protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (protocol === 'https:' ? 443 : 80)),
    insecure,
    http2,
    ...(tls && { tls }),
  }
  const proxy = findProxy(settings.proxy, route)
  if (proxy instanceof Error) return { route, problem: Object.assign(proxy, { code: 'PROXY_INVALID' }) }
  if (proxy !== undefined) route.proxy = proxy
  if (http2 && protocol === 'http:') {
    const problem = new Error('HTTP/2 needs TLS: use an https URL, or leave `http2` out')
    return { route, problem: Object.assign(problem, { code: 'HTTP2_NEEDS_TLS' }) }
  }
  return { route }
}

let constructor: typeof Client | undefined

/** Loads undici's client alone: the whole package takes some 40 ms more, in every worker. */
export function loadClient(): typeof Client {
  constructor ??= createRequire(import.meta.url)('undici/lib/dispatcher/client.js') as typeof Client
  return constructor
}

/** Kept-alive connections by origin and settings. */
export type ConnectionPool = {
  /** `fresh`: a new connection; `sure`: no idle one that its server may be about to close, so none that was idle for a second. */
  acquire(origin: string, settings: ConnectionSettings, need?: 'fresh' | 'sure'): Connection
  /** Takes a connection back whose request ended well and left nothing on it. */
  release(connection: Connection): void
  /** Takes back and ends a connection that cannot be used again. */
  drop(connection: Connection): void
  /** Ends all connections, those in use included. */
  close(): Promise<void>
}

/** Creates a pool, for any number of requests at once, whose answers have heads of at most so many bytes. Idle connections close after 4 s, or earlier if the server's `keep-alive` header says so, and keep no process alive. */
export function createPool(headLimit: number): ConnectionPool {
  /** Idle connections by origin and settings. */
  const idle = new Map<string, Connection[]>()
  /** All connections, each with the list it is in while it is idle. */
  const open = new Map<Connection, Connection[]>()
  let closed = false
  // Here, so that no request is timed with it.
  loadClient()

  function create(origin: string, settings: ConnectionSettings, list: Connection[]): Connection {
    const connection = createConnection(origin, settings, headLimit)
    open.set(connection, list)
    connection.client.on('disconnect', () => {
      const at = list.indexOf(connection)
      if (at === -1) return
      list.splice(at, 1)
      open.delete(connection)
    })
    return connection
  }

  return {
    acquire(origin, settings, need) {
      const key = origin + nameSettings(settings)
      const list = idle.get(key) ?? []
      idle.set(key, list)
      const connection = takeIdle(list, need) ?? create(origin, settings, list)
      if (closed) connection.discard()
      return connection
    },
    release(connection) {
      if (closed) return connection.discard()
      connection.progress = undefined
      connection.freeSince = performance.now()
      open.get(connection)?.push(connection)
    },
    drop(connection) {
      open.delete(connection)
      connection.discard()
    },
    async close() {
      closed = true
      const connections = [...open.keys()]
      open.clear()
      for (const connection of connections) connection.discard()
      await Promise.all(connections.map((connection) => connection.client.destroy()))
    },
  }
}

/** The last one used: it is the least likely to be closed by its server. */
function takeIdle(list: Connection[], need: 'fresh' | 'sure' | undefined): Connection | undefined {
  const last = list.at(-1)
  if (last === undefined || need === 'fresh') return undefined
  return need === 'sure' && performance.now() - last.freeSince > 1000 ? undefined : list.pop()
}
