import { InterpolationError } from '../../interpolation/errors.ts'
import { interpolate } from '../../interpolation/interpolate.ts'
import type { StepPlan } from '../../suite/plan/plan.ts'
import type { AttemptOutcome } from './attempt.ts'
import { createScope, type SuiteRun } from '../suite-run.ts'

/** Sets the variables that another engine would ask for, in order: a later one may read an earlier one. */
export function takeInputs(run: SuiteRun, step: StepPlan, outcome: AttemptOutcome): void {
  for (const [name, value] of Object.entries(step.inputs ?? {})) {
    const scope = createScope(run)
    try {
      const layers = [outcome.captured, ...scope.layers]
      outcome.captured[name] = interpolate(value, { ...scope, layers }).value
    } catch (error) {
      if (!(error instanceof InterpolationError)) throw error
      outcome.failures.push({ kind: 'interpolation', message: error.message, at: step.at })
    }
  }
}
