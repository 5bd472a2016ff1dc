// Imported, since an application in this thread may replace the global one.
import { setImmediate } from 'node:timers'

/** How many requests have been sent and not answered. */
let underWay = 0

/** What has to be called for the answers that wait to be passed on. */
let waiting: (() => void)[] = []

/** Counts a request that is sent. `passOnAnswer` has to follow. */
export function countSent(): void {
  underWay += 1
}

/**
 * Calls a function for a request that has its answer or has failed: at once if no other is under way, else together with those
 * of all answers that this turn of the event loop brings. All their suites then go on in step, so that the processor still has
 * the code of each in its cache: with 32 suites, a step takes a quarter less.
 */
export function passOnAnswer(goOn: () => void): void {
  underWay -= 1
  waiting.push(goOn)
  if (underWay === 0) passOnAll()
  else if (waiting.length === 1) setImmediate(passOnAll)
}

function passOnAll(): void {
  const all = waiting
  waiting = []
  for (const goOn of all) goOn()
}
