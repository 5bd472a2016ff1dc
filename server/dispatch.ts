import Router from '@koa/router'
import { type Reply, replyEmpty, replyError } from './reply.ts'
import type { EchoRequest } from './request/echo-request.ts'
import { listAllowed, type Method, type Route } from './route.ts'

/** Finds the route of a request and calls it. */
export type Dispatcher = (request: EchoRequest) => Reply | Promise<Reply>

/** The routes of one path by method. */
type Methods = ReadonlyMap<string, Route>

/**
 * Makes a dispatcher for a table of routes. Paths without parameters are found in a Map; only the others go through the
 * router, which tries its patterns one by one.
 */
export function createDispatcher(routes: readonly Route[]): Dispatcher {
  const fixed = new Map<string, Map<string, Route>>()
  const router = new Router({ strict: true, sensitive: true })
  const byPattern = new Map<string, Map<string, Route>>()
  for (const route of routes) {
    const isPattern = /[:*{]/.test(route.path)
    const table = isPattern ? byPattern : fixed
    if (isPattern) router.register(route.path, [...route.methods], () => undefined)
    const methods = table.get(route.path) ?? new Map<string, Route>()
    for (const method of withHead(route.methods)) methods.set(method, route)
    table.set(route.path, methods)
  }
  return (request) => {
    const methods = fixed.get(request.path)
    if (methods) return answer(request, methods)
    return dispatchPattern(request, router, byPattern)
  }
}

function dispatchPattern(
  request: EchoRequest,
  router: Router,
  byPattern: Map<string, Methods>,
): Reply | Promise<Reply> {
  const layer = router.match(request.path, 'GET').path[0]
  if (!layer) return replyError(404, `there is nothing at ${request.path}`)
  // Values are taken as they stand: the path is decoded already.
  const values = layer.captures(request.path)
  const params: Record<string, string> = Object.create(null)
  for (const [index, { name }] of layer.paramNames.entries()) params[name] = values[index] ?? ''
  return answer({ ...request, params }, byPattern.get(String(layer.path)) as Methods)
}

function answer(request: EchoRequest, methods: Methods): Reply | Promise<Reply> {
  const route = methods.get(request.method)
  if (route) return route.handle(request)
  const allow = ['Allow', listAllowed(new Set(methods.keys()))]
  if (request.method === 'OPTIONS') return replyEmpty(200, allow)
  return replyError(405, `${request.method} is not allowed here`, allow)
}

function withHead(methods: readonly Method[]): string[] {
  return methods.includes('GET') ? [...methods, 'HEAD'] : [...methods]
}
