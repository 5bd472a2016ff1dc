import { listCalled, type StepPlan } from '../../../src/suite/plan/plan.ts'
import { listForeign } from './foreign-exports.ts'
import type { LinkedPlan } from '../session/links.ts'
import { listConcerned, listProviders, type PrerequisiteRules } from '../session/prerequisites.ts'

/** The exports of other suites that steps read, and those that run for them. */
export class WantedExports {
  /** `<path>\0<export>`, or `<path>\0` for all exports. */
  #keys = new Set<string>()
  #isAll: boolean

  constructor({ prerequisites }: Pick<PrerequisiteRules, 'prerequisites'>) {
    this.#isAll = prerequisites === 'all'
  }

  /** Follows steps, and what runs for them, to what they read of other suites. */
  async follow({ plan, links }: LinkedPlan, chosen: readonly StepPlan[]): Promise<void> {
    // A broken suite runs no steps, and reads nothing.
    const open = (name: string): Promise<LinkedPlan | undefined> | undefined =>
      links.plans
        .get(name)?.()
        .catch(() => undefined)
    // What is called runs what it needs, whatever the option says.
    const steps = listConcerned(plan, chosen, { prerequisites: this.#isAll ? 'all' : 'needed' })
    for (const { root, name } of listForeign(plan, steps)) {
      const provider = await open(root)
      const key = `${provider?.path}\0${name ?? ''}`
      if (!provider || this.#keys.has(key)) continue
      this.#keys.add(key)
      const names = this.#isAll || name === undefined ? undefined : [name]
      await this.follow(provider, listProviders(provider.plan, names))
    }
    for (const { call } of steps) {
      const called = call && (await open(call.suite))
      if (called) await this.follow(called, listCalled(called.plan, call.step))
    }
  }

  /** The exports of a suite that are wanted. Undefined for all. */
  list({ path, plan }: LinkedPlan): string[] | undefined {
    const isWanted = (name: string): boolean => this.#keys.has(`${path}\0${name}`)
    return isWanted('') ? undefined : plan.exports.filter(isWanted)
  }
}
