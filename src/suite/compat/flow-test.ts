import { listSteps, type GrammarRules, type SuitePlan } from '../plan/plan.ts'

export { rewriteSuite } from './rewrite-suite.ts'

/** What runs otherwise in a suite of flow-test-engine. */
export const rules: GrammarRules = {
  isLenient: true,
  isLoose: true,
  allowsNothing: true,
  matchesAll: true,
  endsRetry: true,
  sharesExports: true,
}

/** The plan as that engine runs it: the first failure stops it, and nothing that is missing keeps a step from running. */
export function lowerPlan(plan: SuitePlan): SuitePlan {
  for (const step of listSteps(plan)) step.needs = []
  return { ...plan, onFailure: plan.onFailure ?? 'stop' }
}
