import { createReset } from './intercept/connection-errors.ts'
import { decideCall, decideHttp2, type Decision } from './match/decide-call.ts'
import { joinNetwork, type InterceptedRequest } from './intercept/network.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MockReport, MockServer, MockServerOptions } from './mock.ts'
import { createLayer } from './mock-layer.ts'
import { MockScopes } from './mock-scopes.ts'
import { describeCall } from './intercept/outgoing-call.ts'

/**
 * Starts to intercept the outgoing HTTP requests of this thread (`fetch`, `node:http`, undici), which loads MSW. A server
 * that is created while another is open gets all requests until it is closed, and asks the other's mocks after its own.
 */
export async function createMockServer({
  onUnhandled,
  isOwnRequest,
  suite,
}: MockServerOptions): Promise<MockServer> {
  const msw = await import('msw')
  const scopes = new MockScopes()
  const waiting = new Set<InterceptedRequest>()

  const leave = await joinNetwork({
    get layers() {
      return scopes.layers
    },
    suite,
    isOwn: isOwnRequest ?? (() => false),
    answer: async (event, layers) => {
      waiting.add(event)
      const decided = scopes.startCall()
      const tools = { layers, msw, policy: onUnhandled, at: scopes.at, report: scopes }
      const decision = await decideCall(describeCall(event.request), tools)
      scopes.current.addCall(decision.note)
      decided()
      await applyDecision(event, decision)
      waiting.delete(event)
    },
    onHttp2: (origin) => decideHttp2(origin, { report: scopes, at: scopes.at, policy: onUnhandled }),
  })

  let closed: MockReport | undefined
  return {
    use: (mocks, context, handlers = []) => scopes.open(createLayer(mocks, handlers, context)),
    close: async () => {
      if (closed) return closed
      closed = scopes.close()
      for (const event of waiting) resetRequest(event, 'the suite that mocked it has ended')
      leave()
      return closed
    },
  }
}

/** State of an interceptor's controller whose request nobody has answered yet. */
const PENDING = 0

/** The longest that a timer takes, in ms. */
const FOREVER = 2 ** 31 - 1

/** Does to a request what was decided, after its delay; a wait ends with a reset connection when the mock's scope ends. */
async function applyDecision(event: InterceptedRequest, { action, delay, layer }: Decision): Promise<void> {
  if (action === undefined) return
  const wait = action === 'never' ? FOREVER : delay
  if (wait > 0) {
    const signal = AbortSignal.any([event.request.signal, ...(layer ? [layer.ended.signal] : [])])
    await sleep(wait, undefined, { signal, ref: action !== 'never' }).catch((error: Error) => {
      if (error.name !== 'AbortError') throw error
    })
    if (signal.aborted) return resetRequest(event, 'the mock that kept it waiting has ended')
  }
  if (event.controller.readyState !== PENDING || typeof action === 'string') return
  if ('response' in action) event.controller.respondWith(action.response)
  else event.controller.errorWith(action.error)
}

/** Ends a request that nobody has answered yet like a connection that the other side reset. */
function resetRequest({ controller }: InterceptedRequest, reason: string): void {
  if (controller.readyState === PENDING) controller.errorWith(createReset(reason))
}
