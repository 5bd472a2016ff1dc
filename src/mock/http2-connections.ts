import http2, { type ClientHttp2Session } from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'

type Connect = (this: Socket, ...args: unknown[]) => Socket

/** The way sockets connect now. */
export function readConnect(): Connect {
  return Reflect.get(Socket.prototype, 'connect') as Connect
}

/**
 * Lets the sockets of `node:http2`, whose requests no interceptor can read, connect as they did before interception: with
 * `connect`. `refuse` may give the error that ends such a connection. Returns the way to stop; modules that have imported
 * `http2.connect` by name follow.
 */
export function exemptHttp2(connect: Connect, refuse: (origin: URL) => Error | undefined): () => void {
  const intercepted = readConnect()
  const open = Reflect.get(http2, 'connect') as (...args: unknown[]) => ClientHttp2Session
  let isOpening = false
  // What ends interception takes this back as well.
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
