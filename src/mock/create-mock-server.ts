// Imported, since tests may fake the global `setImmediate`: the end of a suite would then wait forever.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { decideCall, type Decision, type DecisionTools } from './decide-call.ts'
import type { Mock, MockCall, MockContext, MockReport, MockServerOptions } from './mock.ts'
import { MockLayer } from './mock-layer.ts'
import { createRefusal, createReset, joinNetwork } from './network.ts'
import type { InterceptedRequest, NetworkUser } from './network.ts'
import { describeCall, isPassedThrough, type FillPart } from './match-mock.ts'

/** Most ended scopes that are remembered, so that a late call can be told what its mock was. */
const MOST_ENDED = 20

export type MockServer = Awaited<ReturnType<typeof createMockServer>>

/** Starts answering the outgoing HTTP requests of this thread (`fetch`, `node:http`, undici). A server created while another is open receives all requests, and asks the other's mocks after its own. */
export async function createMockServer(options: MockServerOptions) {
  const { onUnhandled: policy, isOwnRequest: isOwn = () => false, suite } = options
  const msw = await import('msw')
  const whole = new MockLayer(options.mocks ?? [], options.context)
  const waiting = new Set<InterceptedRequest>()
  const undecided = new Set<InterceptedRequest>()
  const ended: MockLayer[] = []
  const tools: DecisionTools = {
    msw,
    policy,
    ended,
    get current() {
      return user.layers[0] as MockLayer
    },
  }
  const letsThrough = ({ mocks, context }: MockLayer, origin: URL): boolean =>
    mocks.some(({ mock }) => {
      const fill: FillPart = (pointer, value) => context.fillIn({ mock, pointer, value }, {}).value
      return isPassedThrough(mock, origin, { fill, matchUrl: msw.matchRequestUrl })
    })
  const user: NetworkUser = {
    layers: [whole],
    suite,
    isOwn,
    async answer(event, all) {
      waiting.add(event)
      undecided.add(event)
      const decision = await decideCall(describeCall(event, options.learn), all, tools)
      tools.current.addCall(decision.note)
      undecided.delete(event)
      await applyDecision(event, decision)
      waiting.delete(event)
    },
    onHttp2(origin, all) {
      if (all.some((layer) => letsThrough(layer, origin))) return undefined
      const { href } = origin
      const message = `The application used an HTTP/2 connection to \`${href}\`, which mocks do not support.`
      if (policy === 'warn') tools.current.addWarning(`${message} It went to the network.`)
      if (policy !== 'error') return undefined
      tools.current.addProblem(
        `${message} Let it use HTTP/1.1, give \`${href}*\` a mock with \`respond: passthrough\`, or set the option \`onUnhandled\`.`,
      )
      return createRefusal(message)
    },
  }
  const leave = await joinNetwork(user)

  /** Waits at most `limit` ms until all calls are decided and `times` is met; for `times: 0`, all of it. */
  const settle = async (layer: MockLayer, limit = 100, isWaiting = () => layer.isWaiting): Promise<void> => {
    const late = AbortSignal.timeout(limit)
    // A call in progress reaches the interceptor a few event loop turns later.
    await setImmediate()
    while ((undecided.size > 0 || isWaiting()) && !late.aborted) await sleep(1)
  }

  return {
    settle: () => settle(whole),
    /** Opens a scope: mocks that apply until its `finish`. The scope opened last is asked first and records all calls. */
    use(mocks: readonly Mock[], context: MockContext) {
      const layer = new MockLayer(mocks, context)
      user.layers.unshift(layer)
      return {
        settle: (limit?: number) => settle(layer, limit),
        /** The calls so far, once all are decided and no mock expects more. Waits at most 100 ms. */
        listCalls: async (): Promise<MockCall[]> => {
          await settle(layer, 100, () => layer.isUnmet)
          return [...layer.calls]
        },
        /** Removes the mocks, ends calls that still wait for an answer, and checks `times`. */
        finish(): MockReport {
          user.layers = user.layers.filter((other) => other !== layer)
          ended.unshift(layer)
          ended.length = Math.min(ended.length, MOST_ENDED)
          return layer.end()
        },
      }
    },
    /** Stops intercepting, ends open scopes and reports what happened while none was open. `isPartial`: not all steps ran. */
    close(isPartial?: boolean): MockReport {
      for (const layer of user.layers) layer.end(isPartial)
      user.layers = [whole]
      for (const event of waiting) reset(event, 'the suite that mocked it has ended')
      waiting.clear()
      leave()
      return whole.end()
    },
  }
}

/** Applies a decision to a request, after its delay. If the mock's scope ends meanwhile, the connection is reset. */
async function applyDecision(
  event: InterceptedRequest,
  { action, delay = 0, layer }: Decision,
): Promise<void> {
  if (action === undefined) return
  if (delay > 0) {
    const signal = AbortSignal.any([event.request.signal, ...(layer ? [layer.ended.signal] : [])])
    await sleep(delay, undefined, { signal, ref: action !== 'never' }).catch(() => undefined)
    if (signal.aborted) return reset(event, 'the mock that delayed it has ended')
  }
  if (event.controller.readyState !== PENDING || typeof action === 'string') return
  if ('response' in action) event.controller.respondWith(action.response)
  else event.controller.errorWith(action.error)
}

/** State of an interceptor's controller while its request is unanswered. */
const PENDING = 0

/** Fails an unanswered request as if the other side had reset the connection. */
function reset({ controller }: InterceptedRequest, reason: string): void {
  if (controller.readyState === PENDING) controller.errorWith(createReset(reason))
}
