import { EchoSource } from '../echo.ts'
import { HttpProblem } from '../http-problem.ts'
import { readCount } from '../numbers.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import { firstField, parseFields } from '../request/fields.ts'
import { type Reply, replyEmpty } from '../reply.ts'
import { EVERY_METHOD, type Route } from '../route.ts'

/** `/redirect`, `/relative-redirect`, `/absolute-redirect` lead in n steps to `/get`; `/redirect-to` to a given target. */
export const redirectRoutes: Route[] = [
  { methods: ['GET'], path: '/redirect/:count', handle: replyRedirect },
  {
    methods: ['GET'],
    path: '/relative-redirect/:count',
    handle: (request) => replyNext(request, 'relative'),
  },
  {
    methods: ['GET'],
    path: '/absolute-redirect/:count',
    handle: (request) => replyNext(request, 'absolute'),
  },
  { methods: EVERY_METHOD, path: '/redirect-to', handle: replyRedirectTo },
]

function replyRedirect(request: EchoRequest): Reply {
  const absolute = firstField(parseFields(request.query), 'absolute')?.toLowerCase() === 'true'
  return replyNext(request, absolute ? 'absolute' : 'relative')
}

function replyNext(request: EchoRequest, kind: 'absolute' | 'relative'): Reply {
  const count = readCount(request.params['count'] ?? '', { min: 1, max: 1_000_000 })
  const next = count === 1 ? '/get' : `/${kind}-redirect/${count - 1}`
  return replyEmpty(302, ['Location', kind === 'absolute' ? `${ownOrigin(request)}${next}` : next])
}

function replyRedirectTo(request: EchoRequest): Reply {
  const fields = parseFields(request.query)
  const target = firstField(fields, 'url')
  if (target === undefined) throw new HttpProblem(400, 'expected a query parameter "url"')
  const status = readCount(firstField(fields, 'status_code') ?? '302', { min: 0, max: 999 })
  return replyEmpty(status >= 300 && status <= 399 ? status : 302, ['Location', checkTarget(target, request)])
}

/** An open redirect would serve attackers: only targets here, or at an origin that the options allow. */
function checkTarget(target: string, request: EchoRequest): string {
  const own = ownOrigin(request)
  const base = URL.canParse(own) ? own : 'http://localhost'
  const origin = URL.canParse(target, base) ? new URL(target, base).origin : undefined
  const isAllowed = origin === new URL(base).origin || request.limits.allowedRedirects.includes(origin ?? '')
  if (isAllowed && /^[\x21-\x7e]*$/.test(target)) return target
  throw new HttpProblem(
    400,
    `"${target}" is not a target on this server, nor at an origin of allowedRedirects`,
  )
}

function ownOrigin(request: EchoRequest): string {
  return new EchoSource({ ...request, path: '', query: '' }).requestUrl()
}
