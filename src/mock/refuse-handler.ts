import { describeValue } from '../request/build-problem.ts'

/** Explains why a value is no MSW request handler; undefined if it is one, from any copy of MSW. */
export function refuseHandler(handler: object): string | undefined {
  const { kind, run } = handler as { kind?: unknown; run?: unknown }
  if (kind === 'request' && typeof run === 'function') return undefined
  const got =
    kind === 'websocket' ? 'a WebSocket handler, which is not supported' : describeValue(handler as never)
  return `Expected a handler to be an MSW request handler such as \`http.get(url, resolver)\`, got ${got}`
}
