import { replyJson } from '../reply.ts'
import type { Route } from '../route.ts'
import { authRoutes } from './auth.ts'
import { byteRoutes } from './bytes.ts'
import { cachingRoutes } from './caching.ts'
import { cookieRoutes } from './cookies.ts'
import { delayRoutes } from './delay.ts'
import { digestRoutes } from './digest.ts'
import { encodingRoutes } from './encodings.ts'
import { failureRoutes } from './failures.ts'
import { formatRoutes } from './formats.ts'
import { imageRoutes } from './images.ts'
import { inspectionRoutes } from './inspection.ts'
import { linkRoutes } from './links.ts'
import { methodRoutes } from './methods.ts'
import { rangeRoutes } from './range.ts'
import { redirectRoutes } from './redirects.ts'
import { responseHeaderRoutes } from './response-headers.ts'
import { retryRoutes } from './retry.ts'
import { statusRoutes } from './status.ts'
import { streamRoutes } from './streams.ts'
import { websocketRoutes } from './websocket.ts'
import { wireRoutes } from './wire.ts'

const endpoints: Route[] = [
  ...methodRoutes,
  ...inspectionRoutes,
  ...statusRoutes,
  ...delayRoutes,
  ...retryRoutes,
  ...authRoutes,
  ...digestRoutes,
  ...cookieRoutes,
  ...redirectRoutes,
  ...responseHeaderRoutes,
  ...encodingRoutes,
  ...formatRoutes,
  ...imageRoutes,
  ...byteRoutes,
  ...rangeRoutes,
  ...streamRoutes,
  ...linkRoutes,
  ...cachingRoutes,
  ...failureRoutes,
  ...wireRoutes,
  ...websocketRoutes,
]

/** Every endpoint of the server; `/` lists them. */
export const routes: Route[] = [
  { methods: ['GET'], path: '/', handle: () => replyJson(listEndpoints()) },
  ...endpoints,
]

function listEndpoints(): Map<string, string[]> {
  const list = new Map<string, string[]>()
  for (const { path, methods } of endpoints) {
    const shown = path.replaceAll(/[:*](\w+)/g, '{$1}')
    list.set(shown, [...(list.get(shown) ?? []), ...methods])
  }
  return list
}
