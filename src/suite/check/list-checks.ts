import type { Check } from '../../assertion/check.ts'
import type { StepPlan } from '../plan/plan.ts'

/** The checks of a step and of the branches of its scenarios. */
export function listAllChecks({ checks, scenarios }: StepPlan): Check[] {
  const branches = scenarios.flatMap(({ then, otherwise }) => [then, otherwise])
  return [checks, ...branches.map((branch) => branch?.checks ?? [])].flat()
}
