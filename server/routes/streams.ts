import { Readable } from 'node:stream'
import { readOption, readQuery, type EchoContext, type EchoRouter } from '../context.ts'
import { describeRequest } from '../echo.ts'
import { HttpProblem } from '../http-problem.ts'
import { printJson } from '../json/print-json.ts'
import { readCount, readSeconds } from '../numbers.ts'
import { readStatus } from './status.ts'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/**
 * `/stream/{n}` and `/ndjson/{n}`: lines of JSON; `/sse`: server-sent events; `/drip`: bytes; all but the first spread over
 * a time. `/websocket/echo` sends messages back: the server takes its handshake before it comes here.
 */
export function addStreamRoutes(router: EchoRouter): void {
  router.get('/stream/:count', (ctx) => {
    const count = readCount(ctx.params['count'], { min: 0, max: ctx.state.echo.limits.maxItems })
    ctx.set('Content-Type', 'application/json')
    ctx.body = Readable.from(Array.from({ length: count }, (_, id) => printLine(ctx, id)))
  })
  router.get('/ndjson/:count', async (ctx) => {
    const count = readCount(ctx.params['count'], { min: 0, max: ctx.state.echo.limits.maxItems })
    const body = await spread(ctx, { count, duration: 0 }, printItem)
    ctx.set('Content-Type', 'application/x-ndjson')
    ctx.body = body
  })
  router.get('/drip', (ctx) => sendDrip(ctx))
  router.get('/sse', (ctx) => sendEvents(ctx))
  router.get('/websocket/echo', () => {
    throw new HttpProblem(426, 'expected a WebSocket handshake (RFC 6455)', { Upgrade: 'websocket' })
  })
}

function printItem(id: number): string {
  return `${JSON.stringify({ id, name: `item ${id}` })}\n`
}

/** An echo on one line: in printed JSON a line break is never part of a string. */
function printLine(ctx: EchoContext, id: number): string {
  const printed = printJson({ ...describeRequest(ctx, ['args', 'headers', 'origin', 'url']), id })
  return `${printed.replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '')}\n`
}

/** A stream of parts: the first after `?delay=`, the last `?duration=` seconds after it. */
async function spread(
  ctx: EchoContext,
  { count, duration }: { count: number; duration: number },
  makePart: (index: number) => string,
): Promise<Readable> {
  const { maxDelay } = ctx.state.echo.limits
  const delay = readSeconds(readOption(ctx, 'delay') ?? '0', maxDelay)
  const rest = maxDelay - delay
  const whole = readSeconds(readOption(ctx, 'duration') ?? String(Math.min(duration, rest)), rest)
  if (delay > 0) await waitFor(delay, ctx.req.socket)
  return Readable.from(yieldSlowly(ctx, { count, pause: whole / Math.max(1, count - 1) }, makePart))
}

/** Yields parts with a pause between them. */
export async function* yieldSlowly<Part>(
  ctx: EchoContext,
  { count, pause }: { count: number; pause: number },
  makePart: (index: number) => Part,
): AsyncGenerator<Part> {
  for (let index = 0; index < count; index++) {
    if (index > 0 && pause > 0) await waitFor(pause, ctx.req.socket)
    yield makePart(index)
  }
}

/** Pieces are at least ten milliseconds apart; as in httpbin there is a pause after the last too. */
async function sendDrip(ctx: EchoContext): Promise<void> {
  const total = readCount(readOption(ctx, 'numbytes') ?? '10', {
    min: 1,
    max: ctx.state.echo.limits.maxBytes,
  })
  const status = readStatus(readOption(ctx, 'code') ?? '200')
  const wanted = Math.floor(Number(readOption(ctx, 'duration') ?? 2) * 100)
  const pieces = Math.min(total, Math.max(1, wanted || 1))
  const endOf = (piece: number): number => Math.round((total * Math.min(piece + 1, pieces)) / pieces)
  const body = await spread(ctx, { count: pieces + 1, duration: 2 }, (piece) =>
    '*'.repeat(endOf(piece) - endOf(piece - 1)),
  )
  ctx.status = status
  ctx.set('Content-Type', 'application/octet-stream')
  ctx.length = total
  ctx.body = body
}

/** `count` pings, or the texts of `data`; `event` names them, `retry` advises the client, `Last-Event-ID` is gone on from. */
async function sendEvents(ctx: EchoContext): Promise<void> {
  const { maxItems } = ctx.state.echo.limits
  const last = /^[0-9]{1,9}$/.exec(ctx.get('Last-Event-ID'))?.[0]
  const start = last === undefined ? 0 : Number(last) + 1
  const texts = readQuery(ctx).get('data')
  const name = readOption(ctx, 'event') ?? (texts ? '' : 'ping')
  if (/[\r\n]/.test(name)) throw new HttpProblem(400, 'expected an event name on one line')
  const retry = readOption(ctx, 'retry')
  const head = retry === undefined ? '' : `retry: ${readCount(retry, { min: 0, max: 2 ** 31 })}\n`
  const left = texts?.slice(start)
  const count = left
    ? readCount(String(left.length), { min: 0, max: maxItems })
    : readCount(readOption(ctx, 'count') ?? '10', { min: 1, max: maxItems })
  const body = await spread(ctx, { count, duration: 5 }, (index) => {
    const id = start + index
    const text = left ? (left[index] ?? '') : JSON.stringify({ id, timestamp: Date.now() })
    const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
    return `${index === 0 ? head : ''}${name === '' ? '' : `event: ${name}\n`}id: ${id}\n${lines.join('')}\n`
  })
  ctx.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' })
  ctx.body = body
}

const leaving = new WeakMap<Socket, AbortSignal>()

/**
 * Waits for some seconds.
 * @throws an AbortError as soon as the connection closes; the timer is freed
 */
export function waitFor(seconds: number, socket: Socket): Promise<void> {
  return setTimeout(seconds * 1000, undefined, { signal: leaving.get(socket) ?? watch(socket) })
}

/** One signal for a socket, however many requests are pipelined on it. */
function watch(socket: Socket): AbortSignal {
  const controller = new AbortController()
  leaving.set(socket, controller.signal)
  if (socket.destroyed) controller.abort()
  else socket.once('close', () => controller.abort())
  return controller.signal
}
