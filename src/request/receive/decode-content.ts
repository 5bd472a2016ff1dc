import { promisify } from 'node:util'
import type { InputType, ZlibOptions } from 'node:zlib'
import { listHeader, type HeaderLines } from '../exchange.ts'
import { describeValue, RequestProblem } from '../request-problem.ts'
import { stopAtBodyLimit } from '../transport/hop.ts'

/** With the option `info`, zlib also returns its engine, which knows how many bytes it consumed. */
type Decoded = { buffer: Buffer; engine: { bytesWritten: number } }
type Decode = (input: InputType, options: ZlibOptions & { info: true }) => Promise<Decoded>

const MOST_ENCODINGS = 5

const noEncodings = new Set(['', 'identity', 'chunked', 'none', 'utf-8', 'binary'])

/** Content and transfer encodings of a response, in the order they were applied. */
export function listEncodings(headers: HeaderLines): string[] {
  return ['content-encoding', 'transfer-encoding']
    .flatMap((name) => listHeader(headers, name).join().split(','))
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => !noEncodings.has(encoding))
}

/** Undoes content encodings, the last first (RFC 9110, 8.4). Throws if the body is cut, corrupt or too large. */
export async function decodeContent(
  raw: Uint8Array,
  encodings: readonly string[],
  limit: number,
): Promise<Uint8Array> {
  if (encodings.length > MOST_ENCODINGS)
    throw new RequestProblem(
      `the response has ${encodings.length} content encodings, more than ${MOST_ENCODINGS}`,
      'TOO_MANY_ENCODINGS',
    )
  let body = raw
  for (const encoding of encodings.toReversed()) body = await decodeOnce(body, encoding, limit)
  return body
}

async function decodeOnce(input: Uint8Array, encoding: string, limit: number): Promise<Uint8Array> {
  const refuse = (reason: string, code = 'CORRUPT_BODY'): RequestProblem =>
    new RequestProblem(`the ${encoding} body is cut or corrupt: ${reason}`, code)
  const decode = findDecoder(encoding, input)
  try {
    const { buffer, engine } = await decode(input, { maxOutputLength: limit, info: true })
    // The decoder for brotli stops after its end without an error.
    if (engine.bytesWritten < input.byteLength) throw refuse('bytes after its end')
    return buffer
  } catch (error) {
    if (error instanceof RequestProblem) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw stopAtBodyLimit(limit)
    throw refuse(message, code)
  }
}

function findDecoder(encoding: string, input: Uint8Array): Decode {
  const zlib = process.getBuiltinModule('node:zlib')
  const decoders = new Map<string, (...args: never[]) => void>([
    ['gzip', zlib.gunzip],
    ['x-gzip', zlib.gunzip],
    // Some servers send deflate without its zlib header (RFC 9110, 8.4.1.2).
    ['deflate', ((input[0] ?? 0) & 0x0f) === 8 ? zlib.inflate : zlib.inflateRaw],
    ['br', zlib.brotliDecompress],
  ])
  const decoder = decoders.get(encoding)
  if (decoder) return promisify(decoder) as unknown as Decode
  const message = `the content encoding ${describeValue(encoding)} is unknown`
  const hint = 'The header `accept-encoding: identity` asks the server for none'
  throw new RequestProblem(message, 'UNKNOWN_ENCODING', hint)
}
