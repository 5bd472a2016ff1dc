import { once } from 'node:events'
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { COMMON_HEADERS, createNotAllowed, createNotFound } from './answer.ts'
import { HttpProblem } from './http-problem.ts'
import { printJson } from './json/print-json.ts'
import type { EchoRouter } from './context.ts'
import { normaliseTarget } from './request/url.ts'

/** More requests than a single read from the socket can hold; who asks on without reading is cut off. */
const MOST_PIPELINED = 5000
const LINGER_MS = 500
const pending = new WeakMap<Duplex, ServerResponse[]>()
const refused = new WeakSet<Duplex>()

/** Keeps the answers that each connection is still owed, and ends it when they are too many. */
export function watchPending(server: Server): void {
  server.prependListener('request', ({ socket }, response) => {
    const responses = pending.get(socket) ?? []
    // Those that are done are dropped now and then: a listener on each would cost every request.
    const owed = responses.length % 64 === 63 ? responses.filter(({ closed }) => !closed) : responses
    owed.push(response)
    if (owed !== responses || owed.length === 1) pending.set(socket, owed)
    if (owed.length > MOST_PIPELINED) socket.destroy()
  })
}

/** The answers owed to requests that arrived in full, in order. */
export function listOwed(socket: Duplex): ServerResponse[] {
  return (pending.get(socket) ?? []).filter(({ req, closed }) => req.complete && !closed)
}

/**
 * Answers something that is not a request, after the answers still owed, and closes the connection. What arrives after it
 * is never taken for a request.
 */
export async function refuseConnection(socket: Duplex, problem: HttpProblem): Promise<void> {
  if (refused.has(socket)) return
  refused.add(socket)
  // A socket that Node has handed over has no listener left, and an error without one would end the process.
  socket.on('error', () => socket.destroy())
  for (const owed of listOwed(socket)) {
    if (!socket.destroyed && !owed.closed) await once(owed, 'close')
  }
  if (!socket.writable || pending.get(socket)?.some(isEarly)) {
    socket.destroy()
    return
  }
  socket.end(formatAnswer(problem), () => setTimeout(() => socket.destroy(), LINGER_MS).unref())
  // Whoever has the answer may go; a client that still sends gets a moment to read it.
  socket.once('end', () => socket.destroy())
}

/** Nothing can follow an answer that has begun for a request that has not arrived in full. */
function isEarly({ req, headersSent, closed }: ServerResponse): boolean {
  return !req.complete && headersSent && !closed
}

function formatAnswer({ status, message, headers }: HttpProblem): string {
  const body = `${printJson({ error: message })}\n`
  const all = {
    'Content-Type': 'application/json',
    ...headers,
    ...Object.fromEntries(COMMON_HEADERS),
    Date: new Date().toUTCString(),
    Connection: 'close',
    'Content-Length': body.length,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

/** What Node says of bytes that it could not parse. */
interface ParseError extends Error {
  code?: string
  rawPacket?: Buffer
  bytesParsed?: number
}

const PROBLEMS: Record<string, HttpProblem> = {
  HPE_HEADER_OVERFLOW: new HttpProblem(431, 'the head of the request is larger than 16 KB'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpProblem(413, 'the chunk extensions are larger than 16 KB'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpProblem(408, 'the request took too long to arrive'),
}

/** What is answered to bytes that are not a request: 4xx whatever they are. */
export function explainParseError(error: ParseError, router: EchoRouter): HttpProblem {
  const line = error.code === 'HPE_INVALID_METHOD' ? readRequestLine(error) : undefined
  if (line) return refuseMethod(...line, router)
  const reason = error.message.replace(/^Parse Error: ?/, '')
  return PROBLEMS[error.code ?? ''] ?? new HttpProblem(400, `this is not an HTTP/1.1 request: ${reason}`)
}

/** A method that Node does not know; nothing but its request line is read. */
function refuseMethod(method: string, target: string, router: EchoRouter): HttpProblem {
  const path = normaliseTarget(target).replace(/\?.*/s, '')
  const methods = router.match(path, method).path.flatMap((layer) => layer.methods)
  return methods.length === 0 ? createNotFound(target) : createNotAllowed(method, new Set(methods))
}

/** The request line at which the parser stopped, if it is one but for its method. */
function readRequestLine({ rawPacket, bytesParsed = 0 }: ParseError): [string, string] | undefined {
  if (!rawPacket) return undefined
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(0x0a, bytesParsed - 1) + 1
  const text = rawPacket.toString('latin1', start, start + 8192)
  const match = /^([A-Z][A-Z0-9$_.!#%&'*+^`|~-]{0,30}) (\/[!-~\x80-\xff]*) HTTP\/1\.[01]\r?\n/i.exec(text)
  return match ? [match[1] ?? '', match[2] ?? ''] : undefined
}
