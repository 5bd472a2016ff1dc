import type { EchoRouter } from '../context.ts'
import type { Limits } from '../limits.ts'
import { hasBody, NO_BODY, readBody } from '../request/body.ts'
import { addAuthRoutes } from './auth.ts'
import { addCookieRoutes } from './cookies.ts'
import { addDocumentRoutes } from './documents.ts'
import { addEchoRoutes } from './echoes.ts'
import { addGraphqlRoutes } from './graphql.ts'
import { addHeaderRoutes } from './headers.ts'
import { addRedirectRoutes } from './redirects.ts'
import { addStatusRoutes } from './status.ts'
import { addStreamRoutes } from './streams.ts'

/** Adds every endpoint of the server to a router. */
export function addRoutes(router: EchoRouter, limits: Limits): EchoRouter {
  addEchoRoutes(router)
  addStatusRoutes(router)
  addAuthRoutes(router)
  addCookieRoutes(router)
  addRedirectRoutes(router)
  addHeaderRoutes(router)
  addDocumentRoutes(router)
  addStreamRoutes(router)
  addGraphqlRoutes(router)
  for (const layer of router.stack) {
    // `layer.path` gets the prefixes of outer routers, but `layer.name` keeps this path.
    layer.name = String(layer.path).slice(router.opts.prefix?.length)
    if (layer.methods.length === 0) continue
    // Routes added by others read their bodies themselves. As a layer of its own, this would cost more time.
    layer.stack.unshift((ctx, next) => {
      const goOn = (body: Buffer): Promise<unknown> => {
        ctx.state.echo = { body, limits }
        return next()
      }
      // Without a body, there is nothing to wait for.
      return hasBody(ctx.req) ? readBody(ctx.req, limits.maxBody).then(goOn) : goOn(NO_BODY)
    })
  }
  return router
}
