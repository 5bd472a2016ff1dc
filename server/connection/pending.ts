import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** More requests than a single read from the socket can hold; who asks on without reading is cut off. */
const MOST_PIPELINED = 5000

const pending = new WeakMap<Socket, Set<ServerResponse>>()

/** Keeps count of the answers that each connection is still owed, and ends it when they are too many. */
export function watchPending(server: Server): void {
  server.on('connection', (socket) => pending.set(socket, new Set()))
  server.prependListener('request', ({ socket }, response) => {
    const owed = pending.get(socket)
    if (!owed) return
    owed.add(response)
    response.once('close', () => owed.delete(response))
    if (owed.size > MOST_PIPELINED) socket.destroy()
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
