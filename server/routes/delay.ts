import { replyEcho } from '../echo.ts'
import { EVERY_METHOD, type Route } from '../route.ts'
import { readSeconds } from '../numbers.ts'
import { waitFor } from '../wait-for.ts'

/** `/delay/{seconds}`: an echo after that time. */
export const delayRoutes: Route[] = [
  {
    methods: EVERY_METHOD,
    path: '/delay/:seconds',
    handle: async (request) => {
      await waitFor(readSeconds(request.params.seconds ?? '', request.limits.maxDelay), request.message)
      return replyEcho(request, ['args', 'data', 'files', 'form', 'headers', 'origin', 'url'])
    },
  },
]
