import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { WebSocketServer } from 'ws'
import { type AppOptions, createApp } from './app.ts'
import { explainParseError, isOwed, refuseConnection, watchPending } from './connections.ts'
import { HttpProblem } from './http-problem.ts'
import { type Limits, resolveLimits } from './limits.ts'

/** Options of `startServer`. */
export interface StartOptions extends AppOptions {
  /** Address to listen on. Anything but loopback lets others connect. @default '127.0.0.1' */
  host?: string
  /** Port. 0 picks a free one. @default 0 */
  port?: number
}

/** A running echo server. */
export interface EchoServer extends AsyncDisposable {
  /** Its address, without a trailing slash: `http://127.0.0.1:49152`. */
  url: string
  port: number
  app: Koa
  /** Stops listening and ends all connections at once, whatever they are waiting for. Resolves when the port is free. */
  close: () => Promise<void>
}

/**
 * Starts the echo server.
 * @throws the error of `listen` (EADDRINUSE, EACCES …); TypeError for an option that is unknown or out of range
 */
export async function startServer(options: StartOptions = {}): Promise<EchoServer> {
  const { host = '127.0.0.1', port = 0, middleware = [], ...others } = options
  const limits = resolveLimits(others, ['host', 'port', 'middleware'])
  // With an empty host Node would listen on all interfaces.
  if (host === '') throw new TypeError('Expected the `host` option to be an address or a name, got ``')
  const app = createApp({ ...limits, middleware })
  const webSocket = createWebSocketEcho(limits.maxBody)
  const server = createHttpServer(app, limits, webSocket)
  server.listen({ host, port })
  // Rejects with an error of `listen`.
  await once(server, 'listening')
  const { address, family, port: taken } = server.address() as AddressInfo
  const closed = new Promise((resolve) => server.once('close', resolve))
  const close = async (): Promise<void> => {
    server.close()
    for (const client of webSocket.clients) client.terminate()
    server.closeAllConnections()
    await closed
  }
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    port: taken,
    app,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const IDLE_MS = 60_000

function createHttpServer(app: Koa, limits: Limits, webSocket: WebSocketServer): Server {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: IDLE_MS,
    // The application itself rejects a missing Host, with the headers of every response.
    requireHostHeader: false,
    shouldUpgradeCallback: isNextHandshake,
  })
  // The size of the head already limits the number of headers. Node would drop those beyond 2000.
  server.maxHeadersCount = 0
  server.timeout = IDLE_MS + limits.maxDelay * 1000
  server.on('request', app.callback())
  server.on('checkExpectation', (message, response) => server.emit('request', message, response))
  watchPending(server)
  server.on('clientError', (error, socket) => refuseConnection(socket, explainParseError(error)))
  server.on('connect', (_message, socket) => {
    refuseConnection(socket, new HttpProblem(405, 'CONNECT is not allowed here'))
  })
  server.on('upgrade', (message, socket, head) => {
    // Node before 24.9 ignores `shouldUpgradeCallback`, so every upgrade gets here.
    if (!isNextHandshake(message))
      return refuseConnection(socket, new HttpProblem(400, 'upgrades are not supported here'))
    webSocket.handleUpgrade(message, socket, head, (client) => webSocket.emit('connection', client, message))
  })
  return server
}

/** True for a WebSocket handshake, unless earlier responses are owed, which could not follow it. */
function isNextHandshake({ method, url, headers, socket }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    /^\/websocket\/echo(?:\?|$)/.test(url ?? '') &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    !isOwed(socket)
  )
}

/** `/websocket/echo`: sends every message back unchanged (RFC 6455). Messages have at most `maxBody` bytes. */
function createWebSocketEcho(maxBody: number): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBody, perMessageDeflate: false })
  sockets.on('wsClientError', ({ message }, socket) => {
    const problem = `this is not a WebSocket handshake: ${message}`
    refuseConnection(socket, new HttpProblem(400, problem, { 'Sec-WebSocket-Version': '13' }))
  })
  sockets.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => {
      // Stops reading from a client that does not read its echoes.
      socket.pause()
      socket.send(data, { binary: isBinary }, () => socket.resume())
    })
    // For broken frames and connections, ws closes with the code of RFC 6455, 7.4.
    socket.on('error', () => socket.close())
  })
  return sockets
}
