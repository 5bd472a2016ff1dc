/** A body that can be told to wait in the middle. */
export type Reading = { pause(): void; resume(): void }

/** What the answers of one suite hold in memory, from the first byte until the step is over. */
export type BodyHold = {
  /** Counts bytes; makes the body they belong to wait when it is not its turn. */
  take(bytes: number, reading?: Reading): void
  /** Gives back all that was counted. */
  release(): void
  /** ms for which bodies have waited so far. */
  readWaited(): number
}

/** Bytes that the answers of all suites may hold together: 256 MB. */
const defaultBudget = 256 * 1024 * 1024

/**
 * Bounds what the answers of suites that run side by side hold in memory: above the limit bodies wait, except those of the
 * suite that came first, so that there is always one that goes on.
 */
export function createBodyBudget(limit: number = defaultBudget): () => BodyHold {
  /** Of the suites that hold something, in the order they came. */
  const turns = new Set<() => void>()
  let total = 0

  return () => {
    const waiting = new Set<Reading>()
    let held = 0
    let waited = 0
    let since = 0

    function resume(): void {
      if (waiting.size === 0) return
      waited += performance.now() - since
      const readings = [...waiting]
      waiting.clear()
      for (const reading of readings) reading.resume()
    }

    return {
      take(bytes, reading) {
        turns.add(resume)
        held += bytes
        total += bytes
        const [first] = turns
        if (reading === undefined || total <= limit || first === resume) return
        if (waiting.size === 0) since = performance.now()
        waiting.add(reading)
        reading.pause()
      },
      release() {
        turns.delete(resume)
        total -= held
        held = 0
        // What was aborted while it waited waits no more.
        resume()
        for (const next of turns) {
          next()
          if (total > limit) return
        }
      },
      readWaited: () => (waiting.size === 0 ? waited : waited + performance.now() - since),
    }
  }
}
