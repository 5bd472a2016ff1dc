import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { type EchoContext, type EchoRouter, readOption, sendDocument } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'
import { readCount, readSeconds, seededBytes } from '../numbers.ts'
import { yieldSlowly } from './streams.ts'

const BINARY = 'application/octet-stream'
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

/**
 * `/base64/{value}` decodes; `/bytes/{n}` and `/stream-bytes/{n}` give random bytes, the same ones for the same `seed`;
 * `/range/{n}` the alphabet over and over, whole or in one range (RFC 9110, 14).
 */
export function addByteRoutes(router: EchoRouter): void {
  router.get('/base64/:value', (ctx) => {
    const { value = '' } = ctx.params
    if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(value))
      throw new HttpProblem(400, `"${value}" is not base64 (RFC 4648)`)
    const body = Buffer.from(value, 'base64')
    // Text stays text: as HTML, what a client sent would be rendered.
    sendDocument(ctx, isUtf8(body) ? 'text/plain; charset=utf-8' : BINARY, body)
  })
  router.get('/bytes/:count', (ctx) => sendDocument(ctx, BINARY, makeBytes(ctx)))
  router.get('/stream-bytes/:count', (ctx) => {
    const chunks = cut(makeBytes(ctx), readChunkSize(ctx))
    ctx.set('Content-Type', BINARY)
    ctx.body = Readable.from(chunks)
  })
  router.get('/range/:count', sendRange)
}

function makeBytes(ctx: EchoContext): Buffer {
  const count = readCount(ctx.params['count'], { min: 0, max: ctx.state.echo.limits.maxBytes })
  const seed = readOption(ctx, 'seed')
  return seed === undefined ? randomBytes(count) : seededBytes(seed, count)
}

function readChunkSize(ctx: EchoContext): number {
  return readCount(readOption(ctx, 'chunk_size') ?? '10240', { min: 1, max: 2 ** 31 })
}

/** At most a thousand chunks, or a tiny size would cost far more than the bytes themselves. */
function cut(bytes: Buffer, size: number): Buffer[] {
  const step = Math.max(size, Math.ceil(bytes.length / 1000))
  return Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
    bytes.subarray(index * step, (index + 1) * step),
  )
}

function sendRange(ctx: EchoContext): void {
  const { maxBytes, maxDelay } = ctx.state.echo.limits
  const count = readCount(ctx.params['count'], { min: 1, max: maxBytes })
  const duration = readSeconds(readOption(ctx, 'duration') ?? '0', maxDelay)
  const range = readRange(ctx.get('Range'), count)
  const common = { ETag: `"range${count}"`, 'Accept-Ranges': 'bytes' }
  if (range === 'unsatisfiable') {
    const headers = { ...common, 'Content-Range': `bytes */${count}` }
    throw new HttpProblem(416, 'the range is outside', headers)
  }
  const [first, last] = range ?? [0, count - 1]
  const bytes = Buffer.alloc(count, ALPHABET).subarray(first, last + 1)
  const chunks = cut(bytes, readChunkSize(ctx))
  ctx.status = range ? 206 : 200
  ctx.set({ 'Content-Type': BINARY, ...common })
  if (range) ctx.set('Content-Range', `bytes ${first}-${last}/${count}`)
  ctx.length = bytes.length
  // As in httpbin: a pause before each chunk, and the duration is that of the whole.
  const pause = (duration * bytes.length) / count / chunks.length
  const makeChunk = (index: number): Buffer => chunks[index - 1] ?? Buffer.alloc(0)
  ctx.body =
    duration > 0 ? Readable.from(yieldSlowly(ctx, { count: chunks.length + 1, pause }, makeChunk)) : bytes
}

/** The range asked for; undefined when there is none, or one in a form that may be ignored. */
function readRange(
  header: string,
  count: number,
): [first: number, last: number] | 'unsatisfiable' | undefined {
  const [match, from = '', to = ''] = /^bytes=\s*([0-9]{0,15})-([0-9]{0,15})\s*$/.exec(header) ?? []
  if (match === undefined || (from === '' && to === '')) return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const first = from === '' ? Math.max(0, count - Number(to)) : Number(from)
  const last = from === '' || to === '' ? count - 1 : Math.min(Number(to), count - 1)
  return first > last ? 'unsatisfiable' : [first, last]
}
