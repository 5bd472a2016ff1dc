// Imported, since an application in this thread may replace the global one.
import { setImmediate } from 'node:timers'

let underWay = 0

/** The responses that wait to be passed on: their sizes, and what has to be called. */
let waiting: { bytes: number; goOn: () => void }[] = []

/** The most bytes passed on together: parsed, they may take many times the memory until released. */
const MOST_BYTES = 262_144

/** Counts a request that is sent. `passOnAnswer` has to follow. */
export function countSent(): void {
  underWay += 1
}

/**
 * Calls `goOn` for a request that has ended: at once if no other is under way, otherwise together with all
 * responses of this turn. Their suites then do the same work one after another: a step takes a quarter less.
 */
export function passOnAnswer(bytes: number, goOn: () => void): void {
  underWay -= 1
  waiting.push({ bytes, goOn })
  if (underWay === 0) passOn()
  else if (waiting.length === 1) setImmediate(passOn)
}

function passOn(): void {
  const all = waiting
  let end = 0
  for (let bytes = 0; end < all.length && bytes < MOST_BYTES; end += 1) bytes += all[end]?.bytes ?? 0
  waiting = all.slice(end)
  if (waiting.length > 0) setImmediate(passOn)
  for (const { goOn } of all.slice(0, end)) goOn()
}
