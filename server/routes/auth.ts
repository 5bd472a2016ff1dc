import { type Reply, replyEmpty, replyJson } from '../reply.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import type { Route } from '../route.ts'
import { replyStatus } from './status.ts'

/** `/basic-auth`, `/hidden-basic-auth` (RFC 7617) and `/bearer` (RFC 6750). */
export const authRoutes: Route[] = [
  { methods: ['GET'], path: '/basic-auth/:user/:password', handle: (request) => replyBasic(request, 401) },
  {
    methods: ['GET'],
    path: '/hidden-basic-auth/:user/:password',
    handle: (request) => replyBasic(request, 404),
  },
  { methods: ['GET'], path: '/bearer', handle: replyBearer },
]

function replyBasic({ message, params }: EchoRequest, refusal: number): Reply {
  const credentials = /^basic +(\S+)$/i.exec(message.headers.authorization ?? '')?.[1]
  const given = credentials === undefined ? undefined : Buffer.from(credentials, 'base64').toString('utf8')
  if (given !== `${params['user']}:${params['password']}`) return replyStatus(refusal)
  return replyJson({ authenticated: true, user: params['user'] ?? '' })
}

function replyBearer({ message }: EchoRequest): Reply {
  const authorization = message.headers.authorization ?? ''
  if (!authorization.startsWith('Bearer ')) return replyEmpty(401, ['WWW-Authenticate', 'Bearer'])
  return replyJson({ authenticated: true, token: authorization.slice('Bearer '.length) })
}
