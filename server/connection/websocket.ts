import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'

/** Takes WebSocket handshakes. */
export interface WebSocketEcho {
  isHandshake: (message: IncomingMessage) => boolean
  accept: (message: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Ends all connections at once. */
  close: () => void
}

/** `/websocket/echo`: sends every message back as it came (RFC 6455); messages are at most `maxBody` bytes. */
export function createWebSocketEcho(maxBody: number): WebSocketEcho {
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
  return {
    isHandshake: ({ method, url, headers }) =>
      method === 'GET' &&
      /^\/websocket\/echo(?:\?|$)/.test(url ?? '') &&
      headers.upgrade?.toLowerCase() === 'websocket',
    accept: (message, socket, head) =>
      sockets.handleUpgrade(message, socket, head, (client) => sockets.emit('connection', client, message)),
    close: () => {
      for (const client of sockets.clients) client.terminate()
    },
  }
}
