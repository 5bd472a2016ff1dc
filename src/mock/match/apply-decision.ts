import { setTimeout as sleep } from 'node:timers/promises'
import type { InterceptedRequest } from '../intercept/intercept.ts'
import { createReset } from '../intercept/network-errors.ts'
import type { Decision } from './decide-call.ts'

/** State of an interceptor's controller whose request nobody has answered yet. */
const PENDING = 0

/** The longest that a timer takes, in ms. */
const FOREVER = 2 ** 31 - 1

/** Does to a request what was decided, after its delay; a wait ends with a reset connection when the mock's scope ends. */
export async function applyDecision(
  event: InterceptedRequest,
  { action, delay, layer }: Decision,
): Promise<void> {
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
export function resetRequest({ controller }: InterceptedRequest, reason: string): void {
  if (controller.readyState === PENDING) controller.errorWith(createReset(reason))
}
