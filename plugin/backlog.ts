// Taken here, so that a suite's virtual `clock` does not hold it back.
import { setImmediate } from 'node:timers'

/** Work that nobody waits for, done in order: while a request is under way, or as soon as its result is asked for. */
export class Backlog {
  #waiting: (() => void)[] = []

  /** Puts work behind all other; the function it returns gives the result, and does what is waiting first. */
  add<Result>(work: () => Result): () => Result {
    // Once it is done, what it worked on can be let go.
    let state: { work: () => Result } | { result: Result } = { work }
    if (this.#waiting.length === 0) setImmediate(() => this.finish())
    this.#waiting.push(() => {
      if ('work' in state) state = { result: state.work() }
    })
    return () => {
      if ('work' in state) this.finish()
      // Work that threw does so again where its result is asked for.
      if ('work' in state) state = { result: state.work() }
      return state.result
    }
  }

  /** Does all that is waiting. */
  finish(): void {
    for (let work = this.#waiting.shift(); work; work = this.#waiting.shift()) work()
  }
}
