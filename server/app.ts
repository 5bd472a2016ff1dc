import { Router, type RouterMiddleware } from '@koa/router'
import Koa, { type Context } from 'koa'
import { createAnswering } from './answer.ts'
import type { EchoRouter, EchoState } from './context.ts'
import { type EchoOptions, resolveLimits } from './limits.ts'
import { addRoutes } from './routes/index.ts'

/** Options of `createApp`. */
export interface AppOptions extends EchoOptions {
  /** Your own middleware or `router.routes()`, run before the routes. Add routes that come after them with `app.use`. */
  middleware?: readonly RouterMiddleware[]
}

/** Options of `createRouter`. */
export interface RouterOptions extends EchoOptions {
  /** Path prefix of the routes: `/echo`. @default '' */
  prefix?: string
}

/**
 * The echo server as a Koa application without a port: for `app.callback()`, supertest, or your own server. Each has its
 * own state (`/flaky`, `/sequence`). Broken bytes, WebSocket handshakes and slow heads are up to the server that listens.
 * @throws TypeError when an option is unknown or out of range
 */
export function createApp({ middleware = [], ...options }: AppOptions = {}): Koa {
  const limits = resolveLimits(options, ['middleware'])
  const router = addRoutes(new Router<EchoState>({ strict: true, sensitive: true }), limits)
  const app = new Koa()
  ignoreLeaving(app)
  app.use(createAnswering(limits))
  for (const each of middleware) app.use(each)
  app.use(router.routes())
  return app
}

/**
 * The routes of the echo server as a router for your own application: `app.use(createRouter().routes())`, before
 * anything that reads bodies. Unknown paths and methods are left to that application.
 * @throws TypeError when an option is unknown or out of range
 */
export function createRouter({ prefix = '', ...options }: RouterOptions = {}): EchoRouter {
  if (!/^(?:\/.*[^/])?$/s.test(prefix))
    throw new TypeError(`Expected the \`prefix\` option to be a path such as \`/echo\`, got \`${prefix}\``)
  const router: EchoRouter = new Router<EchoState>({ strict: true, sensitive: true, prefix })
  const limits = resolveLimits(options, ['prefix'])
  router.use(createAnswering(limits))
  return addRoutes(router, limits)
}

/** Ignores a broken connection: there is nobody left to answer, and nothing went wrong here. */
function ignoreLeaving({ context }: Koa): void {
  const { onerror } = context as { onerror: (this: Context, error: Error) => void }
  context.onerror = function (this: Context, error) {
    if (!this.req.socket.destroyed) onerror.call(this, error)
  }
}
