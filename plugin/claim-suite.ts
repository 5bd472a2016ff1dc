import type { Claim } from './export-board.ts'
import { describeOwner } from './is-alive.ts'
import { sendMessage } from './send-message.ts'
import type { Session } from './session-interface.ts'

/** Asks for a suite: to run it, or for what its one run gave. Rejects when the wait is aborted or takes longer than a suite may. */
export async function claimSuite(
  { links, options, plan }: Session,
  nodeId: string,
  signal: AbortSignal | undefined,
): Promise<Exclude<Claim, { state: 'late' }>> {
  const origin = options.origin ?? plan.nodeId
  const asking = sendMessage(links.import, { kind: 'claim', nodeId, origin, owner: describeOwner() })
  const claim = (await untilAborted(asking, signal)) as Claim
  if (claim.state === 'late')
    throw new Error(
      `The suite \`${nodeId}\`, which this one reads, did not end within ${claim.waited} ms (option \`limits.suite\`).`,
    )
  return claim
}

/** The promise, or a rejection with the signal's reason as soon as it is aborted. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
