import { RunStopped } from '../../../src/run/attempt/attempt.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'

/** What a teardown is given extra time for, and how many ms: after an interrupt the reports need some, too. */
const INTERRUPT = ['an interrupt', 3000] as const
const LIMIT = ['the limit of the suite (option `limits.suite`)', 10_000] as const

/** Why a suite is stopped that takes too long. */
class TooLong extends Error {}

/** The time that a suite may take, and what its teardown gets when that is over or the run is interrupted. */
export class SuiteLimit {
  /** True once a step was aborted because the run is to end. */
  isInterrupted = false
  #limit = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #isGranted = false
  /** Aborted when the suite has ended, so that its teardown listens no longer: the signal of the run outlives it. */
  #over: AbortController | undefined
  #joined: { outer: AbortSignal | undefined; signal: AbortSignal } | undefined

  constructor(ms: number) {
    const advice = 'Raise the option `limits.suite`, or make two suites of it.'
    this.#start(ms, `the suite took longer than ${ms} ms. ${advice}`)
  }

  /** A timer keeps no process alive. */
  #start(ms: number, message: string): void {
    clearTimeout(this.#timer)
    if (this.#limit.signal.aborted) this.#limit = new AbortController()
    const limit = this.#limit
    this.#joined = undefined
    this.#timer = setTimeout(() => limit.abort(new TooLong(message)), ms).unref()
  }

  /** The signal of a step, given that of its test or of the step that calls its suite. */
  signalFor({ phase, call }: StepPlan, outer: AbortSignal | undefined): AbortSignal {
    return phase === 'teardown' ? this.#joinTeardown(outer, call !== undefined) : this.#join(outer)
  }

  /** Aborted by the limit as well as from outside. */
  #join(outer: AbortSignal | undefined): AbortSignal {
    if (this.#joined && this.#joined.outer === outer) return this.#joined.signal
    const { signal: own } = this.#limit
    const signal = outer ? AbortSignal.any([outer, own]) : own
    this.#joined = { outer, signal }
    return signal
  }

  /**
   * That of a teardown step. When the run is interrupted, or the suite or the one that calls it took too long, before it
   * or while it runs, the teardown still gets some seconds, once. A suite that it calls (`isCall`) has a teardown of its own, and
   * is cut off.
   */
  #joinTeardown(outer: AbortSignal | undefined, isCall: boolean): AbortSignal {
    if (this.isInterrupted) this.#grant(INTERRUPT)
    else if (this.#limit.signal.aborted) this.#grant(LIMIT)
    else if (isCall && !outer?.aborted) return this.#join(outer)
    const cut = new AbortController()
    const hear = (): void => {
      if (isInterrupt(outer)) this.#grant(INTERRUPT)
      else if (outer?.reason instanceof TooLong) this.#grant(LIMIT)
      // The time of a test is over.
      else cut.abort(outer?.reason)
    }
    if (outer?.aborted) hear()
    else if (outer) {
      this.#over ??= new AbortController()
      outer.addEventListener('abort', hear, { once: true, signal: this.#over.signal })
    }
    return AbortSignal.any([this.#limit.signal, cut.signal])
  }

  #grant([why, ms]: typeof INTERRUPT | typeof LIMIT): void {
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
    this.#over?.abort()
  }
}

/** Whether a signal says that the run is to end: others are about the time of a test, or of a suite that calls this one. */
export function isInterrupt(signal: AbortSignal | undefined): boolean {
  const reason: unknown = signal?.reason
  // The second is Vitest's own, for suites in TypeScript (release 5.1.1).
  return reason instanceof RunStopped || (reason instanceof Error && reason.name === 'TestRunAbortError')
}
