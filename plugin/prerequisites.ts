import type { StepPlan } from '../src/suite/plan.ts'

/** Which unselected earlier steps run, unreported, before a selected one. */
export type PrerequisiteOption = 'needed' | 'all' | 'none'

/**
 * Earlier steps a step still needs, in their order: the set-up, and those that give what it reads,
 * and what those read in turn. In an unfiltered run all of them have run, so the list is empty.
 */
export function listPrerequisites(
  step: StepPlan,
  {
    steps,
    done,
    option,
  }: { steps: readonly StepPlan[]; done: { has(step: StepPlan): boolean }; option: PrerequisiteOption },
): StepPlan[] {
  const earlier = steps.slice(0, steps.indexOf(step)).filter((each) => !done.has(each))
  if (option === 'none' || earlier.length === 0) return []
  if (option === 'all') return earlier
  const needed = new Set<StepPlan>(earlier.filter(({ phase }) => phase === 'setup'))
  const wanted = new Set([...needed, step].flatMap(({ reads }) => reads))
  // From the last to the first, so that what a needed step reads is wanted before its givers are looked at.
  for (const each of earlier.toReversed()) {
    if (
      !each.gives.some((name) => wanted.has(name)) &&
      !(each.call && wanted.has(each.call.suite)) &&
      !needed.has(each)
    )
      continue
    needed.add(each)
    for (const name of each.reads) wanted.add(name)
  }
  return earlier.filter((each) => needed.has(each))
}
