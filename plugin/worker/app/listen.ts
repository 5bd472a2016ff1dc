import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import type { Socket } from 'node:net'
import { attributeRequests } from '../../../src/mock/intercept/late-calls.ts'

/** A server that listens, with the way to end it at once. */
export type Listening = { url: string; close(): Promise<void> }

/** Lets a server listen on a free loopback port, unless it listens already; rejects with the server's own error. */
export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  attributeRequests(server)
  if (server.address() === null) await startListening(server)
  const url = readAddress(server)
  return {
    url,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => {
          // The application may have closed it itself.
          if (error && (error as NodeJS.ErrnoException).code !== 'ERR_SERVER_NOT_RUNNING') reject(error)
          else resolve()
        })
        server.closeAllConnections()
        // Upgraded connections are no longer the HTTP server's.
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function startListening(server: Server): Promise<void> {
  const listening = once(server, 'listening')
  try {
    server.listen({ host: '127.0.0.1', port: 0 })
  } catch (error) {
    // It is about to listen where the application told it to: `listening` follows.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SERVER_ALREADY_LISTEN') throw error
  }
  await listening
}

function readAddress(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new TypeError(
      `Expected the app’s server to listen on a TCP port, got ${address === null ? 'none' : `the pipe \`${address}\``}; leave the listening to suitecase by exporting a server that does not listen`,
    )
  const { address: host, port } = address
  // A server on all interfaces is asked through the loopback interface.
  const asked = host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `${server instanceof TlsServer ? 'https' : 'http'}://${asked}:${port}`
}
