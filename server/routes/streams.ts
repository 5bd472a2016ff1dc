import { Readable } from 'node:stream'
import { printEcho } from '../echo.ts'
import { readCount, readSeconds } from '../numbers.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import { type Fields, firstField, parseFields } from '../request/fields.ts'
import type { Reply } from '../reply.ts'
import type { Route } from '../route.ts'
import { waitFor } from '../wait-for.ts'
import { readStatus } from './status.ts'

/** `/stream/{n}`: n lines of JSON; `/drip`: bytes spread over a time; `/sse`: server-sent events. */
export const streamRoutes: Route[] = [
  { methods: ['GET'], path: '/stream/:count', handle: replyLines },
  { methods: ['GET'], path: '/drip', handle: replyDrip },
  { methods: ['GET'], path: '/sse', handle: replyEvents },
]

function replyLines(request: EchoRequest): Reply {
  const count = readCount(request.params['count'] ?? '', { min: 0, max: request.limits.maxItems })
  const lines = Array.from({ length: count }, (_, id) => `${printLine(request, id)}\n`)
  return { status: 200, headers: ['Content-Type', 'application/json'], body: Readable.from(lines) }
}

/** An echo on one line: in printed JSON a line break is never part of a string. */
function printLine(request: EchoRequest, id: number): string {
  const printed = printEcho(request, ['args', 'headers', 'origin', 'url'], { id })
  return printed.replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '')
}

/** When parts of an answer are sent. */
interface Schedule {
  parts: number
  /** Seconds before the first. */
  delay: number
  /** Seconds between the first and the last. */
  duration: number
}

function readSchedule(
  fields: Fields,
  { parts, duration, maxDelay }: { parts: number; duration: number; maxDelay: number },
): Schedule {
  const delay = readSeconds(firstField(fields, 'delay') ?? '0', maxDelay)
  const given = firstField(fields, 'duration') ?? String(Math.min(duration, maxDelay - delay))
  return { parts, delay, duration: readSeconds(given, maxDelay - delay) }
}

const SHORTEST_PAUSE = 0.01

async function replyDrip(request: EchoRequest): Promise<Reply> {
  const { query, limits, message } = request
  const fields = parseFields(query)
  const total = readCount(firstField(fields, 'numbytes') ?? '10', { min: 1, max: limits.maxBytes })
  const status = readStatus(firstField(fields, 'code') ?? '200')
  const schedule = readSchedule(fields, { parts: total, duration: 2, maxDelay: limits.maxDelay })
  if (schedule.delay > 0) await waitFor(schedule.delay, message)
  const headers = ['Content-Type', 'application/octet-stream', 'Content-Length', String(total)]
  return { status, headers, body: Readable.from(dripBytes(request, total, schedule.duration)) }
}

async function* dripBytes({ message }: EchoRequest, total: number, duration: number): AsyncGenerator<string> {
  const parts = Math.min(total, Math.max(1, Math.floor(duration / SHORTEST_PAUSE)))
  let sent = 0
  for (let part = 1; part <= parts; part++) {
    const due = Math.round((total * part) / parts)
    yield '*'.repeat(due - sent)
    sent = due
    if (duration > 0) await waitFor(duration / parts, message)
  }
}

async function replyEvents(request: EchoRequest): Promise<Reply> {
  const { query, limits, message } = request
  const fields = parseFields(query)
  const parts = readCount(firstField(fields, 'count') ?? '10', { min: 1, max: limits.maxItems })
  const schedule = readSchedule(fields, { parts, duration: 5, maxDelay: limits.maxDelay })
  if (schedule.delay > 0) await waitFor(schedule.delay, message)
  const headers = ['Content-Type', 'text/event-stream; charset=utf-8', 'Cache-Control', 'no-store']
  return { status: 200, headers, body: Readable.from(makeEvents(request, schedule)) }
}

async function* makeEvents({ message }: EchoRequest, { parts, duration }: Schedule): AsyncGenerator<string> {
  for (let id = 0; id < parts; id++) {
    if (id > 0 && duration > 0) await waitFor(duration / (parts - 1), message)
    yield `event: ping\nid: ${id}\ndata: ${JSON.stringify({ id, timestamp: Date.now() })}\n\n`
  }
}
