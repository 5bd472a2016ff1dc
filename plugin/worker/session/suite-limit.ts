import { RunStopped } from '../../../src/run/attempt/attempt.ts'

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

  /**
   * The signal of a teardown step. When the run is interrupted, before it or while it runs, or the suite took too long, the
   * teardown still gets some seconds, once. A suite that it calls (`isCall`) has a teardown of its own, and is cut off.
   */
  joinTeardown(outer: AbortSignal | undefined, isCall: boolean): AbortSignal {
    if (this.isInterrupted || isInterrupt(outer)) this.#grant('an interrupt', AFTER_INTERRUPT)
    else if (this.#limit.signal.aborted)
      this.#grant('the limit of the suite (option `limits.suite`)', AFTER_LIMIT)
    else if (isCall) return this.join(outer)
    const { signal } = this.#limit
    if (!outer || outer.aborted) return signal
    const cut = new AbortController()
    const hear = (): void =>
      isInterrupt(outer) ? this.#grant('an interrupt', AFTER_INTERRUPT) : cut.abort(outer.reason)
    outer.addEventListener('abort', hear, { once: true })
    return AbortSignal.any([signal, cut.signal])
  }

  #grant(why: string, ms: number): void {
    if (this.#isGranted) return
    this.#isGranted = true
    this.#start(ms, `after ${why} the teardown may take ${ms} ms.`)
  }

  /** Takes note, after a step, of what ended it; gives the reason when that was the limit. */
  note(outer: AbortSignal | undefined): string | undefined {
    const { aborted, reason } = this.#limit.signal
    this.isInterrupted ||= isInterrupt(outer) && !aborted
    return aborted ? (reason as Error).message : undefined
  }

  /** Ends the limit. */
  end(): void {
    clearTimeout(this.#timer)
  }
}

/** Whether a signal says that the run is to end: others are about the time of a test, or of a suite that calls this one. */
function isInterrupt(signal: AbortSignal | undefined): boolean {
  const reason: unknown = signal?.reason
  // The second is Vitest's own, for suites in TypeScript (release 5.1.1).
  return reason instanceof RunStopped || (reason instanceof Error && reason.name === 'TestRunAbortError')
}
