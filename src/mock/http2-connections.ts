import http2, { type ClientHttp2Session } from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'

type Connect = (this: Socket, ...args: unknown[]) => Socket

/** The current `Socket.prototype.connect`. */
export function readConnect(): Connect {
  return Reflect.get(Socket.prototype, 'connect') as Connect
}

/** May return an error, which ends the connection or request. */
type Refuse = (origin: URL) => Error | undefined

let refuse: Refuse | undefined
let isOpening = false

/** Lets `exemptHttp2` know of the sessions opened from now on. Also affects modules that imported `http2.connect` by name. */
export function watchHttp2(): void {
  const open = Reflect.get(http2, 'connect') as (...args: unknown[]) => ClientHttp2Session
  const connect: typeof open = (authority, ...rest) => {
    isOpening = true
    try {
      const session = open(authority, ...rest)
      const origin = new URL(String(authority))
      const error = refuse?.(origin)
      if (error) session.destroy(error)
      const request = session.request.bind(session)
      // The session may be older than the mocks.
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
  Reflect.set(http2, 'connect', connect)
  syncBuiltinESMExports()
}

/**
 * Makes sockets of `node:http2` connect with `connect`, as before interception, since no interceptor can read their requests.
 * Returns a function that ends this.
 */
export function exemptHttp2(connect: Connect, refuseSome: Refuse): () => void {
  const intercepted = readConnect()
  // Ending the interception restores this too.
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    return Reflect.apply(isOpening ? connect : intercepted, this, args)
  }
  refuse = refuseSome
  return () => (refuse = undefined)
}
