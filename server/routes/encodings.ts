import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { printEcho } from '../echo.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import type { Reply } from '../reply.ts'
import type { Route } from '../route.ts'

type Compress = (text: string) => Promise<Buffer>

interface Encoding {
  path: string
  /** The member that says so in the answer. */
  flag: string
  coding: string
  compress: Compress
}

const encodings: Encoding[] = [
  { path: '/gzip', flag: 'gzipped', coding: 'gzip', compress: promisify<string, Buffer>(zlib.gzip) },
  {
    path: '/deflate',
    flag: 'deflated',
    coding: 'deflate',
    compress: promisify<string, Buffer>(zlib.deflate),
  },
  { path: '/brotli', flag: 'brotli', coding: 'br', compress: promisify<string, Buffer>(zlib.brotliCompress) },
  // Node has zstd since 22.15; before that there is no such endpoint.
  ...('zstdCompress' in zlib
    ? [
        {
          path: '/zstd',
          flag: 'zstd',
          coding: 'zstd',
          compress: promisify<string, Buffer>(zlib.zstdCompress),
        },
      ]
    : []),
]

/** `/gzip`, `/deflate`, `/brotli`, `/zstd`: an echo in that content encoding, whatever the client accepts. */
export const encodingRoutes: Route[] = encodings.map((encoding) => ({
  methods: ['GET'],
  path: encoding.path,
  handle: (request) => replyEncoded(request, encoding),
}))

async function replyEncoded(request: EchoRequest, { flag, coding, compress }: Encoding): Promise<Reply> {
  const printed = printEcho(request, ['headers', 'method', 'origin'], { [flag]: true })
  return {
    status: 200,
    headers: ['Content-Type', 'application/json', 'Content-Encoding', coding],
    body: await compress(`${printed}\n`),
  }
}
