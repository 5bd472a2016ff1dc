import type { StepFailure, StepOutcome } from '../../src/run/step-outcome.ts'
import type { StepPlan } from '../../src/suite/plan.ts'
import { startTimeLimit, type TimeLimit } from '../time-limit.ts'
import { watchLateErrors } from './late-errors.ts'

/** ms that the application has for its answer after an error that nobody handled: as a process of its own it would have ended. */
const PATIENCE = 1000

/**
 * Runs a step; errors that the application throws into the void meanwhile are failures of the step, which is stopped if
 * the application still does not answer.
 */
export async function failForLateErrors(
  execute: (signal: AbortSignal) => Promise<StepOutcome>,
  step: StepPlan,
): Promise<StepOutcome> {
  let limit: TimeLimit | undefined
  const stop = new AbortController()
  const late = watchLateErrors(() => {
    if (limit) return
    const started = startTimeLimit(PATIENCE, `no answer came within ${PATIENCE} ms of that error.`)
    started.signal.addEventListener('abort', () => stop.abort(started.signal.reason), { once: true })
    limit = started
  })
  let errors: unknown[] = []
  const outcome = await execute(stop.signal).finally(async () => {
    errors = await late.stop()
    limit?.end()
  })
  if (errors.length === 0) return outcome
  const failures = errors.map((error): StepFailure => ({
    kind: 'app',
    message: `The application threw an error that nobody handled: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    at: step.at,
  }))
  const messages = failures.map(({ message }) => message)
  return {
    failures: [...outcome.failures, ...failures],
    result: {
      ...outcome.result,
      status: 'failure',
      error_message: [outcome.result.error_message, ...messages].filter(Boolean).join('\n'),
    },
  }
}
