import { promisify } from 'node:util'
import type { InputType, ZlibOptions } from 'node:zlib'
import { describeValue } from '../build-problem.ts'
import { listHeader, RequestStop, type HeaderLines, type RequestLimits, type Stop } from '../exchange.ts'
import { createLimitStop } from '../transport/hop.ts'

type Zlib = typeof import('node:zlib')
/** With the option `info` a decoder also hands over its engine, which knows how many bytes it used. */
type Decoded = { buffer: Buffer; engine: { bytesWritten: number } }
type Decode = (input: InputType, options: ZlibOptions & { info: true }) => Promise<Decoded>

/** What bounds the decoding: limits on size and number, and a watch whose `stopped` ends it. */
type Bounds = { limits: RequestLimits; watch: { readonly stopped: Stop | undefined } }

/** The content encodings of an answer, in the order they were applied. */
export function listEncodings(headers: HeaderLines): string[] {
  return listHeader(headers, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
}

/** Undoes the content encodings of a body (RFC 9110, 8.4), last one first; throws a RequestStop for one that is cut, corrupt or over a limit. */
export async function decodeContent(
  raw: Uint8Array,
  encodings: readonly string[],
  { limits, watch }: Bounds,
): Promise<Uint8Array> {
  if (encodings.length > limits.encodings)
    throw new RequestStop('decode', {
      code: 'TOO_MANY_ENCODINGS',
      message: `the response has ${encodings.length} content encodings, more than ${limits.encodings}`,
      hint: 'The option `limits.encodings` raises the limit',
    })
  const zlib = await import('node:zlib')
  let body = raw
  for (const encoding of encodings.toReversed()) {
    const decode = findDecoder(encoding, body, zlib)
    body = await decodeFrames(body, decode, { limits, watch, encoding })
    if (watch.stopped) throw new RequestStop('decode', watch.stopped)
  }
  return body
}

/** Decoders of brotli and zstd stop silently at the end of their first frame: what follows is another frame of zstd, or corrupt. */
async function decodeFrames(
  input: Uint8Array,
  decode: Decode,
  { limits, watch, encoding }: Bounds & { encoding: string },
): Promise<Uint8Array> {
  const parts: Buffer[] = []
  // Most releases of Node take a frame of zstd that was cut for a whole one; but such a frame goes on into a byte behind it.
  const fed = encoding === 'zstd' ? Buffer.concat([input, Buffer.alloc(1)]) : input
  let at = 0
  let size = 0
  while (at < input.byteLength && !watch.stopped) {
    if (at > 0 && encoding !== 'zstd') throw stopCorrupt(encoding, 'bytes after its end')
    const options = { maxOutputLength: limits.body - size + 1, info: true } as const
    const { buffer, engine } = await decode(fed.subarray(at), options).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_BUFFER_TOO_LARGE')
          throw new RequestStop('decode', createLimitStop(limits, 'body'))
        throw stopCorrupt(encoding, error.message, error.code)
      },
    )
    if (engine.bytesWritten === 0) throw stopCorrupt(encoding, 'bytes after its end')
    at += engine.bytesWritten
    if (at > input.byteLength) throw stopCorrupt(encoding, 'it ends too early')
    size += buffer.byteLength
    if (size > limits.body) throw new RequestStop('decode', createLimitStop(limits, 'body'))
    parts.push(buffer)
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

function findDecoder(encoding: string, input: Uint8Array, zlib: Zlib): Decode {
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
  if (decoder) return promisify(decoder) as unknown as Decode
  const message = `the content encoding ${describeValue(encoding)} is unknown`
  throw new RequestStop('decode', { code: 'UNKNOWN_ENCODING', message })
}

function stopCorrupt(encoding: string, reason: string, code = 'CORRUPT_BODY'): RequestStop {
  return new RequestStop('decode', { code, message: `the ${encoding} body is cut or corrupt: ${reason}` })
}
