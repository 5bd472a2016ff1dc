// Imported, since an application in this thread may replace the global ones.
import { setImmediate, setTimeout } from 'node:timers'
import type { RunnerTask, RunnerTaskEventPack, RunnerTaskResultPack, RuntimeRPC } from 'vitest'

/** How long changes are collected before they are sent together, in ms. */
const DELAY = 50

type Send = Pick<RuntimeRPC, 'onTaskUpdate'>

/** Reports progress to the main process, in batches. `atOnce` is for a thread that may end at any moment. */
export class TaskUpdates {
  #send: Send
  #atOnce: boolean
  #packs = new Map<string, RunnerTaskResultPack>()
  #events: RunnerTaskEventPack[] = []
  #isWaiting = false
  #sent: Promise<void> = Promise.resolve()

  constructor(send: Send, { atOnce }: { atOnce: boolean }) {
    this.#send = send
    this.#atOnce = atOnce
  }

  add(task: RunnerTask, event: RunnerTaskEventPack[1]): void {
    this.#packs.set(task.id, [task.id, task.result && { ...task.result }, task.meta])
    this.#events.push([task.id, event, undefined])
    // The test that starts now may block the thread for good.
    if (this.#atOnce && event === 'test-prepare') return this.#flush()
    if (this.#isWaiting) return
    this.#isWaiting = true
    if (this.#atOnce) setImmediate(() => this.#flush())
    else setTimeout(() => this.#flush(), DELAY)
  }

  /** Sends everything that is left. Resolves when it has arrived. */
  async finish(): Promise<void> {
    this.#flush()
    await this.#sent
  }

  #flush(): void {
    this.#isWaiting = false
    if (this.#packs.size === 0) return
    const [packs, events] = [[...this.#packs.values()], this.#events]
    this.#packs.clear()
    this.#events = []
    const taken = this.#send.onTaskUpdate(packs, events)
    this.#sent = Promise.all([this.#sent, taken]).then(() => undefined)
  }
}
