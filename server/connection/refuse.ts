import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { answerHeaders } from '../answer-headers.ts'
import type { Reply } from '../reply.ts'
import { hasEarlyAnswer, owedAnswers } from './pending.ts'

const LINGER_MS = 500
const refused = new WeakSet<Socket>()

/**
 * Answers something that is not a request, after the answers still owed, and closes the connection. What arrives after it
 * is never taken for a request.
 */
export async function refuseConnection(socket: Socket, reply: Reply): Promise<void> {
  if (refused.has(socket)) return
  refused.add(socket)
  // A socket that Node has handed over has no listener left, and an error without one would end the process.
  socket.on('error', () => socket.destroy())
  for (const owed of owedAnswers(socket)) {
    if (!socket.destroyed) await untilClosed(owed)
  }
  if (!socket.writable || hasEarlyAnswer(socket)) {
    socket.destroy()
    return
  }
  socket.end(formatAnswer(reply), () => setTimeout(() => socket.destroy(), LINGER_MS).unref())
  // Whoever has the answer may go; a client that still sends gets a moment to read it.
  socket.once('end', () => socket.destroy())
}

function untilClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve()
    else response.once('close', () => resolve())
  })
}

function formatAnswer({ status, headers, body }: Reply): string {
  const text = typeof body === 'string' ? body : ''
  const length = String(Buffer.byteLength(text))
  const own = ['Date', new Date().toUTCString(), 'Connection', 'close', 'Content-Length', length]
  const all = [...headers, ...answerHeaders(), ...own]
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]
  for (let index = 0; index < all.length; index += 2) lines.push(`${all[index]}: ${all[index + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}
