import { hostname } from 'node:os'
import { EchoSource, replyEcho } from '../echo.ts'
import { replyJson } from '../reply.ts'
import type { Route } from '../route.ts'

/** `/headers`, `/ip`, `/user-agent`, `/uuid`, `/hostname`: one fact each. */
export const inspectionRoutes: Route[] = [
  { methods: ['GET'], path: '/headers', handle: (request) => replyEcho(request, ['headers']) },
  {
    methods: ['GET'],
    path: '/ip',
    handle: (request) => replyJson({ origin: new EchoSource(request).clientAddress() }),
  },
  {
    methods: ['GET'],
    path: '/user-agent',
    handle: ({ message }) => replyJson({ 'user-agent': message.headers['user-agent'] ?? null }),
  },
  { methods: ['GET'], path: '/uuid', handle: () => replyJson({ uuid: crypto.randomUUID() }) },
  { methods: ['GET'], path: '/hostname', handle: () => replyJson({ hostname: hostname() }) },
]
