import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { HttpProblem } from '../http-problem.ts'
import { parseFields, parseParameters } from './fields.ts'

export const NO_BODY = Buffer.alloc(0)

/** Whether a request announces a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** All bodies that are being read in this process, and how many bytes they may have together. */
const UNFINISHED = { bytes: 0, most: 256 * 1024 * 1024 }

/**
 * Reads a body as received, without decoding content encodings.
 * @throws HttpProblem 413 as soon as it is too large, 503 when all `unfinished` bodies are
 */
export async function readBody(
  message: IncomingMessage,
  maxBody: number,
  unfinished: typeof UNFINISHED = UNFINISHED,
): Promise<Buffer> {
  if (message.readableDidRead)
    throw new Error(
      'the body of this request has already been read: mount the echo routes before any middleware that reads bodies',
    )
  return new Promise((resolve, reject) => {
    const announced = Number(message.headers['content-length'] ?? 0)
    const refuse = (status: number, problem: string): void => {
      message.removeAllListeners('data')
      reject(new HttpProblem(status, problem))
    }
    const tooLarge = `the body is larger than ${maxBody} bytes`
    if (announced > maxBody) return refuse(413, tooLarge)
    let buffer = Buffer.allocUnsafe(Math.min(announced || 1024, 65_536))
    let length = 0
    message.on('data', (chunk: Buffer) => {
      const end = length + chunk.length
      if (end > maxBody) return refuse(413, tooLarge)
      if (unfinished.bytes + chunk.length > unfinished.most)
        return refuse(503, 'all bodies that are being read are larger than 256 MiB')
      unfinished.bytes += chunk.length
      // In one buffer: many tiny chunks would take far more memory than their content.
      if (end > buffer.length)
        buffer = Buffer.concat([buffer.subarray(0, length)], Math.max(end, 2 * buffer.length))
      chunk.copy(buffer, length)
      length = end
    })
    message.on('end', () => resolve(buffer.subarray(0, length)))
    // When the client leaves, there is only `close`: an error is not emitted if nobody listens to it.
    message.on('close', () => {
      unfinished.bytes -= length
      if (!message.readableEnded) reject(new Error('the client left before the end of the body'))
    })
  })
}

/** A body split into parts as httpbin does. */
export interface BodyContent {
  form: URLSearchParams
  /** Contents of files by field name. Of files with the same name, the first counts. */
  files: Map<string, string>
  /** The body as received. Empty if it was split into `form` and `files`. */
  data: Buffer
}

/**
 * Splits a body by its content type: form-encoded, multipart, or neither.
 * @throws HttpProblem 413 when it has more than `maxParts` fields or parts
 */
export function parseBody(body: Buffer, contentType: string, maxParts: number): BodyContent {
  const content: BodyContent = { form: new URLSearchParams(), files: new Map(), data: NO_BODY }
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded' || type === 'application/x-url-encoded')
    return { ...content, form: parseFields(body.toString(), maxParts) }
  const boundary = type === 'multipart/form-data' && parseParameters(contentType).get('boundary')
  if (!boundary || body.length === 0) return { ...content, data: body }
  const parts = splitParts(body.toString('latin1'), boundary, maxParts)
  if (parts?.every((part) => addPart(content, part))) return content
  return { form: new URLSearchParams(), files: new Map(), data: NO_BODY }
}

/** Bytes as text, or as a data URI (RFC 2397) of the given type if they are not UTF-8. */
export function showBytes(bytes: Buffer, type = 'application/octet-stream'): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : `data:${type};base64,${bytes.toString('base64')}`
}

/**
 * The texts between the boundaries of `multipart/form-data` (RFC 7578), or undefined if the closing one is missing. No
 * library has httpbin's quirks: a line may end in CRLF, LF or CR, and a body with any defect has no fields at all.
 */
function splitParts(text: string, boundary: string, maxParts: number): string[] | undefined {
  const escaped = boundary.replace(
    /[^A-Za-z0-9]/g,
    (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  const delimiter = new RegExp(`(?:\\r\\n|\\n|\\r|^)--${escaped}(--|[^\\S\\r\\n]*(?:\\r\\n|\\n|\\r))`, 'g')
  const parts: string[] = []
  let start = -1
  for (const match of text.matchAll(delimiter)) {
    if (start >= 0) parts.push(text.slice(start, match.index))
    if (parts.length > maxParts) throw new HttpProblem(413, `the body has more than ${maxParts} parts`)
    if (match[1] === '--') return parts
    start = match.index + match[0].length
  }
  return undefined
}

/** As for the head of a request. Longer ones would take long to read. */
const MAX_HEAD = 16 * 1024

/** Adds one part. False if it is malformed. */
function addPart({ form, files }: BodyContent, part: string): boolean {
  const blank = /\r\n\r\n|\r\r|\n\n/.exec(part)
  if (!blank) return false
  if (blank.index > MAX_HEAD) throw new HttpProblem(413, 'the head of a part is larger than 16 KB')
  const head = Buffer.from(part.slice(0, blank.index), 'latin1')
  if (!isUtf8(head)) return false
  const readHeader = (name: string): string | undefined =>
    new RegExp(`^[ \\t]*${name}[ \\t]*:(.*(?:\\r?\\n[ \\t].*)*)$`, 'im').exec(head.toString())?.[1]?.trim()
  const disposition = readHeader('content-disposition')
  if (disposition === undefined) return false
  const parameters = parseParameters(disposition)
  const name = parameters.get('name') ?? ''
  const bytes = Buffer.from(part.slice(blank.index + blank[0].length), 'latin1')
  if (!parameters.has('filename')) form.append(name, bytes.toString())
  else if (!files.has(name)) files.set(name, showBytes(bytes, readHeader('content-type')))
  return true
}
