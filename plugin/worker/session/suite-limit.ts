import { readMessage } from '../../../src/errors.ts'
import { RunStopped } from '../../../src/run/attempt/attempt.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'

/** Why a teardown gets extra time, and how much in ms. After an interrupt the reports need time too. */
const INTERRUPT = ['an interrupt', 3000] as const
const LIMIT = ['the limit of the suite (option `limits.suite`)', 10_000] as const

class TooLong extends Error {}

/** Limits the time of a suite, and that of its teardown once time is up or the run is interrupted. */
export class SuiteLimit {
  /** True once a step was aborted by the end of the run. */
  isInterrupted = false
  #limit = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #isGranted = false
  /** Aborted when the suite has ended, to remove the teardown's listeners from the longer-lived signal. */
  readonly #over = new AbortController()
  #joined: { outer: AbortSignal | undefined; signal: AbortSignal } | undefined

  constructor(ms: number) {
    const advice = 'Raise the option `limits.suite`, or split the suite in two.'
    this.#start(ms, `the suite took longer than ${ms} ms. ${advice}`)
  }

  /** Starts the timer, which does not keep the process alive. */
  #start(ms: number, message: string): void {
    clearTimeout(this.#timer)
    if (this.#limit.signal.aborted) this.#limit = new AbortController()
    const limit = this.#limit
    this.#joined = undefined
    this.#timer = setTimeout(() => limit.abort(new TooLong(message)), ms).unref()
  }

  /** The signal for a step. `outer` is that of its test, or of the step that calls its suite. */
  signalFor({ phase, call }: StepPlan, outer: AbortSignal | undefined): AbortSignal {
    return phase === 'teardown' ? this.#joinTeardown(outer, call !== undefined) : this.#join(outer)
  }

  /** A signal aborted by the limit or from outside. */
  #join(outer: AbortSignal | undefined): AbortSignal {
    if (this.#joined && this.#joined.outer === outer) return this.#joined.signal
    const { signal: own } = this.#limit
    const signal = outer ? AbortSignal.any([outer, own]) : own
    this.#joined = { outer, signal }
    return signal
  }

  /**
   * The signal for a teardown step. The teardown gets some more seconds, once, if the run is interrupted or
   * the caller takes too long, before or during the step, or if this suite took too long before it. During a
   * `call` (`isCall`) the step is cut off instead, since the called suite has its own teardown.
   */
  #joinTeardown(outer: AbortSignal | undefined, isCall: boolean): AbortSignal {
    if (this.isInterrupted) this.#grant(INTERRUPT)
    else if (this.#limit.signal.aborted) this.#grant(LIMIT)
    else if (isCall && !outer?.aborted) return this.#join(outer)
    const cut = new AbortController()
    const hear = (): void => {
      if (isInterrupt(outer)) this.#grant(INTERRUPT)
      else if (outer?.reason instanceof TooLong) this.#grant(LIMIT)
      // An unhandled error of the application has ended the calling step, which waits no longer.
      else cut.abort(outer?.reason)
    }
    if (outer?.aborted) hear()
    else outer?.addEventListener('abort', hear, { once: true, signal: this.#over.signal })
    return AbortSignal.any([this.#limit.signal, cut.signal])
  }

  #grant([why, ms]: typeof INTERRUPT | typeof LIMIT): void {
    if (this.#isGranted) return
    this.#isGranted = true
    this.#start(ms, `after ${why}, the teardown may take ${ms} ms.`)
  }

  /** Called after a step: notes an interrupt. Returns the reason if time is up, or the step was stopped from outside. */
  note(outer: AbortSignal | undefined): string | undefined {
    const own = this.#limit.signal
    this.isInterrupted ||= isInterrupt(outer) && !own.aborted
    const ended = own.aborted ? own : outer
    return ended?.aborted ? readMessage(ended.reason) : undefined
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#over.abort()
  }
}

/** Whether a signal means the end of the run, not the limit of a calling suite. */
export function isInterrupt(signal: AbortSignal | undefined): boolean {
  return signal?.reason instanceof RunStopped
}

/** Why a run is stopped, from the reason that Vitest gives for it. After failures, running steps are skipped. */
export function explainCancel(reason: unknown): RunStopped {
  const skips = reason === 'test-failure'
  return new RunStopped(`the run was stopped${skips ? ' after failures (option `bail`)' : ''}`, { skips })
}
