import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { answerHeaders } from './answer-headers.ts'
import type { Reply } from './reply.ts'

/**
 * Writes a reply with the headers that every answer has.
 * @throws an error with a `code` when a header cannot be sent; nothing is written then
 */
export function sendReply(
  response: ServerResponse,
  { status, headers, body }: Reply,
): Promise<void> | undefined {
  const all = [...headers, ...answerHeaders(response.req)]
  if (body instanceof Readable) {
    response.writeHead(status, all)
    return sendStream(response, body)
  }
  // RFC 9110, 8.6: no length with 204, and none with 304 as httpbin does.
  const isEmpty = status === 204 || status === 304
  if (!isEmpty) all.push('Content-Length', String(body === undefined ? 0 : body.length))
  response.writeHead(status, all)
  if (isEmpty || body === undefined) response.end()
  else response.end(body, 'latin1')
  return undefined
}

async function sendStream(response: ServerResponse, stream: Readable): Promise<void> {
  if (response.req.method === 'HEAD' || response.statusCode === 204 || response.statusCode === 304) {
    stream.destroy()
    response.end()
    return
  }
  try {
    await pipeline(stream, response)
  } catch (error) {
    // A client that leaves in the middle of the stream is no error; nobody is there to be answered.
    if (!response.req.socket.destroyed) throw error
  }
}
