import { AsyncLocalStorage } from 'node:async_hooks'
import { Socket, type TcpSocketConnectOpts } from 'node:net'
import { TLSSocket } from 'node:tls'
import http2 from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'

/** Who sends a request, if not the application: a step of the suite, or code of the option `extend`. */
export type Sender = 'suite' | 'extension'

/** Who sends what is sent now; undefined for the application. */
export const senders = new AsyncLocalStorage<Sender | undefined>()

/** Runs what sends a request of the suite itself: the connections it opens are left alone by every mock server. */
export function runAsOwnRequest<Result>(send: () => Result, sender: Sender = 'suite'): Result {
  return senders.run(sender, send)
}

type Connect = (this: Socket, ...args: unknown[]) => Socket

/** The way sockets connect now; taken before interception begins. */
export function readConnect(): Connect {
  return Reflect.get(Socket.prototype, 'connect') as Connect
}

/** How connections are treated that are not intercepted. */
type Exemptions = {
  /** False while nothing is to be intercepted. */
  isActive: () => boolean
  /** True for addresses that are the suite's own. */
  isOwn: (origin: URL) => boolean
  /** Asked before an HTTP/2 connection, which cannot be intercepted; the error it returns ends the connection. */
  onHttp2: (origin: URL) => Error | undefined
}

/**
 * Lets the suite's own connections, and those of `node:http2`, connect as they did before interception: their timings and
 * errors are the network's own. Call it after interception has begun; what ends interception takes this back as well.
 */
export function exemptConnections(connect: Connect, { isActive, isOwn, onHttp2 }: Exemptions): void {
  const intercepted = readConnect()
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    if (senders.getStore() !== undefined || !isActive()) return Reflect.apply(connect, this, args)
    const origin = readOrigin(args, this)
    if (origin !== undefined && isOwn(origin)) return Reflect.apply(connect, this, args)
    if (!isOpeningHttp2) return Reflect.apply(intercepted, this, args)
    const error = origin && onHttp2(origin)
    return Reflect.apply(connect, this, error ? [failLookup(error)] : args)
  }
}

/** Where to connect to in order to fail with an error as the network would: not at once. */
function failLookup(error: Error): TcpSocketConnectOpts {
  return { host: 'refused.invalid', port: 1, lookup: (_host, _options, done) => done(error, '', 4) }
}

/** Where a socket is about to connect to; undefined for what is not a TCP address. */
function readOrigin(args: unknown[], socket: Socket): URL | undefined {
  // net.connect hands over its normalized arguments as one list.
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  const target = typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : undefined
  const port = Number(target ? target['port'] : first)
  const host = target ? (target['host'] ?? 'localhost') : typeof second === 'string' ? second : 'localhost'
  if (!Number.isInteger(port) || typeof host !== 'string') return undefined
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const url = `${socket instanceof TLSSocket ? 'https' : 'http'}://${name}:${port}`
  return URL.canParse(url) ? new URL(url) : undefined
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True when a URL leads to the server at `address`; the names of the loopback interface are one. */
export function leadsTo(url: URL, address: string): boolean {
  const target = new URL(address)
  if (url.protocol !== target.protocol || url.port !== target.port) return false
  return url.hostname === target.hostname || (loopback.has(url.hostname) && loopback.has(target.hostname))
}

/** True while `http2.connect` opens its socket, whose traffic no interceptor sees. */
let isOpeningHttp2 = false

/** Makes the sockets of `node:http2` known as such; returns the way to stop. Modules that have imported `connect` by name follow. */
export function markHttp2Connections(): () => void {
  const connect = Reflect.get(http2, 'connect') as (...args: unknown[]) => unknown
  const marked = (...args: unknown[]): unknown => {
    isOpeningHttp2 = true
    try {
      return connect(...args)
    } finally {
      isOpeningHttp2 = false
    }
  }
  Reflect.set(http2, 'connect', marked)
  syncBuiltinESMExports()
  return () => {
    Reflect.set(http2, 'connect', connect)
    syncBuiltinESMExports()
  }
}
