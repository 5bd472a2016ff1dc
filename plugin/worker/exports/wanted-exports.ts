import { listCalled, type StepPlan } from '../../../src/suite/plan/plan.ts'
import { listForeign } from './foreign-exports.ts'
import type { LinkedPlan } from '../session/links.ts'
import { listConcerned, listProviders, needsAll, type PrerequisiteRules } from '../session/prerequisites.ts'

/** A suite, and the steps of it that a run or a test file has chosen. */
type Chosen = { linked: LinkedPlan; steps: readonly StepPlan[] }

/** The exports that chosen steps, and steps that run for them, read from other suites. */
export class WantedExports {
  /** `<path>\0<export>`, or `<path>\0` for all exports. */
  #keys = new Set<string>()
  #rules: PrerequisiteRules
  #find: () => Promise<void>
  #finding: Promise<void> | undefined

  constructor(
    { prerequisites }: Pick<PrerequisiteRules, 'prerequisites'>,
    listChosen: () => Promise<readonly Chosen[]>,
  ) {
    // Called steps run what they need, whatever the option `prerequisites` says.
    this.#rules = { prerequisites: prerequisites === 'none' ? 'needed' : prerequisites }
    this.#find = async () => {
      for (const { linked, steps } of await listChosen())
        if (steps.length > 0) await this.#follow(linked, steps)
    }
  }

  /** The exports of a suite that are wanted. Undefined for all. */
  async list({ path, plan }: LinkedPlan): Promise<string[] | undefined> {
    await (this.#finding ??= this.#find())
    const isWanted = (name: string): boolean => this.#keys.has(`${path}\0${name}`)
    return isWanted('') ? undefined : plan.exports.filter(isWanted)
  }

  /** Collects what steps, and those run for them, read from other suites, and what these read in turn. */
  async #follow({ plan, open }: LinkedPlan, chosen: readonly StepPlan[]): Promise<void> {
    // A broken suite runs no steps, and reads nothing.
    const find = (name: string): Promise<LinkedPlan | undefined> | undefined =>
      open(name)?.catch(() => undefined)
    const steps = listConcerned(plan, chosen, this.#rules)
    for (const { root, name } of listForeign(plan, steps)) {
      const provider = await find(root)
      const key = `${provider?.path}\0${name ?? ''}`
      if (!provider || this.#keys.has(key)) continue
      this.#keys.add(key)
      const isAll = name === undefined || needsAll(provider.plan, this.#rules)
      await this.#follow(provider, listProviders(provider.plan, isAll ? undefined : [name]))
    }
    for (const { call } of steps) {
      const called = call && (await find(call.suite))
      if (called) await this.#follow(called, listCalled(called.plan, call.step))
    }
  }
}
