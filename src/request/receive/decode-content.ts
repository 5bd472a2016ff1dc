import { promisify } from 'node:util'
import type { InputType, ZlibOptions } from 'node:zlib'
import { describeValue } from '../build-problem.ts'
import type { HeaderLines, RequestLimits, Stop } from '../exchange.ts'
import { createLimitStop } from '../transport/send-hop.ts'

type Zlib = typeof import('node:zlib')
/** With the option `info` a decoder also hands over its engine, which knows how many bytes it used. */
type Decoded = { buffer: Buffer; engine: { bytesWritten: number } }
type Decode = (input: InputType, options: ZlibOptions & { info: true }) => Promise<Decoded>

/** What bounds the decoding: limits on size and number, and a watch whose `stopped` ends it. */
type Bounds = { limits: RequestLimits; watch: { stopped?: Stop } }

/** Undoes the content encodings of a body (RFC 9110, 8.4), last one first. A body that is cut or corrupt, and one over a limit, is a Stop. */
export async function decodeContent(
  raw: Uint8Array,
  headers: HeaderLines,
  bounds: Bounds,
): Promise<Uint8Array | Stop> {
  const encodings = listEncodings(headers)
  if (encodings.length === 0 || raw.byteLength === 0) return raw
  const { encodings: limit } = bounds.limits
  if (encodings.length > limit) {
    return {
      code: 'TOO_MANY_ENCODINGS',
      message: `the response has ${encodings.length} content encodings, more than ${limit}`,
      hint: 'The option `limits.encodings` raises the limit',
    }
  }
  const zlib = await import('node:zlib')
  let body = raw
  for (const encoding of encodings.toReversed()) {
    const decode = findDecoder(encoding, body, zlib)
    if (decode === undefined) return createUnknownStop(encoding)
    const decoded = await decodeFrames(body, decode, { ...bounds, encoding })
    if (!(decoded instanceof Uint8Array)) return decoded
    body = decoded
  }
  return body
}

function listEncodings(headers: HeaderLines): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
}

/** Decoders of brotli and zstd stop silently at the end of their first frame: what follows is another frame of zstd, or corrupt. */
async function decodeFrames(
  input: Uint8Array,
  decode: Decode,
  { limits, watch, encoding }: Bounds & { encoding: string },
): Promise<Uint8Array | Stop> {
  const parts: Buffer[] = []
  // Most releases of Node take a frame of zstd that was cut for a whole one; but such a frame goes on into a byte behind it.
  const fed = encoding === 'zstd' ? Buffer.concat([input, Buffer.alloc(1)]) : input
  let at = 0
  let size = 0
  try {
    while (at < input.byteLength) {
      if (watch.stopped) return watch.stopped
      if (at > 0 && encoding !== 'zstd') return createCorruptStop(encoding, 'bytes after its end')
      const maxOutputLength = limits.body - size + 1
      const { buffer, engine } = await decode(fed.subarray(at), { maxOutputLength, info: true })
      if (engine.bytesWritten === 0) return createCorruptStop(encoding, 'bytes after its end')
      at += engine.bytesWritten
      if (at > input.byteLength) return createCorruptStop(encoding, 'it ends too early')
      size += buffer.byteLength
      if (size > limits.body) return createLimitStop(limits, 'body')
      parts.push(buffer)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') return createLimitStop(limits, 'body')
    return createCorruptStop(encoding, message, code)
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

function findDecoder(encoding: string, input: Uint8Array, zlib: Zlib): Decode | undefined {
  const decoders = new Map<string, ((...args: never[]) => void) | undefined>([
    ['gzip', zlib.gunzip],
    ['x-gzip', zlib.gunzip],
    // Some servers send deflate without its zlib header (RFC 9110, 8.4.1.2).
    ['deflate', ((input[0] ?? 0) & 0x0f) === 8 ? zlib.inflate : zlib.inflateRaw],
    ['br', zlib.brotliDecompress],
    // Node has it since 22.15.
    ['zstd', zlib.zstdDecompress],
  ])
  const decoder = decoders.get(encoding)
  return decoder && (promisify(decoder) as unknown as Decode)
}

function createUnknownStop(encoding: string): Stop {
  return { code: 'UNKNOWN_ENCODING', message: `the content encoding ${describeValue(encoding)} is unknown` }
}

function createCorruptStop(encoding: string, reason: string, code = 'CORRUPT_BODY'): Stop {
  return { code, message: `the ${encoding} body is cut or corrupt: ${reason}` }
}
