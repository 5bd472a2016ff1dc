import { followExport, listProvided, listSteps } from '../../../src/suite/plan/plan.ts'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import { StepRecords } from './step-records.ts'

/** What decides which prerequisites run. */
export type PrerequisiteRules = Pick<ResolvedOptions, 'prerequisites'> & {
  /** Values that are already there, so that nothing needs to run for them. */
  inputs?: object | undefined
  plan: SuitePlan
  /** Which steps have already run. */
  records: StepRecords
}

/**
 * The earlier steps that a step still needs, in order: the setup, those that provide what it reads, and what these read in turn. In
 * an unfiltered run all of them have already run, so the list is empty. It is also empty for a step that has run before.
 */
export function listPrerequisites(
  step: StepPlan,
  { plan, records, prerequisites, inputs = {} }: PrerequisiteRules,
): StepPlan[] {
  if (prerequisites === 'none' || records.has(step)) return []
  const earlier = records.listOpen(step)
  // Any earlier answer may have set a cookie.
  if (earlier.length === 0 || prerequisites === 'all' || plan.cookies) return earlier
  const needed = new Set<StepPlan>(earlier.filter(({ phase }) => phase === 'setup'))
  const wanted = new Set([...needed, step].flatMap(({ reads }) => reads))
  // Backwards, so that the reads of a needed step are known before the steps that provide them are visited.
  for (const each of earlier.toReversed()) {
    const isWanted = listProvided(each, plan.calls).some(
      (name) => wanted.has(name) && !Object.hasOwn(inputs, name),
    )
    if (!isWanted) continue
    needed.add(each)
    for (const name of each.reads) wanted.add(name)
  }
  return earlier.filter((each) => needed.has(each))
}

/** The selected steps of a suite of which nothing has run yet, everything that they need, and the teardown, for which alone nothing runs. */
export function listConcerned(
  plan: SuitePlan,
  selected: readonly StepPlan[],
  { prerequisites, inputs }: Pick<PrerequisiteRules, 'prerequisites' | 'inputs'>,
): StepPlan[] {
  const steps = listSteps(plan)
  if (new Set(selected).size === steps.length) return steps
  const before = { prerequisites, inputs, plan, records: new StepRecords(steps) }
  const needed = selected.flatMap((step) => listPrerequisites(step, before))
  return [...new Set([...needed, ...selected, ...plan.teardown])]
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
