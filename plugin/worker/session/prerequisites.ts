import { listStaticLoops } from '../../../src/run/loops.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../../../src/suite/plan/plan.ts'

/** Which unselected earlier steps run, unreported, before a selected one. */
export type PrerequisiteOption = 'needed' | 'all' | 'none'

/** What choosing prerequisites goes by. */
export type PrerequisiteRules = {
  steps: readonly StepPlan[]
  /** Steps that ran already. */
  done: { has(step: StepPlan): boolean }
  /** How many steps at the start are known to have run. @default 0 */
  first?: number
  option: PrerequisiteOption
  /** Node ids under which steps with `call` give values. */
  calls?: ReadonlyMap<StepPlan, string>
  /** Values that are there already: nothing needs to run for them. */
  given?: object | undefined
}

/**
 * Earlier steps a step still needs, in their order: the set-up, and those that give what it reads,
 * and what those read in turn. In an unfiltered run all of them have run, so the list is empty, as for a step that ran before.
 */
export function listPrerequisites(
  step: StepPlan,
  { steps, done, first = 0, option, calls, given = {} }: PrerequisiteRules,
): StepPlan[] {
  if (option === 'none' || done.has(step)) return []
  const earlier: StepPlan[] = []
  for (let index = first; index < steps.length; index += 1) {
    const each = steps[index] as StepPlan
    if (each === step) break
    if (each.phase !== 'teardown' && !done.has(each)) earlier.push(each)
  }
  if (earlier.length === 0 || option === 'all') return earlier
  const needed = new Set<StepPlan>(earlier.filter(({ phase }) => phase === 'setup'))
  const wanted = new Set([...needed, step].flatMap(({ reads }) => reads))
  // From the last to the first, so that what a needed step reads is wanted before its givers are looked at.
  for (const each of earlier.toReversed()) {
    const gives = [...each.gives, ...(each.call ? [calls?.get(each) ?? each.call.suite] : [])]
    const isWanted = gives.some((name) => wanted.has(name) && !Object.hasOwn(given, name))
    if (!needed.has(each) && !isWanted) continue
    needed.add(each)
    for (const name of each.reads) wanted.add(name)
  }
  return earlier.filter((each) => needed.has(each))
}

const selections = new WeakMap<object, StepPlan[]>()

/** The steps whose tests a filter left in, from the tests of a describe block in their order; found out once per block, before any of them ran. */
export function listSelected(plan: SuitePlan, tests: readonly { readonly mode: string }[]): StepPlan[] {
  const known = selections.get(tests)
  if (known) return known
  const declared = listSteps(plan).flatMap((step) => (listStaticLoops(plan, step) ?? [step]).map(() => step))
  const selected = [...new Set(declared.filter((_, index) => tests[index]?.mode !== 'skip'))]
  selections.set(tests, selected)
  return selected
}

/** Steps that give some names, or all steps before the teardown. */
export function listGivers(plan: SuitePlan, names?: readonly string[]): StepPlan[] {
  if (!names) return [...plan.setup, ...plan.steps]
  return [...plan.setup, ...plan.steps].filter(({ gives }) => gives.some((name) => names.includes(name)))
}
