import http2, { type ClientHttp2Session } from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'

type Connect = (this: Socket, ...args: unknown[]) => Socket

/** The current `Socket.prototype.connect`. */
export function readConnect(): Connect {
  return Reflect.get(Socket.prototype, 'connect') as Connect
}

/**
 * Makes sockets of `node:http2` connect with `connect`, as before interception, since no interceptor can read their requests.
 * `refuse` may return an error that ends the connection. Also affects modules that imported `http2.connect` by name. Returns a
 * function that undoes it.
 */
export function exemptHttp2(connect: Connect, refuse: (origin: URL) => Error | undefined): () => void {
  const intercepted = readConnect()
  const open = Reflect.get(http2, 'connect') as (...args: unknown[]) => ClientHttp2Session
  let isOpening = false
  // Ending the interception restores this too.
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    return Reflect.apply(isOpening ? connect : intercepted, this, args)
  }
  const replace = (other: typeof open): void => {
    Reflect.set(http2, 'connect', other)
    syncBuiltinESMExports()
  }
  replace((authority, ...rest) => {
    isOpening = true
    try {
      const session = open(authority, ...rest)
      const error = refuse(new URL(String(authority)))
      if (error) session.destroy(error)
      return session
    } finally {
      isOpening = false
    }
  })
  return () => replace(open)
}
