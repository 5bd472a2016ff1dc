import type { IncomingMessage } from 'node:http'
import { HttpProblem } from '../http-problem.ts'
import type { Limits } from '../limits.ts'

const NO_BODY: Buffer = Buffer.alloc(0)
const CLIENT_LEFT = new Error('the client left before the end of the body')

/** Whether a request announces a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Reads the bodies of an application's requests, and bounds what they take together. */
export class BodyReader {
  private readonly limits: Limits
  private total = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  /**
   * Reads a body as it came; content encodings are not decoded. It counts until it is released.
   * @throws HttpProblem as soon as it (413) or all bodies together (503) are too large; an Error when the client leaves
   */
  read(message: IncomingMessage): Promise<Buffer> {
    const { maxBody, maxTotalBody } = this.limits
    if (message.readableDidRead)
      throw new Error(
        'the body of this request has been read already: mount the echo routes before what reads bodies',
      )
    const announced = Number(message.headers['content-length'] ?? maxBody)
    return new Promise((resolve, reject) => {
      let buffer = NO_BODY
      let length = 0
      const fail = (error: Error): void => {
        message.removeAllListeners('data')
        this.total -= length
        length = 0
        reject(error)
      }
      const refuse = (): void => fail(new HttpProblem(413, `the body is larger than ${maxBody} bytes`))
      if (announced > maxBody) return refuse()
      message.on('data', (chunk: Buffer) => {
        if (length + chunk.length > maxBody) return refuse()
        if (this.total + chunk.length > maxTotalBody)
          return fail(new HttpProblem(503, `all bodies together are larger than ${maxTotalBody} bytes`))
        // Into one buffer: many tiny chunks would take far more than they hold.
        if (length === 0) buffer = chunk
        else {
          if (length + chunk.length > buffer.length)
            buffer = enlarge(buffer, Math.max(length + chunk.length, Math.min(announced, 2 * buffer.length)))
          chunk.copy(buffer, length)
        }
        length += chunk.length
        this.total += chunk.length
      })
      message.on('end', () => {
        message.off('close', leave)
        resolve(buffer.subarray(0, length))
      })
      // Comes alone when the client leaves; an error is not emitted where nobody listens to it.
      const leave = (): void => fail(CLIENT_LEFT)
      message.on('close', leave)
    })
  }

  /** Forgets a body that has been answered. */
  release(body: Buffer): void {
    this.total -= body.length
  }
}

function enlarge(buffer: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size)
  buffer.copy(larger)
  return larger
}
