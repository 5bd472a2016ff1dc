import type { Server } from 'node:http'
import type Koa from 'koa'
import { createApp } from './app.ts'
import { answerUnknownMethod } from './dispatch.ts'
import { createHttpServer } from './http-server.ts'
import { type EchoOptions, resolveLimits } from './limits.ts'

/** What `startServer` takes. */
export interface StartOptions extends EchoOptions {
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
 * @throws the error of `listen` (EADDRINUSE, EACCES …); TypeError for an option out of range
 */
export async function startServer(options: StartOptions = {}): Promise<EchoServer> {
  const { host = '127.0.0.1', port = 0, ...echoOptions } = options
  const app = createApp(echoOptions)
  const http = createHttpServer({ app, limits: resolveLimits(echoOptions), answerUnknownMethod })
  const address = await listen(http.server, { host, port })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= http.close())
  return { ...address, app, close, [Symbol.asyncDispose]: close }
}

function listen(
  server: Server,
  wanted: { host: string; port: number },
): Promise<{ url: string; port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, () => {
      server.off('error', reject)
      const bound = server.address()
      if (bound === null || typeof bound === 'string') return reject(new Error('the server has no port'))
      const { address, family, port } = bound
      resolve({ url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, port })
    })
  })
}
