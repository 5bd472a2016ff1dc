import { wait } from '../../../src/run/wait.ts'

/** ms in which a worker that has ended a test file gets the next one from the main process. */
const HANDOVER = 5

/** Does tasks one after the other, each some ms after it was added: the worker whose suite is recorded would else wait for its next file meanwhile. */
export class RecordingQueue {
  #last: Promise<void> = Promise.resolve()
  #hurry = new AbortController()

  /** Adds a task, which must not reject. */
  add(task: () => Promise<void>): void {
    const due = performance.now() + HANDOVER
    this.#last = this.#last.then(() => this.#do(task, due))
  }

  async #do(task: () => Promise<void>, due: number): Promise<void> {
    const rest = due - performance.now()
    if (rest > 0) await wait(rest, this.#hurry.signal)
    await task()
  }

  /** Does what is left at once; resolves when all is done. */
  async finish(): Promise<void> {
    this.#hurry.abort()
    await this.#last
    this.#hurry = new AbortController()
  }
}
