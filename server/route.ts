import type { EchoRequest } from './request/echo-request.ts'
import type { Reply } from './reply.ts'

/** The methods that routes use. HEAD follows GET, and OPTIONS is answered for every route. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'TRACE'

/** One endpoint. */
export interface Route {
  methods: readonly Method[]
  /** A path of `@koa/router`; without parameters it is found by a single look-up. */
  path: string
  handle: (request: EchoRequest) => Reply | Promise<Reply>
}

/** The methods of routes that answer to any. */
export const EVERY_METHOD: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE']

/** Writes the methods of a route as its `allow` header, in httpbin's order. */
export function listAllowed(methods: Pick<ReadonlySet<string>, 'has' | 'size'>): string {
  const order =
    methods.size > 3 ? 'PATCH HEAD POST PUT GET TRACE DELETE' : 'GET HEAD POST PUT PATCH DELETE TRACE'
  return [...order.split(' ').filter((method) => methods.has(method)), 'OPTIONS'].join(', ')
}
