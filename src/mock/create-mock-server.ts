import { applyDecision, resetRequest } from './match/apply-decision.ts'
import { decideCall, decideHttp2, type DecisionTools } from './match/decide-call.ts'
import type { InterceptedRequest } from './intercept/intercept.ts'
import type { MockReport, MockServer, MockServerOptions } from './mock.ts'
import { createLayer } from './mock-layer.ts'
import { MockScopes } from './mock-scopes.ts'
import { joinNetwork } from './intercept/network.ts'
import { describeCall } from './intercept/outgoing-call.ts'
import type { RequestHandler } from 'msw'
import { describeValue } from '../request/build-problem.ts'

/**
 * Starts to intercept the outgoing HTTP requests of this thread (`fetch`, `node:http`, undici), which loads MSW. A server
 * that is created while another is open gets all requests until it is closed, and asks the other's mocks after its own.
 */
export async function createMockServer({
  onUnhandled,
  isOwnRequest,
}: MockServerOptions): Promise<MockServer> {
  const msw = await import('msw')
  const scopes = new MockScopes()
  const waiting = new Set<InterceptedRequest>()

  const leave = await joinNetwork({
    get layers() {
      return scopes.layers
    },
    isOwn: isOwnRequest ?? (() => false),
    answer: async (event, layers) => {
      waiting.add(event)
      await answer(event, { scopes, layers, msw, policy: onUnhandled })
      waiting.delete(event)
    },
    onHttp2: (origin) => decideHttp2(origin, { report: scopes, at: scopes.at, policy: onUnhandled }),
  })

  let closed: MockReport | undefined
  return {
    use: (mocks, context) => scopes.open(createLayer(mocks, [], context)),
    useHandlers: (handlers, { file, at }) =>
      scopes.open(
        createLayer([], readHandlers(handlers), {
          file,
          at,
          fillIn: ({ value }) => ({ value, warnings: [] }),
        }),
      ),
    close: async () => {
      if (closed) return closed
      closed = scopes.close()
      for (const event of waiting) resetRequest(event, 'the suite that mocked it has ended')
      leave()
      return closed
    },
  }
}

type AnswerTools = Pick<DecisionTools, 'layers' | 'msw' | 'policy'> & { scopes: MockScopes }

async function answer(event: InterceptedRequest, { scopes, ...tools }: AnswerTools): Promise<void> {
  const decided = scopes.startCall()
  const call = describeCall(event.request)
  const decision = await decideCall(call, { ...tools, at: scopes.at, report: scopes })
  scopes.current.addCall(decision.note)
  decided()
  await applyDecision(event, decision)
}

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
