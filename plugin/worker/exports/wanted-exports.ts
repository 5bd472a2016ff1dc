import { listCalled, type StepPlan } from '../../../src/suite/plan/plan.ts'
import { listForeign } from './foreign-exports.ts'
import type { LinkedPlan } from '../session/links.ts'
import { listConcerned, listProviders, needsAll, type PrerequisiteRules } from '../session/prerequisites.ts'

/** A suite, and the steps of it that a run or a test file has chosen. */
export type Chosen = { linked: LinkedPlan; steps: readonly StepPlan[] }

/** Resolves to the steps of a suite that provide what others read. */
export type ListWanted = (linked: LinkedPlan) => Promise<StepPlan[]>

/** Finds, once asked, which exports of other suites are read by chosen steps and those that run for them. */
export function findWanted(
  { prerequisites }: PrerequisiteRules,
  listChosen: () => Iterable<Chosen> | AsyncIterable<Chosen>,
): ListWanted {
  // Steps that run for others run what they need, whatever the option says of chosen ones.
  const rules = { prerequisites: prerequisites === 'none' ? 'needed' : prerequisites } as const
  /** `<path>\0<export>`, or `<path>\0` for all of a suite. */
  const keys = new Set<string>()
  const follow = async ({ plan, open }: LinkedPlan, chosen: readonly StepPlan[]): Promise<void> => {
    // A broken suite runs no steps, and reads nothing.
    const find = (suite: string): Promise<LinkedPlan | undefined> | undefined =>
      open(suite)?.catch(() => undefined)
    const steps = listConcerned(plan, chosen, rules)
    for (const { root, name } of listForeign(plan, steps)) {
      const provider = await find(root)
      const isAll = name === undefined || (provider && needsAll(provider.plan, rules))
      const key = `${provider?.path}\0${isAll ? '' : name}`
      if (!provider || keys.has(key)) continue
      keys.add(key)
      await follow(provider, listProviders(provider.plan, isAll ? undefined : [name]))
    }
    for (const { call } of steps) {
      const called = call && (await find(call.suite))
      if (called) await follow(called, listCalled(called.plan, call.step))
    }
  }
  const findAll = async (): Promise<void> => {
    for await (const { linked, steps } of listChosen()) if (steps.length > 0) await follow(linked, steps)
  }
  let finding: Promise<void> | undefined
  return async ({ path, plan }) => {
    await (finding ??= findAll())
    const isWanted = (name: string): boolean => keys.has(`${path}\0${name}`)
    return listProviders(plan, isWanted('') ? undefined : plan.exports.filter(isWanted))
  }
}
