import type { IncomingMessage } from 'node:http'
import { HttpProblem } from '../http-problem.ts'

const EMPTY = Buffer.alloc(0)

/** Whether a request announces a body (RFC 9112, 6.3). */
export function hasBody(message: IncomingMessage): boolean {
  const { headers } = message
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/**
 * Reads the body as it came; content encodings are not decoded.
 * @throws HttpProblem 413 when it is larger than `maxBody` bytes, as soon as that is known
 */
export function readBody(message: IncomingMessage, maxBody: number): Promise<Buffer> {
  const tooLarge = (): HttpProblem => new HttpProblem(413, `the body is larger than ${maxBody} bytes`)
  if (Number(message.headers['content-length'] ?? 0) > maxBody) return Promise.reject(tooLarge())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBody) {
        message.removeAllListeners('data')
        reject(tooLarge())
      } else chunks.push(chunk)
    })
    message.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    message.on('error', reject)
    message.on('close', () => reject(new Error('the client went away')))
  })
}

/** The body of a request that has none. */
export { EMPTY as NO_BODY }
