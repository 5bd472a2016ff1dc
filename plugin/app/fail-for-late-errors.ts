import type { StepFailure, StepOutcome } from '../../src/run/step-outcome.ts'
import type { StepPlan } from '../../src/suite/plan.ts'
import { watchLateErrors } from './late-errors.ts'

/** Runs a step; errors that the application throws into the void meanwhile are failures of the step. */
export async function failForLateErrors(
  execute: () => Promise<StepOutcome>,
  step: StepPlan,
): Promise<StepOutcome> {
  const late = watchLateErrors()
  let errors: unknown[] = []
  const outcome = await execute().finally(async () => {
    errors = await late.stop()
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
