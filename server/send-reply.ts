import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { corsHeaders } from './cors.ts'
import type { Reply } from './reply.ts'

/** Writes a reply with the headers that every answer has. Resolves when all of it is handed to the socket. */
export function sendReply(response: ServerResponse, reply: Reply): Promise<void> | undefined {
  const { status, headers, body } = reply
  const request = response.req
  const all = [...headers, ...corsHeaders(request)]
  if (body instanceof Readable) return sendStream(response, reply, all)
  // RFC 9110, 8.6: no length with 204, and none with 304 as httpbin does.
  if (status !== 204 && status !== 304)
    all.push('Content-Length', String(body === undefined ? 0 : Buffer.byteLength(body)))
  response.writeHead(status, all)
  response.end(body)
  return undefined
}

async function sendStream(
  response: ServerResponse,
  { status, body }: Reply,
  headers: string[],
): Promise<void> {
  const stream = body as Readable
  response.writeHead(status, headers)
  if (response.req.method === 'HEAD') {
    stream.destroy()
    response.end()
    return
  }
  await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
    // The client left in the middle of the stream: nobody is there to be answered.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}
