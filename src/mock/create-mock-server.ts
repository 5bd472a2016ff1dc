import { setTimeout as sleep } from 'node:timers/promises'
import { createReset } from './intercept/connection-errors.ts'
import { joinNetwork, type InterceptedRequest } from './intercept/network.ts'
import { describeCall } from './intercept/outgoing-call.ts'
import { decideCall, decideHttp2, type Decision, type DecisionTools } from './match/decide-call.ts'
import { MockLayer } from './mock-layer.ts'
import type { MockReport, MockServer, MockServerOptions } from './mock.ts'

/** How long `settle` waits for calls that are still to come, in ms. */
const SETTLE_LIMIT = 100

/**
 * Starts to intercept the outgoing HTTP requests of this thread (`fetch`, `node:http`, undici), which loads MSW. A server
 * that is created while another is open gets all requests until it is closed, and asks the other's mocks after its own.
 */
export async function createMockServer({
  onUnhandled,
  isOwnRequest = () => false,
  suite,
}: MockServerOptions): Promise<MockServer> {
  const msw = await import('msw')
  // What happens while no scope is open.
  const outside = new MockLayer([], [], {
    file: '',
    at: [1, 1],
    fillIn: (part) => ({ ...part, warnings: [] }),
  })
  const waiting = new Set<InterceptedRequest>()
  let layers: readonly MockLayer[] = []
  let undecided = 0
  const tools: DecisionTools = {
    msw,
    policy: onUnhandled,
    get current() {
      return layers[0] ?? outside
    },
  }

  const leave = await joinNetwork({
    get layers() {
      return layers
    },
    suite,
    isOwn: isOwnRequest,
    answer: async (event, all) => {
      waiting.add(event)
      undecided++
      const decision = await decideCall(describeCall(event.request), all, tools)
      tools.current.addCall(decision.note)
      undecided--
      await applyDecision(event, decision)
      waiting.delete(event)
    },
    onHttp2: (origin) => decideHttp2(origin, tools),
  })

  const end = (layer: MockLayer, isPartial?: boolean): MockReport => {
    layers = layers.filter((other) => other !== layer)
    return layer.end(isPartial)
  }

  const isOpen = (layer: MockLayer): boolean => undecided > 0 || layer.isWaiting
  const settle = async (layer: MockLayer, limit: number): Promise<void> => {
    const until = performance.now() + limit
    // A call under way reaches the interceptor some turns of the event loop later.
    await new Promise((resolve) => setImmediate(resolve))
    while (isOpen(layer) && performance.now() < until) await sleep(1)
  }

  let closed: MockReport | undefined
  return {
    use(mocks, context, handlers = []) {
      const layer = new MockLayer(mocks, handlers, context)
      layers = [layer, ...layers]
      return {
        settle: (limit = SETTLE_LIMIT) => settle(layer, limit),
        finish: (isPartial) => end(layer, isPartial),
      }
    },
    async close() {
      if (closed) return closed
      for (const layer of layers) end(layer)
      closed = outside.end()
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
