import type { RequestHandler } from 'msw'
import { describeValue } from '../request/build-problem.ts'

/** Checks that values are MSW request handlers, of whatever copy of MSW; throws a `TypeError` naming the first that is not. */
export function readHandlers(handlers: readonly unknown[]): RequestHandler[] {
  for (const [index, handler] of handlers.entries()) {
    const { kind, run } = (typeof handler === 'object' && handler !== null ? handler : {}) as {
      kind?: unknown
      run?: unknown
    }
    if (kind === 'request' && typeof run === 'function') continue
    const got =
      kind === 'websocket'
        ? 'a WebSocket handler, which is not supported'
        : typeof handler === 'function'
          ? `the function \`${handler.name || 'anonymous'}\``
          : describeValue(handler as never)
    throw new TypeError(
      `Expected handler ${index + 1} of ${handlers.length} to be an MSW request handler such as \`http.get(url, resolver)\`, got ${got}`,
    )
  }
  return handlers as RequestHandler[]
}
