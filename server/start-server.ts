import { once } from 'node:events'
import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { WebSocketServer } from 'ws'
import { type AppOptions, createParts } from './app.ts'
import { HttpProblem } from './http-problem.ts'
import type { Limits } from './limits.ts'
import { explainParseError, isOwed, refuseConnection, watchPending } from './refuse-connection.ts'
import { hasBody } from './request/read-body.ts'

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
  const webSocket = createWebSocketEcho(limits.maxBody)
  const server = createHttpServer(app, limits, webSocket)
  server.listen({ host, port })
  // An error of `listen` rejects.
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

const HEAD_BYTES = 16 * 1024
const HEAD_MS = 10_000
const REQUEST_MS = 30_000
const IDLE_MS = 60_000

/** Makes a server around the application that withstands whatever arrives on its port. It does not listen yet. */
function createHttpServer(app: Koa, limits: Limits, webSocket: WebSocketServer): Server {
  const handle = app.callback()
  const server = createServer({
    maxHeaderSize: HEAD_BYTES,
    headersTimeout: HEAD_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: IDLE_MS,
    // The application refuses a missing Host itself, with the headers of every answer.
    requireHostHeader: false,
    shouldUpgradeCallback: isNextHandshake,
  })
  // The size of the head limits their number; Node would drop what is beyond 2000.
  server.maxHeadersCount = 0
  server.timeout = IDLE_MS + limits.maxDelay * 1000
  server.on('request', (message, response) => void handle(message, response))
  server.on('checkContinue', (message, response) => {
    if (!(Number(message.headers['content-length']) > limits.maxBody)) response.writeContinue()
    server.emit('request', message, response)
  })
  server.on('checkExpectation', (message, response) => server.emit('request', message, response))
  watchPending(server)
  server.on('clientError', (error, socket) => refuseConnection(socket, explainParseError(error)))
  server.on('connect', (_message, socket) => {
    refuseConnection(socket, new HttpProblem(405, 'CONNECT is not allowed here'))
  })
  server.on('upgrade', (message, socket, head) => {
    if (!isNextHandshake(message)) return ignoreUpgrade(server, message)
    webSocket.handleUpgrade(message, socket, head, (client) => webSocket.emit('connection', client, message))
  })
  return server
}

/** A WebSocket's handshake before which nothing is left to be answered: the connection is no longer HTTP after it. */
function isNextHandshake({ method, url, headers, socket }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    /^\/websocket\/echo(?:\?|$)/.test(url ?? '') &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    !isOwed(socket)
  )
}

/** Before Node 24.9 every upgrade comes here; one to another protocol is answered as if it had not been offered. */
function ignoreUpgrade(server: Server, message: IncomingMessage): void {
  const { socket } = message
  if (hasBody(message) || isOwed(socket)) {
    const reason = 'an upgrade with a body, or after requests still unanswered, is not supported'
    return refuseConnection(socket, new HttpProblem(400, reason))
  }
  socket.on('error', () => socket.destroy())
  const response = new ServerResponse(message)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.destroySoon())
  server.emit('request', message, response)
}

/** `/websocket/echo`: sends every message back as it came (RFC 6455); messages are at most `maxBody` bytes. */
function createWebSocketEcho(maxBody: number): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBody, perMessageDeflate: false })
  sockets.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => {
      // A client that does not read its echoes is not read from either.
      socket.pause()
      socket.send(data, { binary: isBinary }, () => socket.resume())
    })
    // Broken frames and broken connections: ws closes them with the code of RFC 6455, 7.4.
    socket.on('error', () => socket.close())
  })
  return sockets
}
