import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { HttpProblem } from '../http-problem.ts'
import { readCount } from '../numbers.ts'
import { seededRandom } from '../random.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import { firstField, parseFields } from '../request/fields.ts'
import type { Reply } from '../reply.ts'
import type { Route } from '../route.ts'

/** `/base64/{value}` decodes; `/bytes/{n}` and `/stream-bytes/{n}` give random bytes, the same ones for the same `seed`. */
export const byteRoutes: Route[] = [
  { methods: ['GET'], path: '/base64/:value', handle: ({ params }) => replyDecoded(params['value'] ?? '') },
  { methods: ['GET'], path: '/bytes/:count', handle: (request) => replyBytes(makeBytes(request)) },
  {
    methods: ['GET'],
    path: '/stream-bytes/:count',
    handle: (request) => replyBytes(Readable.from(cut(makeBytes(request), readChunkSize(request)))),
  },
]

function replyBytes(body: Buffer | Readable): Reply {
  return { status: 200, headers: ['Content-Type', 'application/octet-stream'], body }
}

/** Text stays text: as HTML, what a client sent would be rendered. */
function replyDecoded(value: string): Reply {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(value))
    throw new HttpProblem(400, `"${value}" is not base64 (RFC 4648)`)
  const body = Buffer.from(value, 'base64')
  const type = isUtf8(body) ? 'text/plain; charset=utf-8' : 'application/octet-stream'
  return { status: 200, headers: ['Content-Type', type], body }
}

function makeBytes({ params, query, limits }: EchoRequest): Buffer {
  const count = readCount(params['count'] ?? '', { min: 0, max: limits.maxBytes })
  const seed = firstField(parseFields(query), 'seed')
  if (seed === undefined) return randomBytes(count)
  const random = seededRandom(readCount(seed, { min: 0, max: 2 ** 32 - 1 }))
  return Buffer.from(Uint8Array.from({ length: count }, () => Math.floor(random() * 256)))
}

function readChunkSize({ query }: EchoRequest): number {
  return readCount(firstField(parseFields(query), 'chunk_size') ?? '10240', { min: 1, max: 2 ** 31 })
}

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  // At most a thousand chunks, or a tiny size would cost far more than the bytes themselves.
  const step = Math.max(size, Math.ceil(bytes.length / 1000))
  for (let start = 0; start < bytes.length; start += step) yield bytes.subarray(start, start + step)
}
