import type { SuiteUse } from '../../contract/parcel.ts'

/** What a suite needs before it may run. A suite with a `clock` runs alone. While one with `mocks` runs, no other suite uses the application. */
export type SlotRequest = Pick<SuiteUse, 'app' | 'clock' | 'mocks'> & {
  /** Position in the run. Of those that may run, the first gets a free slot. */
  order: number
}

type Waiting = { request: SlotRequest; start: () => void }

export class Slots {
  #size: number
  #appSize: number
  #waiting: Waiting[] = []
  #running = new Set<SlotRequest>()

  /** Allows at most `size` suites at once, `appSize` of them with an application. */
  constructor(size: number, appSize: number) {
    this.#size = size
    this.#appSize = appSize
  }

  async run<Value>(request: SlotRequest, task: () => Promise<Value>): Promise<Value> {
    await new Promise<void>((start) => {
      const place = this.#waiting.findIndex((other) => other.request.order > request.order)
      this.#waiting.splice(place === -1 ? this.#waiting.length : place, 0, { request, start })
      this.#startNext()
    })
    try {
      return await task()
    } finally {
      this.#running.delete(request)
      this.#startNext()
    }
  }

  #startNext(): void {
    for (let at = 0; at < this.#waiting.length && this.#running.size < this.#size;) {
      const { request, start } = this.#waiting[at] as Waiting
      if (this.#mayRun(request)) {
        this.#waiting.splice(at, 1)
        this.#running.add(request)
        start()
        // Others must not overtake a suite that has to run alone: it would never get a chance.
      } else if (request.clock) return
      else at++
    }
  }

  #mayRun({ clock, app, mocks }: SlotRequest): boolean {
    const running = [...this.#running]
    if (clock) return running.length === 0
    if (running.some((other) => other.clock)) return false
    if (!app) return true
    const others = running.filter((other) => other.app)
    if (others.some((other) => other.mocks)) return false
    return mocks ? others.length === 0 : others.length < this.#appSize
  }
}
