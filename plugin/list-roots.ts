import type { StepPlan, SuitePlan } from '../src/suite/plan.ts'

/** Node ids of the suites that must have run before these steps: those the steps read, those the whole suite reads, and those it depends on. */
export function listNeededSuites(
  plan: SuitePlan,
  steps: readonly StepPlan[],
  calls: ReadonlyMap<StepPlan, string>,
): Set<string> {
  const called = new Set(calls.values())
  const reads = new Set([...steps.flatMap((step) => step.reads), ...plan.reads])
  const foreign = plan.foreign.map(({ root }) => root).filter((root) => reads.has(root) && !called.has(root))
  return new Set([...plan.depends, ...foreign])
}
