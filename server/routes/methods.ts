import { type EchoKey, replyEcho } from '../echo.ts'
import { EVERY_METHOD, type Route } from '../route.ts'

const GET_KEYS: EchoKey[] = ['args', 'headers', 'origin', 'url']
const BODY_KEYS: EchoKey[] = ['args', 'data', 'files', 'form', 'headers', 'json', 'origin', 'url']
const ANYTHING_KEYS: EchoKey[] = [
  'args',
  'data',
  'files',
  'form',
  'headers',
  'json',
  'method',
  'origin',
  'url',
]

/** `/get`, `/head`, `/options`, `/post`, `/put`, `/patch`, `/delete` and `/anything`: the request described as JSON. */
export const methodRoutes: Route[] = [
  { methods: ['GET'], path: '/get', handle: (request) => replyEcho(request, GET_KEYS) },
  { methods: ['GET'], path: '/head', handle: (request) => replyEcho(request, GET_KEYS) },
  { methods: ['GET'], path: '/options', handle: (request) => replyEcho(request, GET_KEYS) },
  { methods: ['POST'], path: '/post', handle: (request) => replyEcho(request, BODY_KEYS) },
  { methods: ['PUT'], path: '/put', handle: (request) => replyEcho(request, BODY_KEYS) },
  { methods: ['PATCH'], path: '/patch', handle: (request) => replyEcho(request, BODY_KEYS) },
  { methods: ['DELETE'], path: '/delete', handle: (request) => replyEcho(request, BODY_KEYS) },
  { methods: EVERY_METHOD, path: '/anything', handle: (request) => replyEcho(request, ANYTHING_KEYS) },
  { methods: EVERY_METHOD, path: '/anything/*rest', handle: (request) => replyEcho(request, ANYTHING_KEYS) },
]
