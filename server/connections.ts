import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { COMMON_HEADERS } from './answer.ts'
import { HttpProblem } from './http-problem.ts'
import { printJson } from './json.ts'

/** More than one read from the socket can hold. A client that sends more without reading is cut off. */
const MOST_PIPELINED = 5000
const LINGER_MS = 500
const pending = new WeakMap<Duplex, Set<ServerResponse>>()

/** Tracks the responses that each connection is still owed, and ends a connection when they are too many. */
export function watchPending(server: Server): void {
  server.prependListener('request', ({ socket }, response) => {
    const owed = pending.get(socket) ?? new Set()
    if (owed.size === 0) pending.set(socket, owed)
    owed.add(response)
    response.on('close', () => owed.delete(response))
    if (owed.size > MOST_PIPELINED) socket.destroy()
  })
}

/** Whether a connection is still owed a response to a request, or part of one. */
export function isOwed(socket: Duplex): boolean {
  return Array.from(pending.get(socket) ?? []).some(({ req, headersSent }) => req.complete || headersSent)
}

/** Answers what is not a request, unless other responses are still owed, and closes the connection, so that no later byte is taken for a request. */
export function refuseConnection(socket: Duplex, { status, message, headers }: HttpProblem): void {
  if (socket.writableEnded) return
  // A socket handed over by Node has no listeners, and an unhandled error would end the process.
  socket.on('error', () => socket.destroy())
  if (!socket.writable || isOwed(socket)) return void socket.destroy()
  const body = `${printJson({ error: message })}\n`
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...[...COMMON_HEADERS, ...Object.entries(headers)].map((header) => header.join(': ')),
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ]
  const answer = `${lines.join('\r\n')}\r\n\r\n${body}`
  socket.end(answer, () => setTimeout(() => socket.destroy(), LINGER_MS).unref())
  // A client that ends its side has the response. One that is still sending gets a moment to read it.
  socket.once('end', () => socket.destroy())
}

const PROBLEMS: Record<string, HttpProblem> = {
  HPE_HEADER_OVERFLOW: new HttpProblem(431, 'the head of the request is larger than 16 KB'),
  HPE_INVALID_EOF_STATE: new HttpProblem(400, 'the connection ended before the request did'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpProblem(413, 'the chunk extensions are larger than 16 KB'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpProblem(408, 'the request took too long to arrive'),
}

/** The response to bytes that Node could not parse: always 4xx. */
export function explainParseError({ code = '', message }: Error & { code?: string }): HttpProblem {
  const reason = message.replace(/^Parse Error: ?/, '')
  return PROBLEMS[code] ?? new HttpProblem(400, `this is not an HTTP/1.1 request: ${reason}`)
}
