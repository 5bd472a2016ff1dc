import { listProvided } from '../../../src/run/record-outcome.ts'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { ResolvedOptions } from '../../contract/options.ts'

/** What choosing prerequisites goes by. */
export type PrerequisiteRules = {
  steps: readonly StepPlan[]
  /** Steps that ran already. */
  done: { has(step: StepPlan): boolean }
  /** How many steps at the start are known to have run. @default 0 */
  first?: number
  option: ResolvedOptions['prerequisites']
  /** Node ids under which steps with `call` give values, by the names they call. */
  calls?: SuitePlan['calls']
  /** Values that are there already: nothing needs to run for them. */
  given?: object | undefined
}

/**
 * Earlier steps a step still needs, in their order: the set-up, those that give what it reads, and what all of these read
 * in turn. In an unfiltered run all of them have run, so the list is empty, as for a step that ran before.
 */
export function listPrerequisites(
  step: StepPlan,
  { steps, done, first = 0, option, calls, given = {} }: PrerequisiteRules,
): StepPlan[] {
  if (option === 'none' || done.has(step)) return []
  const earlier = steps
    .slice(first, steps.indexOf(step, first))
    .filter((each) => each.phase !== 'teardown' && !done.has(each))
  if (earlier.length === 0 || option === 'all') return earlier
  const needed = new Set<StepPlan>(earlier.filter(({ phase }) => phase === 'setup'))
  const wanted = new Set([...needed, step].flatMap(({ reads }) => reads))
  // From the last to the first, so that what a needed step reads is wanted before its givers are looked at.
  for (const each of earlier.toReversed()) {
    const isWanted = listProvided(each, calls).some((name) => wanted.has(name) && !Object.hasOwn(given, name))
    if (!needed.has(each) && !isWanted) continue
    needed.add(each)
    for (const name of each.reads) wanted.add(name)
  }
  return earlier.filter((each) => needed.has(each))
}

/** The steps of which a filter left a test in, of the tests of a describe block. */
export function listSelected(
  tests: readonly { test: { readonly mode: string }; step: StepPlan }[],
): StepPlan[] {
  return [...new Set(tests.filter(({ test }) => test.mode !== 'skip').map(({ step }) => step))]
}

/** Steps that give some exports, or all steps before the teardown. */
export function listProviders(plan: SuitePlan, names?: readonly string[]): StepPlan[] {
  const steps = [...plan.setup, ...plan.steps]
  const wanted = names?.flatMap((name) => [name, ...(plan.exportReads[name] ?? [])])
  return wanted ? steps.filter(({ provides }) => provides.some((name) => wanted.includes(name))) : steps
}
