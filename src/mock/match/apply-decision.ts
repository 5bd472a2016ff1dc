import { setTimeout as sleep } from 'node:timers/promises'
import type { Decision } from './decision.ts'
import { createReset } from '../intercept/network-errors.ts'
import type { InterceptedRequest } from '../intercept/intercept.ts'

/** State of an interceptor's controller whose request nobody has answered yet. */
const PENDING = 0

/** Does to a request what was decided, after its delay; a wait ends with a reset connection when the mock's scope ends. */
export async function carryOut(event: InterceptedRequest, decision: Decision): Promise<void> {
  const { action, delay, layer } = decision
  if (action === undefined) return
  if (delay > 0 || action === 'never') {
    const signals = [event.request.signal, ...(layer ? [layer.ended.signal] : [])]
    const signal = AbortSignal.any(signals)
    if (delay > 0) await waitFor(sleep(delay, undefined, { signal }))
    if (action === 'never') await waitForAbort(signal)
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

async function waitFor(timer: Promise<void>): Promise<void> {
  await timer.catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
