import type { SuiteUse } from '../../contract/parcel.ts'

/** What a suite needs before it may run. A suite with a `clock` runs alone. While one with `mocks` runs, no other suite uses the application. */
export type SlotRequest = Pick<SuiteUse, 'app' | 'clock' | 'mocks'> & {
  /** Position in the run. Of those that may run, the first gets a free slot. */
  order: number
}

/** Creates a function that runs a suite as soon as there is a slot for it: `size` at once, `appSize` of them with an application. */
export function createSlots(size: number, appSize: number) {
  const waiting: { request: SlotRequest; start: () => void }[] = []
  const running = new Set<SlotRequest>()

  function mayRun({ clock, app, mocks }: SlotRequest): boolean {
    if (clock) return running.size === 0
    if (running.values().some((other) => other.clock)) return false
    if (!app) return true
    const others = [...running].filter((other) => other.app)
    if (others.some((other) => other.mocks)) return false
    return mocks ? others.length === 0 : others.length < appSize
  }

  function startNext(): void {
    for (let at = 0; at < waiting.length && running.size < size;) {
      const { request, start } = waiting[at] as (typeof waiting)[number]
      if (mayRun(request)) {
        waiting.splice(at, 1)
        running.add(request)
        start()
        // Others must not overtake a suite that has to run alone: it would never get a chance.
      } else if (request.clock) return
      else at++
    }
  }

  return async (request: SlotRequest, task: () => Promise<void>): Promise<void> => {
    await new Promise<void>((start) => {
      const place = waiting.findIndex((other) => other.request.order > request.order)
      waiting.splice(place === -1 ? waiting.length : place, 0, { request, start })
      startNext()
    })
    try {
      await task()
    } finally {
      running.delete(request)
      startNext()
    }
  }
}
