import http2, { type ClientHttp2Session } from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'

type Connect = (this: Socket, ...args: unknown[]) => Socket

/** The original method, taken before anything intercepts it. */
const connect = Reflect.get(Socket.prototype, 'connect') as Connect

let refuse: ((origin: URL) => Error | undefined) | undefined
let isOpening = false

/** True if grpc-js is opening a connection. It does so itself, and only then begins a session over it. */
const isGrpcOpening = (): boolean => /[\\/]@grpc[\\/]grpc-js[\\/]/.test(new Error().stack ?? '')

/** Lets `exemptHttp2` know of the sessions opened from now on. Also affects modules that imported `http2.connect` by name. */
export function watchHttp2(): void {
  const open = Reflect.get(http2, 'connect') as (...args: unknown[]) => ClientHttp2Session
  const openWatched: typeof open = (authority, ...rest) => {
    isOpening = true
    try {
      const session = open(authority, ...rest)
      const origin = new URL(String(authority))
      const error = refuse?.(origin)
      if (error) {
        // Not at once: a client hears by events that a server refuses.
        process.nextTick(() => session.destroy(error))
        return session
      }
      const request = session.request.bind(session)
      // Checked for each request, since the session may be older than the mocks.
      session.request = (...args) => {
        const refusal = refuse?.(origin)
        if (refusal) throw refusal
        return request(...args)
      }
      return session
    } finally {
      isOpening = false
    }
  }
  Reflect.set(http2, 'connect', openWatched)
  syncBuiltinESMExports()
}

/**
 * Lets sockets of `node:http2` connect as if nothing were intercepted, since no interceptor can read their
 * requests. An error from `judge` ends a connection or request. Returns a function that stops judging.
 */
export function exemptHttp2(judge: typeof refuse): () => void {
  const intercepted = Reflect.get(Socket.prototype, 'connect') as Connect
  // Ending the interception restores this too.
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    return Reflect.apply(isOpening || isGrpcOpening() ? connect : intercepted, this, args)
  }
  refuse = judge
  return () => (refuse = undefined)
}
