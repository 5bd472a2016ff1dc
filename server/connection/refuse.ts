import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { COMMON_HEADERS } from '../answer.ts'
import type { HttpProblem } from '../http-problem.ts'
import { printJson } from '../json/print-json.ts'

/** More requests than a single read from the socket can hold; who asks on without reading is cut off. */
const MOST_PIPELINED = 5000
const LINGER_MS = 500
const pending = new WeakMap<Socket, Set<ServerResponse>>()
const refused = new WeakSet<Socket>()

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
export function listOwed(socket: Socket): ServerResponse[] {
  return [...(pending.get(socket) ?? [])].filter((response) => response.req.complete && !response.closed)
}

/**
 * Answers something that is not a request, after the answers still owed, and closes the connection. What arrives after it
 * is never taken for a request.
 */
export async function refuseConnection(socket: Socket, problem: HttpProblem): Promise<void> {
  if (refused.has(socket)) return
  refused.add(socket)
  // A socket that Node has handed over has no listener left, and an error without one would end the process.
  socket.on('error', () => socket.destroy())
  for (const owed of listOwed(socket)) {
    if (!socket.destroyed) await untilClosed(owed)
  }
  // Nothing can follow an answer that has begun for a request that has not arrived in full.
  const isEarly = ({ req, headersSent }: ServerResponse): boolean => !req.complete && headersSent
  if (!socket.writable || [...(pending.get(socket) ?? [])].some(isEarly)) {
    socket.destroy()
    return
  }
  socket.end(formatAnswer(problem), () => setTimeout(() => socket.destroy(), LINGER_MS).unref())
  // Whoever has the answer may go; a client that still sends gets a moment to read it.
  socket.once('end', () => socket.destroy())
}

function untilClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve()
    else response.once('close', () => resolve())
  })
}

function formatAnswer({ status, message, headers }: HttpProblem): string {
  const body = `${printJson({ error: message })}\n`
  const all = {
    'Content-Type': 'application/json',
    ...headers,
    ...COMMON_HEADERS,
    Date: new Date().toUTCString(),
    Connection: 'close',
    'Content-Length': body.length,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
