// Taken here, so that a suite's virtual `clock` does not hold it back.
import { clearTimeout, setTimeout } from 'node:timers'
import type { RunnerTask, RunnerTaskEventPack, RunnerTaskResultPack, RuntimeRPC } from 'vitest'

type Send = Pick<RuntimeRPC, 'onTaskUpdate' | 'ensureModuleGraphEntry'>

/** Tells the main process how tasks come on; what comes within `delay` ms, or while a message is under way, travels together. */
export class TaskUpdates {
  #send: Send
  #packs = new Map<string, RunnerTaskResultPack>()
  #events: RunnerTaskEventPack[] = []
  #sending: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #delay: number
  #shown = new Set<string>()

  constructor(send: Send, delay: number) {
    this.#send = send
    this.#delay = delay
  }

  /** Notes what became of a task, as it is now. */
  add(task: RunnerTask, event: RunnerTaskEventPack[1]): void {
    this.#packs.set(task.id, [task.id, task.result && { ...task.result }, task.meta])
    this.#events.push([task.id, event, undefined])
    if (!this.#sending) this.#schedule()
  }

  /** Brings what is known of a task up to date without an event. */
  refresh(task: RunnerTask): void {
    this.#packs.set(task.id, [task.id, task.result && { ...task.result }, task.meta])
  }

  /** Makes Vitest show the lines of a file around errors that point into it: it does so for modules that it knows. */
  showLines(path: string): void {
    if (this.#shown.has(path)) return
    this.#shown.add(path)
    this.#send.ensureModuleGraphEntry(path, 'suitecase')
  }

  /** Sends all that is left; resolves when it was taken. */
  async finish(): Promise<void> {
    while (this.#packs.size > 0 || this.#sending) await this.#flush()
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.#flush(), this.#delay)
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
      if (this.#packs.size > 0) this.#schedule()
    })
    return this.#sending
  }
}
