import { readMessage } from '../../../src/errors.ts'
import { RunStopped } from '../../../src/run/attempt/attempt.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'

/** How long the teardown may take once time is up or the run is stopped, in ms. The reports need time too. */
const GRACE = 3000

/** Limits the time of a suite, and that of its teardown once time is up or the run is stopped. */
export class SuiteLimit {
  /** True once a step was aborted by the end of the run. */
  isInterrupted = false
  readonly #limit = new AbortController()
  readonly #late = new AbortController()
  /** Aborted when the suite has ended, to remove the teardown's listeners from the longer-lived signal. */
  readonly #over = new AbortController()
  readonly #timer: NodeJS.Timeout
  #grace: NodeJS.Timeout | undefined
  #joined: { outer: AbortSignal | undefined; signal: AbortSignal } | undefined

  constructor(ms: number) {
    const advice = 'Raise the option `limits.suite`, or split the suite in two.'
    this.#timer = abortAfter(ms, this.#limit, `the suite took longer than ${ms} ms. ${advice}`)
  }

  /** The signal for a step; `outer` is that of its test or caller. A call in a teardown has no grace: the called suite has its own. */
  signalFor({ phase, call }: StepPlan, outer: AbortSignal | undefined): AbortSignal {
    const signal = this.#join(outer)
    if (phase !== 'teardown' || (call && !signal.aborted)) return signal
    const grant = (): void => {
      const message = `once time is up or the run is stopped, the teardown may take ${GRACE} ms.`
      this.#grace ??= abortAfter(GRACE, this.#late, message)
    }
    if (signal.aborted) grant()
    else signal.addEventListener('abort', grant, { once: true, signal: this.#over.signal })
    return this.#late.signal
  }

  #join(outer: AbortSignal | undefined): AbortSignal {
    if (this.#joined && this.#joined.outer === outer) return this.#joined.signal
    const { signal: own } = this.#limit
    const signal = outer ? AbortSignal.any([outer, own]) : own
    this.#joined = { outer, signal }
    return signal
  }

  /** Called after a step: notes an interrupt. Returns the reason if time is up, or the step was stopped from outside. */
  note(outer: AbortSignal | undefined): string | undefined {
    const { aborted, reason } = this.#join(outer)
    this.isInterrupted ||= aborted && reason instanceof RunStopped
    return aborted ? readMessage(reason) : undefined
  }

  end(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#grace)
    this.#over.abort()
  }
}

function abortAfter(ms: number, target: AbortController, message: string): NodeJS.Timeout {
  return setTimeout(() => target.abort(new Error(message)), ms).unref()
}

/** Why a run is stopped, from the reason that Vitest gives for it. After failures, running steps are skipped. */
export function explainCancel(reason: unknown): RunStopped {
  const skips = reason === 'test-failure'
  return new RunStopped(`the run was stopped${skips ? ' after failures (option `bail`)' : ''}`, { skips })
}
