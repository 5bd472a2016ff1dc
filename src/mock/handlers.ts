import type { RequestHandler } from 'msw'
import { describeValue } from '../request/request-problem.ts'
import type { Mock } from './mock.ts'

/** The MSW handlers of suites in TypeScript, by the URL of the mock that stands in for each. */
const handlers = new Map<string, RequestHandler>()

/** Keeps an MSW handler; returns the URL of the mock that stands in for it in a plan. */
export function keepHandler(handler: object): string {
  const url = `http://suitecase.invalid/handler/${handlers.size}`
  handlers.set(url, handler as RequestHandler)
  return url
}

/** The handler that a mock stands in for; undefined if it is an ordinary one. */
export function findHandler({ url }: Mock): RequestHandler | undefined {
  return handlers.get(url)
}

/** Explains why a value is no MSW request handler; undefined if it is one, from any copy of MSW. */
export function refuseHandler(handler: object): string | undefined {
  const { kind, run } = handler as { kind?: unknown; run?: unknown }
  if (kind === 'request' && typeof run === 'function') return undefined
  const got =
    kind === 'websocket' ? 'a WebSocket handler, which is not supported' : describeValue(handler as never)
  return `Expected a handler to be an MSW request handler such as \`http.get(url, resolver)\`, got ${got}`
}
