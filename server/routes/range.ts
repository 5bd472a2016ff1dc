import { readCount } from '../numbers.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import { type Reply, replyError } from '../reply.ts'
import type { Route } from '../route.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

/** `/range/{n}`: the alphabet over and over, n bytes long, whole or in one range (RFC 9110, 14). */
export const rangeRoutes: Route[] = [{ methods: ['GET'], path: '/range/:count', handle: replyRange }]

function replyRange({ params, message, limits }: EchoRequest): Reply {
  const count = readCount(params['count'] ?? '', { min: 1, max: limits.maxBytes })
  const common = ['ETag', `"range${count}"`, 'Accept-Ranges', 'bytes']
  const range = readRange(message.headers.range, count)
  if (range === 'unsatisfiable')
    return replyError(416, 'the range is outside', [...common, 'Content-Range', `bytes */${count}`])
  const headers = ['Content-Type', 'application/octet-stream', ...common]
  if (!range) return { status: 200, headers, body: letters(0, count) }
  const { first, last } = range
  headers.push('Content-Range', `bytes ${first}-${last}/${count}`)
  return { status: 206, headers, body: letters(first, last + 1) }
}

/** The range asked for; undefined when there is none, or one in a form that may be ignored. */
function readRange(
  header: string | undefined,
  count: number,
): { first: number; last: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=\s*([0-9]{0,15})-([0-9]{0,15})\s*$/.exec(header ?? '')
  if (!match) return undefined
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return undefined
  const first = from === '' ? Math.max(0, count - Number(to)) : Number(from)
  const last = from === '' || to === '' ? count - 1 : Math.min(Number(to), count - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  return first > last ? 'unsatisfiable' : { first, last }
}

function letters(start: number, end: number): string {
  const offset = start % ALPHABET.length
  return ALPHABET.repeat(Math.ceil((offset + end - start) / ALPHABET.length)).slice(
    offset,
    offset + end - start,
  )
}
