import { readMessage } from '../../../src/errors.ts'
import { RunStopped } from '../../../src/run/attempt/attempt.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'

/** How long the teardown may take once time is up or the run is stopped, in ms. The reports need time too. */
const GRACE = 3000

export type SuiteLimit = ReturnType<typeof limitSuite>

/** Limits the time of a suite to `ms`, and that of its teardown once time is up or the run is stopped. */
export function limitSuite(ms: number) {
  const [limit, late] = [new AbortController(), new AbortController()]
  // Aborted when the suite has ended, to remove the teardown's listeners from the longer-lived signal.
  const over = new AbortController()
  const advice = 'Raise the option `limits.suite`, or split the suite in two.'
  const timer = abortAfter(ms, limit, `the suite took longer than ${ms} ms. ${advice}`)
  let grace: NodeJS.Timeout | undefined
  let joined: { outer: AbortSignal | undefined; signal: AbortSignal } | undefined

  function join(outer: AbortSignal | undefined): AbortSignal {
    if (joined && joined.outer === outer) return joined.signal
    const signal = outer ? AbortSignal.any([outer, limit.signal]) : limit.signal
    joined = { outer, signal }
    return signal
  }

  return {
    /** True once a step was aborted by the end of the run. */
    isInterrupted: false,
    /** The signal for a step; `outer` is that of its test or caller. A call in a teardown has no grace: the called suite has its own. */
    signalFor({ phase, call }: StepPlan, outer: AbortSignal | undefined): AbortSignal {
      const signal = join(outer)
      if (phase !== 'teardown' || (call && !signal.aborted)) return signal
      const grant = (): void => {
        const message = `once time is up or the run is stopped, the teardown may take ${GRACE} ms.`
        grace ??= abortAfter(GRACE, late, message)
      }
      if (signal.aborted) grant()
      else signal.addEventListener('abort', grant, { once: true, signal: over.signal })
      return late.signal
    },
    /** Called after a step: notes an interrupt. Returns the reason if time is up, or the step was stopped from outside. */
    note(outer: AbortSignal | undefined): string | undefined {
      const { aborted, reason } = join(outer)
      this.isInterrupted ||= aborted && reason instanceof RunStopped
      return aborted ? readMessage(reason) : undefined
    },
    end(): void {
      clearTimeout(timer)
      clearTimeout(grace)
      over.abort()
    },
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
