/** ms between two looks at the clock, and how late a look may be before the thread counts as blocked. */
const INTERVAL = 10
const TOLERANCE = 20

let read: (() => number) | undefined

/**
 * Tells for how many ms the event loop of this thread has stood still so far, pauses of more than 20 ms added up: many
 * suites share it, and an answer that has come waits until the work of another one is done.
 */
export function watchLoop(): () => number {
  return (read ??= startWatching())
}

function startWatching(): () => number {
  let blocked = 0
  let last = performance.now()
  const readLate = (): number => {
    const late = performance.now() - last - INTERVAL
    return late > TOLERANCE ? late : 0
  }
  setInterval(() => {
    blocked += readLate()
    last = performance.now()
  }, INTERVAL).unref()
  return () => blocked + readLate()
}
