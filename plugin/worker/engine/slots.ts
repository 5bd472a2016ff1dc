import type { SuiteUse } from '../../contract/parcel.ts'

/** What a suite asks for before it may run: nothing runs beside one that sets the `clock`, no other suite uses the application beside one with `mocks`. */
export type SlotRequest = Pick<SuiteUse, 'app' | 'clock' | 'mocks'> & {
  /** Place in the order of the run: the first of those that may run gets a free slot. */
  order: number
}

type Waiting = { request: SlotRequest; start: () => void }

/** Keeps the number of suites in flight within bounds, and apart those that cannot share the moment. */
export class Slots {
  #size: number
  #appSize: number
  #waiting: Waiting[] = []
  #running = new Set<SlotRequest>()

  /** At most `size` suites at once, of those that use an application at most `appSize`. */
  constructor(size: number, appSize: number) {
    this.#size = size
    this.#appSize = appSize
  }

  /** Runs a task when there is a slot for it. */
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
        // What has to run alone would never find a free moment if others went ahead of it.
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
