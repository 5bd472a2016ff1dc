import type { RunnerTask, RunnerTaskEventPack, RunnerTaskResultPack, RuntimeRPC } from 'vitest'

/** ms until changes go to the main process, so that those of many steps travel together. */
const DELAY = 10

type Send = Pick<RuntimeRPC, 'onTaskUpdate'>

/** Tells the main process how tasks come on, in batches; the next one leaves when the last has been taken. */
export class TaskUpdates {
  #send: Send
  #packs = new Map<string, RunnerTaskResultPack>()
  #events: RunnerTaskEventPack[] = []
  #sending: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(send: Send) {
    this.#send = send
  }

  /** Notes what became of a task, as it is now. */
  add(task: RunnerTask, event: RunnerTaskEventPack[1]): void {
    this.#packs.set(task.id, [task.id, task.result && { ...task.result }, task.meta])
    this.#events.push([task.id, event, undefined])
    this.#timer ??= setTimeout(() => void this.#flush(), DELAY)
  }

  /** Brings what is known of a task up to date without an event. */
  refresh(task: RunnerTask): void {
    this.#packs.set(task.id, [task.id, task.result && { ...task.result }, task.meta])
  }

  /** Sends all that is left; resolves when it was taken. */
  async finish(): Promise<void> {
    while (this.#packs.size > 0 || this.#sending) await this.#flush()
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#sending) return this.#sending
    if (this.#packs.size === 0) return undefined
    const [packs, events] = [[...this.#packs.values()], this.#events]
    this.#packs.clear()
    this.#events = []
    this.#sending = this.#send.onTaskUpdate(packs, events).finally(() => {
      this.#sending = undefined
      if (this.#packs.size > 0) this.#timer ??= setTimeout(() => void this.#flush(), DELAY)
    })
    return this.#sending
  }
}
