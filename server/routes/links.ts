import { readCount } from '../numbers.ts'
import { type Reply, replyEmpty, replyHtml } from '../reply.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import type { Route } from '../route.ts'

/** `/links/{n}/{i}`: a page with n links to each other, for crawlers. */
export const linkRoutes: Route[] = [
  {
    methods: ['GET'],
    path: '/links/:count',
    handle: (request) => replyEmpty(302, ['Location', `/links/${readLinks(request)}/0`]),
  },
  { methods: ['GET'], path: '/links/:count/:index', handle: replyLinks },
]

function readLinks({ params, limits }: EchoRequest): number {
  return readCount(params['count'] ?? '', { min: 1, max: limits.maxItems })
}

function replyLinks(request: EchoRequest): Reply {
  const count = readLinks(request)
  const current = readCount(request.params['index'] ?? '', { min: 0, max: count })
  const links = Array.from({ length: count }, (_, index) =>
    index === current ? String(index) : `<a href="/links/${count}/${index}">${index}</a>`,
  )
  return replyHtml(`<html><head><title>Links</title></head><body>${links.join(' ')}</body></html>`)
}
