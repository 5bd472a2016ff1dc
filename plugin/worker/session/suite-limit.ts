/** ms that a teardown may take after an interrupt, which must leave time for the reports, and after the limit of the suite. */
const [AFTER_INTERRUPT, AFTER_LIMIT] = [3000, 10_000]

/** The time that a suite may take, and what its teardown gets when that is over or the run is interrupted. */
export class SuiteLimit {
  /** True once a step was aborted from outside. */
  isInterrupted = false
  #limit = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #isGranted = false
  #joined: { outer: AbortSignal | undefined; signal: AbortSignal } | undefined

  constructor(ms: number) {
    const advice = 'Raise the option `limits.suite`, or make two suites of it.'
    this.#start(ms, `the suite took longer than ${ms} ms. ${advice}`)
  }

  /** A timer keeps no process alive. */
  #start(ms: number, message: string): void {
    this.end()
    if (this.#limit.signal.aborted) this.#limit = new AbortController()
    const limit = this.#limit
    this.#joined = undefined
    this.#timer = setTimeout(() => limit.abort(new Error(message)), ms).unref()
  }

  /** The signal of a step: aborted by the limit as well as from outside. */
  join(outer: AbortSignal | undefined): AbortSignal {
    if (this.#joined && this.#joined.outer === outer) return this.#joined.signal
    const { signal: own } = this.#limit
    const signal = outer ? AbortSignal.any([outer, own]) : own
    this.#joined = { outer, signal }
    return signal
  }

  /** The signal of a teardown step: when the run is interrupted, before it or while it runs, or the suite took too long, the teardown still gets some seconds, once. */
  joinTeardown(outer: AbortSignal | undefined): AbortSignal {
    if (this.isInterrupted || outer?.aborted) this.#grant('an interrupt', AFTER_INTERRUPT)
    else if (this.#limit.signal.aborted)
      this.#grant('the limit of the suite (option `limits.suite`)', AFTER_LIMIT)
    else outer?.addEventListener('abort', () => this.#grant('an interrupt', AFTER_INTERRUPT), { once: true })
    return this.#limit.signal
  }

  #grant(why: string, ms: number): void {
    if (this.#isGranted) return
    this.#isGranted = true
    this.#start(ms, `after ${why} the teardown may take ${ms} ms.`)
  }

  /** Takes note, after a step, of what ended it; gives the reason when that was the limit. */
  note(outer: AbortSignal | undefined): string | undefined {
    const { aborted, reason } = this.#limit.signal
    this.isInterrupted ||= outer?.aborted === true && !aborted
    return aborted ? (reason as Error).message : undefined
  }

  /** Ends the limit. */
  end(): void {
    clearTimeout(this.#timer)
  }
}
