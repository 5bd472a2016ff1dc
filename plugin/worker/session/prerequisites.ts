import { followExport, listProvided, listSteps } from '../../../src/suite/plan/plan.ts'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { ResolvedOptions } from '../../contract/options.ts'

/** What decides which steps others need. */
export type PrerequisiteRules = Pick<ResolvedOptions, 'prerequisites'> & {
  /** Values that are already there, so that nothing needs to run for them. */
  inputs?: object | undefined
}

/** The steps that must run before the chosen ones: setup, those that provide what they read, and so on. */
export function listPrerequisites(
  plan: SuitePlan,
  chosen: readonly StepPlan[],
  { prerequisites, inputs = {} }: PrerequisiteRules,
): Set<StepPlan> {
  const needed = new Set<StepPlan>()
  if (prerequisites === 'none') return needed
  const isAll = needsAll(plan, { prerequisites })
  const own = new Set(chosen)
  const steps = listSteps(plan)
  const last = steps.findLastIndex((step) => own.has(step))
  const wanted = new Set<string>()
  // Backwards, so that the reads of a needed step are known before the steps that provide them are visited.
  for (let index = last; index >= 0; index--) {
    const step = steps[index] as StepPlan
    const isNeeded =
      step.phase === 'setup' ||
      isAll ||
      // Any earlier response may have set a cookie.
      plan.cookies ||
      listProvided(step, plan.calls).some((name) => wanted.has(name) && !Object.hasOwn(inputs, name))
    if (isNeeded && index < last && step.phase !== 'teardown') needed.add(step)
    if (own.has(step) || needed.has(step)) for (const name of step.reads) wanted.add(name)
  }
  return needed
}

/** True if a chosen step needs all steps before it. What the suite says overrides the option. */
export function needsAll(plan: SuitePlan, { prerequisites }: PrerequisiteRules): boolean {
  return (plan.prerequisites ?? prerequisites) === 'all'
}

/** The chosen steps, the steps that they need, and the teardown. Nothing runs for the teardown's needs. */
export function listConcerned(
  plan: SuitePlan,
  chosen: readonly StepPlan[],
  rules: PrerequisiteRules,
): Set<StepPlan> {
  return listPrerequisites(plan, chosen, rules).union(new Set([...chosen, ...plan.teardown]))
}

/** The steps of a describe block with at least one test that is not filtered out. */
export function listSelected(
  tests: readonly { test: { readonly mode: string }; step: StepPlan }[],
): StepPlan[] {
  return [...new Set(tests.filter(({ test }) => test.mode !== 'skip').map(({ step }) => step))]
}

/** The steps that provide these exports. Without names, all steps before the teardown. */
export function listProviders(plan: SuitePlan, names?: readonly string[]): StepPlan[] {
  const steps = [...plan.setup, ...plan.steps]
  const wanted = names?.flatMap((name) => followExport(plan, name))
  if (!wanted) return steps
  return steps.filter((step) => listProvided(step, plan.calls).some((name) => wanted.includes(name)))
}
