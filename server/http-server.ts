import { createServer, type IncomingMessage, type Server } from 'node:http'
import type Koa from 'koa'
import { WebSocketServer } from 'ws'
import { HttpProblem } from './http-problem.ts'
import type { Limits } from './limits.ts'
import { explainParseError, isOwed, refuseConnection, watchPending } from './refuse-connection.ts'

/** An HTTP server that can be closed at once. */
export interface HttpServer {
  server: Server
  /** Stops listening and ends all connections. */
  close: () => Promise<void>
}

const HEAD_BYTES = 16 * 1024
const HEAD_MS = 10_000
const REQUEST_MS = 30_000
const IDLE_MS = 60_000

/** Makes a server around the application that withstands whatever arrives on its port. It does not listen yet. */
export function createHttpServer(app: Koa, limits: Limits): HttpServer {
  const webSocket = createWebSocketEcho(limits.maxBody)
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
    // Before Node 24.9 every upgrade comes here.
    if (!isNextHandshake(message))
      return refuseConnection(socket, new HttpProblem(400, 'only a WebSocket at /websocket/echo can be had'))
    webSocket.handleUpgrade(message, socket, head, (client) => webSocket.emit('connection', client, message))
  })
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()))
      for (const client of webSocket.clients) client.terminate()
      server.closeAllConnections()
    })
  return { server, close }
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
