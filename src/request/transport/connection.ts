import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { Client } from 'undici'
import { openSocket } from './open-socket.ts'
import type { Route } from './open-socket.ts'
import type { FindProxy } from './proxy.ts'
import { tapSocket } from './observe-wire.ts'
import type { Tap } from './observe-wire.ts'

/** A kept-alive connection. It carries one request at a time, so whatever happens on it belongs to `progress`. */
export type Connection = Tap & {
  client: Client
  route: Route
  /** True once the server is known to keep it after an answer. */
  kept: boolean
  /** When its last answer was complete (`performance.now()`), and for how many ms after that its server keeps it. */
  freeSince: number
  keptFor: number
  /** Ends the connection at once, also while it is being opened. */
  discard(): void
}

/** Prepares a connection to an origin; the socket is opened by the first request, and again after it was closed. */
export function createConnection(origin: string, insecure: boolean, findProxy: FindProxy): Connection {
  const { route, problem } = readRoute(origin, insecure, findProxy)
  let socket: Socket | undefined
  const client = new (loadClient())(origin, {
    // The request's own `timeout` covers these phases.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Heads are measured by the tap; this bounds trailers.
    maxHeaderSize: 1024 * 1024,
    connect: (_options, done) => {
      if (connection.progress === undefined) return done(new Error('no request to connect for'), null)
      if (problem !== undefined) return done(Object.assign(problem, { code: 'PROXY_INVALID' }), null)
      connection.unsentWrites = 0
      connection.kept = false
      socket = openSocket(route, connection.progress, (error, opened) => {
        if (opened === null) return done(error ?? new Error('no socket'), null)
        tapSocket(opened, connection)
        return done(null, opened)
      })
    },
  })
  const connection: Connection = {
    client,
    route,
    progress: undefined,
    unsentWrites: 0,
    kept: false,
    freeSince: 0,
    keptFor: 0,
    discard() {
      // The client first, so that its requests hear why.
      void client.destroy()
      socket?.destroy()
    },
  }
  return connection
}

function readRoute(
  origin: string,
  insecure: boolean,
  findProxy: FindProxy,
): { route: Route; problem?: Error } {
  const url = new URL(origin)
  const protocol = url.protocol as Route['protocol']
  const route: Route = {
    protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (protocol === 'https:' ? 443 : 80)),
    insecure,
  }
  const proxy = findProxy(route)
  if (proxy instanceof TypeError) return { route, problem: proxy }
  if (proxy !== undefined) route.proxy = proxy
  return { route }
}

let constructor: typeof Client | undefined

/** Loads undici's client alone: the whole package takes some 40 ms more, in every worker. */
export function loadClient(): typeof Client {
  constructor ??= createRequire(import.meta.url)('undici/lib/dispatcher/client.js') as typeof Client
  return constructor
}
