import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { readCount, readDecimal, readOption, readQuery, seededBytes } from '../context.ts'
import { sendDocument, type EchoContext, type EchoRouter } from '../context.ts'
import { describeRequest, GET_KEYS } from '../echo.ts'
import { HttpProblem } from '../http-problem.ts'
import { printJson } from '../json.ts'

const BINARY = 'application/octet-stream'
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

/** Bytes (`/base64`, `/bytes`, `/stream-bytes`, `/range`, `/drip`), lines of JSON (`/stream`, `/ndjson`) and events (`/sse`), some spread over time. `startServer` handles handshakes of `/websocket/echo`. */
export function addStreamRoutes(router: EchoRouter): void {
  router.get('/base64/:value', (ctx) => {
    const { value = '' } = ctx.params
    if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(value))
      throw new HttpProblem(400, `"${value}" is not base64 (RFC 4648)`)
    const body = Buffer.from(value, 'base64')
    // Never as HTML, which a browser would render although a client wrote it.
    sendDocument(ctx, isUtf8(body) ? 'text/plain; charset=utf-8' : BINARY, body)
  })
  router.get('/bytes/:count', (ctx) => sendDocument(ctx, BINARY, makeBytes(ctx)))
  router.get('/stream-bytes/:count', (ctx) => {
    const chunks = cut(ctx, makeBytes(ctx))
    ctx.set('Content-Type', BINARY)
    ctx.body = Readable.from(chunks)
  })
  router.get('/range/:count', sendRange)
  router.get('/stream/:count', (ctx) => {
    const ids = listIds(ctx)
    const echo = describeRequest(ctx, GET_KEYS)
    const printed = ids.map((id) => printJson({ ...echo, id }))
    // In printed JSON a line break is never part of a string.
    const lines = printed.map((text) => `${text.replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '')}\n`)
    ctx.set('Content-Type', 'application/json')
    ctx.body = Readable.from(lines)
  })
  router.get('/ndjson/:count', (ctx) =>
    spread(ctx, 0, {
      type: 'application/x-ndjson',
      count: listIds(ctx).length,
      write: (id) => `${JSON.stringify({ id, name: `item ${id}` })}\n`,
    }),
  )
  router.get('/drip', (ctx) => sendDrip(ctx))
  router.get('/sse', (ctx) => sendEvents(ctx))
  router.get('/websocket/echo', () => {
    throw new HttpProblem(426, 'expected a WebSocket handshake (RFC 6455)', { Upgrade: 'websocket' })
  })
}

function makeBytes(ctx: EchoContext): Buffer {
  const count = readCount(ctx.params['count'], 0, ctx.state.echo.limits.maxBytes)
  const seed = readOption(ctx, 'seed')
  return seed === undefined ? randomBytes(count) : seededBytes(seed, count)
}

/** Chunks of `?chunk_size=`, at most a thousand, since tiny ones would cost far more than the bytes themselves. */
function cut(ctx: EchoContext, bytes: Buffer): Buffer[] {
  const size = readCount(readOption(ctx, 'chunk_size') ?? '10240', 1, 2 ** 31)
  const step = Math.max(size, Math.ceil(bytes.length / 1000))
  return Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
    bytes.subarray(index * step, (index + 1) * step),
  )
}

function sendRange(ctx: EchoContext): void {
  const { maxBytes, maxDelay } = ctx.state.echo.limits
  const count = readCount(ctx.params['count'], 1, maxBytes)
  const duration = readDecimal('seconds', readOption(ctx, 'duration') ?? '0', maxDelay)
  const range = readRange(ctx.get('Range'), count)
  const common = { ETag: `"range${count}"`, 'Accept-Ranges': 'bytes' }
  const [first, last] = range ?? [0, count - 1]
  if (first > last) {
    const headers = { ...common, 'Content-Range': `bytes */${count}` }
    throw new HttpProblem(416, 'the range is outside the body', headers)
  }
  const bytes = Buffer.alloc(count, ALPHABET).subarray(first, last + 1)
  const chunks = cut(ctx, bytes)
  ctx.status = range ? 206 : 200
  ctx.set({ 'Content-Type': BINARY, ...common })
  if (range) ctx.set('Content-Range', `bytes ${first}-${last}/${count}`)
  ctx.length = bytes.length
  // As in httpbin: a pause before each chunk, and the duration applies to the whole alphabet, not the range.
  const pause = (duration * bytes.length) / count / chunks.length
  const parts = [Buffer.alloc(0), ...chunks]
  const write = (index: number): Buffer => parts[index] as Buffer
  ctx.body = duration > 0 ? Readable.from(yieldSlowly(ctx, { count: parts.length, write }, pause)) : bytes
}

/** The requested range, as its first and last byte. Undefined if there is none, or if it may be ignored. */
function readRange(header: string, count: number): [first: number, last: number] | undefined {
  const [, from = '', to = ''] = /^bytes=\s*([0-9]{0,15})-([0-9]{0,15})\s*$/.exec(header) ?? []
  if (from === '') return to === '' ? undefined : [Math.max(0, count - Number(to)), count - 1]
  if (to === '') return [Number(from), count - 1]
  return Number(to) < Number(from) ? undefined : [Number(from), Math.min(Number(to), count - 1)]
}

function listIds(ctx: EchoContext): number[] {
  return [...Array(readCount(ctx.params['count'], 0, ctx.state.echo.limits.maxItems)).keys()]
}

/** Content sent in parts, each of which is made when it is due: it may contain the time. */
interface Parts<Part> {
  count: number
  write: (index: number) => Part
}

/** Answers in parts: the first after `?delay=` seconds, the last `?duration=` seconds later (`duration` if missing). */
async function spread(
  ctx: EchoContext,
  duration: number,
  { type, ...parts }: Parts<string> & { type: string },
): Promise<void> {
  const { maxDelay } = ctx.state.echo.limits
  const delay = readDecimal('seconds', readOption(ctx, 'delay') ?? '0', maxDelay)
  const rest = maxDelay - delay
  const whole = readDecimal('seconds', readOption(ctx, 'duration') ?? String(Math.min(duration, rest)), rest)
  if (delay > 0) await waitFor(delay, ctx.req.socket)
  ctx.set('Content-Type', type)
  ctx.body = Readable.from(yieldSlowly(ctx, parts, whole / Math.max(1, parts.count - 1)))
}

/** Yields parts with a pause between them, in seconds. */
async function* yieldSlowly<Part>(
  ctx: EchoContext,
  { count, write }: Parts<Part>,
  pause: number,
): AsyncGenerator<Part> {
  for (let index = 0; index < count; index++) {
    if (index > 0 && pause > 0) await waitFor(pause, ctx.req.socket)
    yield write(index)
  }
}

/** Sends bytes at least ten milliseconds apart. As in httpbin, there is a pause after the last one too. */
async function sendDrip(ctx: EchoContext): Promise<void> {
  const total = readCount(readOption(ctx, 'numbytes') ?? '10', 1, ctx.state.echo.limits.maxBytes)
  const status = readCount(readOption(ctx, 'code') ?? '200', 200, 599)
  const wanted = Math.floor(Number(readOption(ctx, 'duration') ?? 2) * 100)
  const pieces = Math.min(total, Math.max(1, wanted || 1))
  const endOf = (piece: number): number => Math.round((total * Math.min(piece, pieces)) / pieces)
  const write = (piece: number): string => '*'.repeat(endOf(piece + 1) - endOf(piece))
  ctx.status = status
  ctx.length = total
  await spread(ctx, 2, { type: BINARY, count: pieces + 1, write })
}

/** Sends `count` pings, or the texts of `data`. `event` names them. */
async function sendEvents(ctx: EchoContext): Promise<void> {
  const texts = readQuery(ctx).getAll('data')
  const name = readOption(ctx, 'event') ?? (texts.length > 0 ? '' : 'ping')
  if (/[\r\n]/.test(name)) throw new HttpProblem(400, 'expected an event name on one line')
  const asked = texts.length > 0 ? String(texts.length) : (readOption(ctx, 'count') ?? '10')
  const count = readCount(asked, 1, ctx.state.echo.limits.maxItems)
  const write = (id: number): string => {
    const text = texts[id] ?? JSON.stringify({ id, timestamp: Date.now() })
    const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
    return `${name === '' ? '' : `event: ${name}\n`}id: ${id}\n${lines.join('')}\n`
  }
  await spread(ctx, 5, { type: 'text/event-stream; charset=utf-8', count, write })
  ctx.set('Cache-Control', 'no-store')
}

/** Waits for some seconds; rejects as soon as the connection closes. */
export async function waitFor(seconds: number, socket: Socket): Promise<void> {
  const controller = new AbortController()
  const leave = (): void => controller.abort()
  if (socket.destroyed) leave()
  // Many requests may be pipelined on one socket, each with a listener.
  socket.setMaxListeners(0).once('close', leave)
  const { signal } = controller
  await setTimeout(seconds * 1000, undefined, { signal }).finally(() => socket.off('close', leave))
}
