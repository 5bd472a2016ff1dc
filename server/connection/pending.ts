import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const pending = new WeakMap<Socket, Set<ServerResponse>>()
const MOST_PIPELINED = 64

/** Keeps count of the answers that each connection still owes, and reads on only while they are few. */
export function watchPending(server: Server): void {
  server.on('connection', (socket) => pending.set(socket, new Set()))
  server.prependListener('request', ({ socket }, response) => {
    const owed = pending.get(socket)
    if (!owed) return
    owed.add(response)
    if (owed.size > MOST_PIPELINED) socket.pause()
    response.once('close', () => {
      owed.delete(response)
      if (owed.size === MOST_PIPELINED) socket.resume()
    })
  })
}

/** The answers owed to requests that arrived in full, in order. */
export function owedAnswers(socket: Socket): ServerResponse[] {
  return [...(pending.get(socket) ?? [])].filter((response) => response.req.complete && !response.closed)
}

/** Whether an answer has begun for a request that has not arrived in full: nothing can follow it. */
export function hasEarlyAnswer(socket: Socket): boolean {
  return [...(pending.get(socket) ?? [])].some((response) => !response.req.complete && response.headersSent)
}
