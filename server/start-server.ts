import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { type AppOptions, createParts } from './app.ts'
import { createHttpServer } from './http-server.ts'

/** What `startServer` takes. */
export interface StartOptions extends AppOptions {
  /** Address to listen on. Anything but loopback lets others in. @default '127.0.0.1' */
  host?: string
  /** Port; 0 takes a free one. @default 0 */
  port?: number
}

/** A running echo server. */
export interface EchoServer extends AsyncDisposable {
  /** Its address, without a final slash: `http://127.0.0.1:49152`. */
  url: string
  port: number
  app: Koa
  /** Stops listening and ends all connections at once, whatever they wait for. Resolves when the port is free. */
  close: () => Promise<void>
}

/**
 * Starts the echo server.
 * @throws the error of `listen` (EADDRINUSE, EACCES …); TypeError for an option that is unknown or out of range
 */
export async function startServer(options: StartOptions = {}): Promise<EchoServer> {
  const { host = '127.0.0.1', port = 0, ...appOptions } = options
  const { app, limits } = createParts(appOptions, ['host', 'port'])
  const http = createHttpServer(app, limits)
  http.server.listen({ host, port })
  // An error of `listen` rejects.
  await once(http.server, 'listening')
  const { address, family, port: taken } = http.server.address() as AddressInfo
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= http.close())
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    port: taken,
    app,
    close,
    [Symbol.asyncDispose]: close,
  }
}
