import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { callbackify } from 'node:util'
import type { Client } from 'undici'
import { splitTarget, type ConnectionSettings } from '../exchange.ts'
import { RequestProblem } from '../request-problem.ts'
import { MOST_HEAD, type Hop } from './hop.ts'
import { observeWire } from './observe-wire.ts'
import { describeRoute, openSocket, readRoute, type Route } from './open-socket.ts'

/** Loads only undici's client: the whole package takes some 40 ms more, in every worker. */
export function loadClient(): typeof Client {
  return createRequire(import.meta.url)('undici/lib/dispatcher/client.js') as typeof Client
}

/** A kept-alive connection. It carries one request at a time, so all its events belong to `hop`. */
class Connection {
  readonly client: Client
  readonly list: Connection[]
  hop: Hop | undefined
  answers = 0
  freeSince = 0
  readonly #route: Route
  #socket: Socket | undefined

  /** Does not open a socket: the next request does, also after a close. */
  constructor(origin: string, route: Route, list: Connection[]) {
    this.#route = route
    this.list = list
    this.client = new (loadClient())(origin, {
      // The `timeout` of the request covers these phases.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MOST_HEAD + 1,
      allowH2: route.http2 === true,
      connect: (_options, done) => {
        if (this.hop === undefined) return done(new Error('no request to connect for'), null)
        this.answers = 0
        this.#socket = new Socket()
        callbackify(openSocket)(this.#socket, route, this.hop, (error, opened) => {
          if (error) return done(error, null)
          this.#socket = opened
          if (!route.http2) observeWire(opened, this)
          // undici takes a body cut by a broken connection for complete (RFC 9112, 8), and drops TLS alerts.
          opened.once('error', (cause: NodeJS.ErrnoException) => {
            const decisive = this.hop?.phase === 'body' ? 'ECONNRESET' : 'ERR_SSL_'
            if (cause.code?.startsWith(decisive)) this.hop?.settle(cause)
          })
          const own = opened.listeners('end')
          done(null, opened)
          if (route.http2) this.#endLate(opened, own)
        })
      },
    })
  }

  /**
   * A server may end an HTTP/2 connection right after its last response, as nginx does. undici, which listens besides
   * the socket itself (`own`), would drop what it has not read of it.
   */
  #endLate(socket: Socket, own: readonly unknown[]): void {
    for (const listener of socket.listeners('end') as (() => void)[]) {
      if (own.includes(listener)) continue
      socket.off('end', listener)
      socket.once('end', async () => {
        const { hop } = this
        if (hop?.phase !== 'body') return Reflect.apply(listener, socket, [])
        // By then, undici has read all that has arrived.
        await setImmediate()
        hop.lost = new RequestProblem('the connection was closed', 'CONNECTION_CLOSED')
      })
    }
  }

  async send(hop: Hop): Promise<void> {
    const { method, url, headers, body: bytes = null } = hop.request
    const { proxy, protocol, http2 } = this.#route
    const lines = headers.flat()
    const inPieces = http2 && bytes && bytes.length > MOST_AT_ONCE
    if (inPieces) lines.push('content-length', String(bytes.length))
    // Not a stream: with one, undici fails if the server resets the rest of the request (RFC 9113, 8.1).
    const body = inPieces ? (cutBody(bytes) as unknown as Readable) : bytes
    // Through a proxy, http requests use the absolute form (RFC 9112, 3.2.2); https uses a tunnel.
    const isAbsolute = proxy !== undefined && protocol === 'http:'
    if (isAbsolute && proxy.authorization) lines.push('proxy-authorization', proxy.authorization)
    const path = isAbsolute ? url : splitTarget(url)[1]
    this.hop = hop
    hop.note = describeRoute(this.#route)
    if (hop.settled === undefined) this.client.dispatch({ method, path, headers: lines, body }, hop)
    await hop.passedOn
    if (hop.error && hop.phase === 'head' && this.isSending) hop.phase = 'send'
  }

  get isSending(): boolean {
    return this.#socket !== undefined && this.#socket.writableLength > 0
  }

  async discard(): Promise<void> {
    // The client comes first, so that its requests learn the reason.
    const closed = this.client.destroy()
    this.#socket?.destroy()
    await closed
  }
}

/** The most that is sent at once over HTTP/2: Node drops the response if more than 10 MB wait to be sent. */
const MOST_AT_ONCE = 8_000_000

function* cutBody(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** Kept-alive connections by origin and settings. Idle ones close after 4 s, or when `keep-alive` says. */
export class ConnectionPool {
  readonly #idle = new Map<string, Connection[]>()
  readonly #open = new Set<Connection>()
  #closed = false

  constructor() {
    // Loaded here, so that it does not count towards a request's time.
    loadClient()
  }

  /** Takes one idle for at most `maxIdle` ms, or a new one. Throws a RequestProblem for invalid settings. */
  async acquire(
    origin: string,
    settings: ConnectionSettings | undefined,
    maxIdle: number,
  ): Promise<Connection> {
    const key = settings === undefined ? origin : origin + JSON.stringify(settings)
    let list = this.#idle.get(key)
    if (list === undefined) this.#idle.set(key, (list = []))
    // Some servers close after the first response without saying so; undici notices two loop turns later.
    if (list.at(-1)?.answers === 1) await setImmediate()
    // The connection that was used last is the least likely to have been closed by the server.
    const last = list.at(-1)
    if (last !== undefined && performance.now() - last.freeSince <= maxIdle) return list.pop() as Connection
    const connection = new Connection(origin, readRoute(origin, settings), list)
    this.#open.add(connection)
    connection.client.on('disconnect', () => {
      const at = connection.list.indexOf(connection)
      if (at === -1) return
      connection.list.splice(at, 1)
      this.#open.delete(connection)
    })
    if (this.#closed) void connection.discard()
    return connection
  }

  /** Returns a connection to the pool, or closes it if its request failed or left anything on it. */
  release(connection: Connection, { error, isCut }: Hop): void {
    // If the response came before the whole request was written, the rest of it is still in the socket.
    if (this.#closed || error !== undefined || isCut || connection.isSending) {
      this.#open.delete(connection)
      void connection.discard()
    } else {
      // Keeping the hop would keep its step and response in memory.
      connection.hop = undefined
      connection.answers += 1
      connection.freeSince = performance.now()
      connection.list.push(connection)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const connections = [...this.#open]
    this.#open.clear()
    await Promise.all(connections.map((connection) => connection.discard()))
  }
}
