import type { IncomingMessage } from 'node:http'
import { HttpProblem } from '../http-problem.ts'

/** Whether a request announces a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/**
 * Reads a body as it came; content encodings are not decoded.
 * @throws HttpProblem 413 as soon as it is too large; an Error when the client leaves or something else has read it
 */
export function readBody(message: IncomingMessage, maxBody: number): Promise<Buffer> {
  if (message.readableDidRead)
    throw new Error(
      'the body of this request has been read already: mount the echo routes before what reads bodies',
    )
  return new Promise((resolve, reject) => {
    const announced = Number(message.headers['content-length'] ?? 0)
    const refuse = (): void => {
      message.removeAllListeners('data')
      reject(new HttpProblem(413, `the body is larger than ${maxBody} bytes`))
    }
    if (announced > maxBody) return refuse()
    let buffer = Buffer.allocUnsafe(Math.min(announced || 1024, 65_536))
    let length = 0
    message.on('data', (chunk: Buffer) => {
      const end = length + chunk.length
      if (end > maxBody) return refuse()
      // Into one buffer: many tiny chunks would take far more than they hold.
      if (end > buffer.length)
        buffer = Buffer.concat([buffer.subarray(0, length)], Math.max(end, 2 * buffer.length))
      chunk.copy(buffer, length)
      length = end
    })
    message.on('end', () => resolve(buffer.subarray(0, length)))
    // Comes alone when the client leaves; an error is not emitted where nobody listens to it.
    message.on('close', () => {
      if (!message.readableEnded) reject(new Error('the client left before the end of the body'))
    })
  })
}
