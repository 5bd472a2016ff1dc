/** In ms: how often the clock is read, and how late that may be before the thread counts as blocked. */
const INTERVAL = 10
const TOLERANCE = 20

let read: (() => number) | undefined

/** Returns a function that gives the total time in ms for which the event loop, which many suites share, has been blocked. */
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
