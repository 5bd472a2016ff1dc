import { defaultLimits } from '../../limits.ts'

export type Reading = { pause(): void; resume(): void }

/** Memory held by the responses of one suite, from their first byte until the step is over. */
export type BodyHold = ReturnType<ReturnType<typeof createBodyBudget>>

/** Above `limit` bytes of all suites together, bodies wait, except those of the suite that came first: one can always continue. */
export function createBodyBudget(limit = defaultLimits.bodies) {
  /** Resume functions of the suites that hold memory, in the order they came. */
  const turns = new Set<() => void>()
  let total = 0

  return () => {
    const waiting = new Set<Reading>()
    let held = 0
    let waited = 0
    let since = 0
    let last: Promise<unknown> = Promise.resolve()

    function resume(): void {
      if (waiting.size === 0) return
      waited += performance.now() - since
      const readings = [...waiting]
      waiting.clear()
      for (const reading of readings) reading.resume()
    }

    return {
      limit,
      /** Runs tasks one after the other: what bodies take when they are decoded is only known, and counted, after that. */
      inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
        const result = last.then(task)
        last = result.catch(() => undefined)
        return result
      },
      /** Counts bytes; pauses their body if the budget is exceeded and it is not this suite's turn. */
      take(bytes: number, reading?: Reading): void {
        turns.add(resume)
        held += bytes
        total += bytes
        const [first] = turns
        if (reading === undefined || total <= limit || first === resume) return
        if (waiting.size === 0) since = performance.now()
        waiting.add(reading)
        reading.pause()
      },
      release(): void {
        turns.delete(resume)
        total -= held
        held = 0
        // A body aborted while waiting must not wait any longer.
        resume()
        for (const next of turns) {
          next()
          if (total > limit) return
        }
      },
      readWaited: (): number => (waiting.size === 0 ? waited : waited + performance.now() - since),
    }
  }
}
