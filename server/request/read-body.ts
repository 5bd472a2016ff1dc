import type { IncomingMessage } from 'node:http'
import { HttpProblem } from '../http-problem.ts'

/** The body of a request that has none. */
export const NO_BODY: Buffer = Buffer.alloc(0)

/** Whether a request announces a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/**
 * Reads the body as it came; content encodings are not decoded.
 * @throws HttpProblem 413 when it is larger than `maxBody` bytes, as soon as that is known; an Error when the client leaves
 */
export function readBody(message: IncomingMessage, maxBody: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = Number(message.headers['content-length'] ?? 0)
    if (length > maxBody) return reject(tooLarge(maxBody))
    length = 0
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBody) {
        chunks.push(chunk)
        return
      }
      message.removeAllListeners('data')
      reject(tooLarge(maxBody))
    })
    message.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)),
    )
    // Comes after the end too, and alone when the client leaves; an error is not emitted where nobody listens to it.
    message.on('close', () => reject(CLIENT_LEFT))
  })
}

const CLIENT_LEFT = new Error('the client left before the end of the body')

function tooLarge(maxBody: number): HttpProblem {
  return new HttpProblem(413, `the body is larger than ${maxBody} bytes`)
}
