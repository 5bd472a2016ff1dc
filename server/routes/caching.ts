import { HttpProblem } from '../http-problem.ts'
import { readCount } from '../numbers.ts'
import { replyEcho } from '../echo.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import type { Reply } from '../reply.ts'
import type { Route } from '../route.ts'
import { replyStatus } from './status.ts'

/** `/etag/{etag}` and `/cache` answer conditional requests (RFC 9110, 13); `/cache/{n}` sets `cache-control`. */
export const cachingRoutes: Route[] = [
  { methods: ['GET'], path: '/etag/:etag', handle: replyTagged },
  { methods: ['GET'], path: '/cache', handle: replyCached },
  {
    methods: ['GET'],
    path: '/cache/:seconds',
    handle: (request) => {
      const seconds = readCount(request.params['seconds'] ?? '', { min: 0, max: 2 ** 31 })
      return echoWith(request, ['Cache-Control', `public, max-age=${seconds}`])
    },
  },
]

function replyTagged(request: EchoRequest): Reply {
  const etag = request.params['etag'] ?? ''
  if (!/^[!#-~]+$/.test(etag)) throw new HttpProblem(400, `"${etag}" is not an entity tag (RFC 9110, 8.8.3)`)
  const tag = ['ETag', `"${etag}"`]
  const { 'if-none-match': ifNoneMatch, 'if-match': ifMatch } = request.message.headers
  if (ifNoneMatch !== undefined) {
    if (hasTag(ifNoneMatch, etag)) return { status: 304, headers: tag }
  } else if (ifMatch !== undefined && !hasTag(ifMatch, etag)) return replyStatus(412)
  return echoWith(request, tag)
}

/** Whether a list of entity tags has one, weak or strong, quoted or not. */
function hasTag(list: string, etag: string): boolean {
  const tags = list.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1'),
  )
  return tags.some((tag) => tag === '*' || tag === etag)
}

function replyCached(request: EchoRequest): Reply {
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = request.message.headers
  if (ifNoneMatch || ifModifiedSince) return replyStatus(304)
  const etag = crypto.randomUUID().replaceAll('-', '')
  return echoWith(request, ['Last-Modified', new Date().toUTCString(), 'ETag', `"${etag}"`])
}

function echoWith(request: EchoRequest, headers: readonly string[]): Reply {
  const reply = replyEcho(request, ['args', 'headers', 'origin', 'url'])
  return { ...reply, headers: [...reply.headers, ...headers] }
}
