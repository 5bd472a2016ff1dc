import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { createApp } from './app.ts'
import type { EchoOptions } from './limits.ts'

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
 * @throws the error of `listen` (EADDRINUSE, EACCES …), TypeError for an option out of range
 */
export async function startServer(options: StartOptions = {}): Promise<EchoServer> {
  const { host = '127.0.0.1', port = 0, ...echoOptions } = options
  const app = createApp(echoOptions)
  const server = createServer(app.callback())
  await listen(server, { host, port })
  const address = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= closeServer(server))
  return { url: formatUrl(address), port: address.port, app, close, [Symbol.asyncDispose]: close }
}

function listen(server: Server, address: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
}

function formatUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
