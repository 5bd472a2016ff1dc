import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import type { AddressInfo, Socket } from 'node:net'
import { attributeRequests } from '../../../src/mock/intercept/late-calls.ts'

/** A server that listens, with the way to end it at once. */
export type Listening = { url: string; close(): Promise<void> }

/** A free port of the loopback interface. */
const anywhere = { host: '127.0.0.1', port: 0 }

/** Lets a server listen on a free loopback port, unless it listens already; rejects with the server's own error. `start` is the framework's own way to do it. */
export async function listen(
  server: Server,
  start: (address: typeof anywhere) => Promise<unknown> = (address) => startListening(server, address),
): Promise<Listening> {
  const sockets = trackSockets(server)
  attributeRequests(server)
  if (server.address() === null) await start(anywhere)
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

function trackSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

async function startListening(server: Server, address: typeof anywhere): Promise<void> {
  const listening = once(server, 'listening')
  try {
    server.listen(address)
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
  return `${server instanceof TlsServer ? 'https' : 'http'}://${readHost(address)}:${address.port}`
}

// A server on all interfaces is asked through the loopback interface.
function readHost({ address }: AddressInfo): string {
  if (address === '::' || address === '0.0.0.0') return '127.0.0.1'
  return address.includes(':') ? `[${address}]` : address
}
