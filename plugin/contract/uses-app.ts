import type { SuitePlan } from '../../src/suite/plan/plan.ts'

/** True for a suite that sends requests to the application under test: without a `base_url` that is the one meant. */
export function usesApp(plan: SuitePlan): boolean {
  return plan.baseUrl === undefined || plan.usesGiven.includes('app_url')
}
