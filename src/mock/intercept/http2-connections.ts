import http2 from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'

let opening = false

/** True while `http2.connect` opens its socket, whose traffic no interceptor sees. */
export function isOpeningHttp2(): boolean {
  return opening
}

/** Makes the sockets of `node:http2` known as such; returns the way to stop. Modules that have imported `connect` by name follow. */
export function markHttp2Connections(): () => void {
  const connect = Reflect.get(http2, 'connect') as (...args: unknown[]) => unknown
  const marked = (...args: unknown[]): unknown => {
    opening = true
    try {
      return connect(...args)
    } finally {
      opening = false
    }
  }
  Reflect.set(http2, 'connect', marked)
  syncBuiltinESMExports()
  return () => {
    Reflect.set(http2, 'connect', connect)
    syncBuiltinESMExports()
  }
}
