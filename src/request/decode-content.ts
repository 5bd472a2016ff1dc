import { promisify } from 'node:util'
import type { InputType, ZlibOptions } from 'node:zlib'
import type { HeaderLines, RequestLimits } from './exchange.ts'
import type { Stop } from './progress.ts'
import { createBodyStop } from './send-once.ts'

type Zlib = typeof import('node:zlib')
/** With the option `info` a decoder also hands over its engine, which knows how many bytes it used. */
type Decoded = { buffer: Buffer; engine: { bytesWritten: number } }
type Decode = (input: InputType, options: ZlibOptions & { info: true }) => Promise<Decoded>

/** Undoes the content encodings of a body (RFC 9110, 8.4), last one first. A body that is cut or corrupt, and one over a limit, is a Stop. */
export async function decodeContent(
  raw: Uint8Array,
  headers: HeaderLines,
  limits: RequestLimits,
): Promise<Uint8Array | Stop> {
  const encodings = listEncodings(headers)
  if (encodings.length === 0 || raw.byteLength === 0) return raw
  if (encodings.length > limits.encodings) {
    return {
      code: 'TOO_MANY_ENCODINGS',
      message: `the response has ${encodings.length} content encodings, more than ${limits.encodings}`,
      hint: 'The option `limits.encodings` raises the limit',
    }
  }
  const zlib = await import('node:zlib')
  let body = raw
  for (const encoding of encodings.toReversed()) {
    const decoded = await decodeOne(body, encoding, { zlib, limit: limits.body })
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

async function decodeOne(
  input: Uint8Array,
  encoding: string,
  { zlib, limit }: { zlib: Zlib; limit: number },
): Promise<Uint8Array | Stop> {
  const decode = findDecoder(encoding, input, zlib)
  if (decode === undefined) {
    return {
      code: 'UNKNOWN_ENCODING',
      message: `the content encoding is not one of gzip, deflate, br and zstd`,
    }
  }
  const parts: Buffer[] = []
  try {
    // zstd and brotli decoders stop silently at the end of the first frame; what follows is another frame or corrupt.
    for (let at = 0, size = 0; at < input.byteLength;) {
      const { buffer, engine } = await decode(input.subarray(at), {
        maxOutputLength: limit - size + 1,
        info: true,
      })
      size += buffer.byteLength
      if (size > limit) return createBodyStop(limit)
      if (engine.bytesWritten === 0 || (at > 0 && encoding !== 'zstd'))
        return createCorruptStop(encoding, 'bytes after its end')
      at += engine.bytesWritten
      parts.push(buffer)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ERR_BUFFER_TOO_LARGE'
      ? createBodyStop(limit)
      : createCorruptStop(encoding, message, code)
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

function findDecoder(encoding: string, input: Uint8Array, zlib: Zlib): Decode | undefined {
  const decoder = {
    gzip: zlib.gunzip,
    'x-gzip': zlib.gunzip,
    // Some servers send deflate without its zlib header (RFC 9110, 8.4.1.2).
    deflate: ((input[0] ?? 0) & 0x0f) === 8 ? zlib.inflate : zlib.inflateRaw,
    br: zlib.brotliDecompress,
    zstd: zlib.zstdDecompress,
  }
  return Object.hasOwn(decoder, encoding)
    ? (promisify(decoder[encoding as keyof typeof decoder]) as unknown as Decode)
    : undefined
}

function createCorruptStop(encoding: string, reason: string, code = 'CORRUPT_BODY'): Stop {
  return { code, message: `the ${encoding} body is cut or corrupt: ${reason}` }
}
