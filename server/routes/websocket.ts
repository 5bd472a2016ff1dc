import { replyError } from '../reply.ts'
import type { Route } from '../route.ts'

/** `/websocket/echo` sends every message back; `attachWebSocket` takes the handshake before it comes here. */
export const websocketRoutes: Route[] = [
  {
    methods: ['GET'],
    path: '/websocket/echo',
    handle: () => replyError(426, 'expected a WebSocket handshake (RFC 6455)', ['Upgrade', 'websocket']),
  },
]
