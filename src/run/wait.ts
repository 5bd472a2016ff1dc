import { setTimeout } from 'node:timers/promises'

/** Waits some ms; ends early, without an error, when the signal aborts. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, signal && { signal }).catch(() => undefined)
}
