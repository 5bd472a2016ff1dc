import type { EchoRouter } from '../context.ts'
import { addAuthRoutes } from './auth.ts'
import { addByteRoutes } from './bytes.ts'
import { addCookieRoutes } from './cookies.ts'
import { addDigestRoutes } from './digest.ts'
import { addDocumentRoutes } from './documents.ts'
import { addEchoRoutes } from './echoes.ts'
import { addGraphqlRoutes } from './graphql.ts'
import { addHeaderRoutes } from './headers.ts'
import { addImageRoutes } from './images.ts'
import { addOauthRoutes } from './oauth.ts'
import { addRedirectRoutes } from './redirects.ts'
import { addRetryRoutes } from './retry.ts'
import { addStatusRoutes } from './status.ts'
import { addStreamRoutes } from './streams.ts'

const families = [
  addEchoRoutes,
  addStatusRoutes,
  addRetryRoutes,
  addAuthRoutes,
  addDigestRoutes,
  addOauthRoutes,
  addCookieRoutes,
  addRedirectRoutes,
  addHeaderRoutes,
  addDocumentRoutes,
  addImageRoutes,
  addByteRoutes,
  addStreamRoutes,
  addGraphqlRoutes,
]

/** Adds every endpoint of the server to a router; `/` lists them. */
export function addRoutes(router: EchoRouter): EchoRouter {
  for (const addFamily of families) addFamily(router)
  const list = listEndpoints(router)
  return router.get('/', (ctx) => {
    ctx.body = list
  })
}

function listEndpoints(router: EchoRouter): Map<string, string[]> {
  const list = new Map<string, string[]>()
  for (const { path, methods } of router.stack) {
    const shown = String(path).replaceAll(/[:*](\w+)/g, '{$1}')
    const shownMethods = methods.filter((method) => method !== 'HEAD')
    if (shownMethods.length > 0) list.set(shown, [...(list.get(shown) ?? []), ...shownMethods])
  }
  return list
}
