import type { Route } from '../route.ts'
import { delayRoutes } from './delay.ts'
import { formatRoutes } from './formats.ts'
import { inspectionRoutes } from './inspection.ts'
import { methodRoutes } from './methods.ts'
import { statusRoutes } from './status.ts'

/** Every endpoint of the server. */
export const routes: Route[] = [
  ...methodRoutes,
  ...inspectionRoutes,
  ...statusRoutes,
  ...delayRoutes,
  ...formatRoutes,
]
