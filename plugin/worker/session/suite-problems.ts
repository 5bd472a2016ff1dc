import type { StepOutcome } from '../../../src/run/step-outcome.ts'
import type { SuiteProblem } from '../../contract/suite-exports.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'

/** Failures of a step that ran without being a test of this run: they must not go unnoticed. */
export function describeUnreported(step: StepPlan, outcomes: readonly StepOutcome[]): SuiteProblem[] {
  const which = step.phase === 'teardown' ? 'The teardown step' : 'The step'
  const why =
    step.phase === 'teardown' ? 'which ran after the others' : 'which ran because a selected one needs it'
  return outcomes.flatMap(({ failures }) =>
    failures.map(({ message, at }) => ({
      message: `${which} “${step.name}” (line ${step.at[0]}), ${why}, failed: ${message}`,
      at,
    })),
  )
}
