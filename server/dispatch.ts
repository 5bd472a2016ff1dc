import { Router } from '@koa/router'
import { type Reply, replyEmpty, replyError } from './reply.ts'
import type { EchoRequest } from './request/echo-request.ts'
import { listAllowed, type Route } from './route.ts'
import { routes } from './routes/index.ts'

/** The routes of one path by method. */
type Methods = Map<string, Route>

/**
 * Paths without parameters are found in a Map; only the others go through the router, which tries its patterns one by
 * one.
 */
const fixed = new Map<string, Methods>()
const patterns = new Map<string, Methods>()
const router = new Router({ strict: true, sensitive: true })

for (const route of routes) {
  const isPattern = /[:*]/.test(route.path)
  const table = isPattern ? patterns : fixed
  if (isPattern && !table.has(route.path)) router.register(route.path, ['GET'], () => undefined)
  const methods: Methods = table.get(route.path) ?? new Map()
  for (const method of route.methods) methods.set(method, route)
  if (route.methods.includes('GET')) methods.set('HEAD', route)
  table.set(route.path, methods)
}

/** Finds the route of a request and calls it: 404 without one, 405 for another method, OPTIONS for every path. */
export function dispatchRequest(request: EchoRequest): Reply | Promise<Reply> {
  const methods = fixed.get(request.path)
  if (methods) return answer(request, methods)
  const found = findPattern(request.path)
  return found ? answer({ ...request, params: found.params }, found.methods) : replyNothing(request.path)
}

/** Answers a method that Node's parser does not know; nothing but its request line is read. */
export function answerUnknownMethod(method: string, path: string): Reply {
  const methods = fixed.get(path) ?? findPattern(path)?.methods
  return methods ? replyNotAllowed(method, methods) : replyNothing(path)
}

function findPattern(path: string): { methods: Methods; params: Record<string, string> } | undefined {
  const layer = router.match(path, 'GET').path[0]
  const methods = layer && patterns.get(String(layer.path))
  if (!methods) return undefined
  // Values are taken as they stand: the path is decoded already.
  const values = layer.captures(path)
  const params = Object.fromEntries(layer.paramNames.map(({ name }, index) => [name, values[index] ?? '']))
  return { methods, params }
}

function answer(request: EchoRequest, methods: Methods): Reply | Promise<Reply> {
  const route = methods.get(request.method)
  if (route) return route.handle(request)
  if (request.method === 'OPTIONS') return replyEmpty(200, ['Allow', listAllowed(methods)])
  return replyNotAllowed(request.method, methods)
}

function replyNotAllowed(method: string, methods: Methods): Reply {
  return replyError(405, `${method} is not allowed here`, ['Allow', listAllowed(methods)])
}

function replyNothing(path: string): Reply {
  return replyError(404, `there is nothing at ${path}`)
}
