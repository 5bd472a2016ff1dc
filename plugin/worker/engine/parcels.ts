import { parseJson } from '../../../src/json.ts'
import type { BrokenParcel, SuiteParcel } from '../../contract/parcel.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { AppLink, LinkedPlan } from '../session/links.ts'

/** The suites that the main process sends, each as soon as it is loaded. */
export class Parcels {
  #known = new Map<string, PromiseWithResolvers<SuiteParcel | BrokenParcel>>()
  #linked = new Map<string, Promise<LinkedPlan>>()
  #app: AppLink | undefined

  constructor(app: AppLink | undefined) {
    this.#app = app
  }

  take(parcel: SuiteParcel | BrokenParcel): void {
    this.#open(parcel.path).resolve(parcel)
  }

  /** Waits for a suite. */
  get(path: string): Promise<SuiteParcel | BrokenParcel> {
    return this.#open(path).promise
  }

  /** The plan of a suite with its links; read once. Rejects for a suite that could not be loaded. */
  link(path: string): Promise<LinkedPlan> {
    const known = this.#linked.get(path) ?? this.#link(path)
    this.#linked.set(path, known)
    return known
  }

  /** Lets a plan go that nobody needs any more. */
  forget(path: string): void {
    this.#linked.delete(path)
  }

  async #link(path: string): Promise<LinkedPlan> {
    const parcel = await this.get(path)
    if ('error' in parcel) throw new Error(parcel.error.message)
    const plans = Object.fromEntries(
      Object.entries(parcel.needs).map(([name, file]) => [name, () => this.link(file)]),
    )
    const app = parcel.uses.app ? this.#app : undefined
    return {
      path,
      plan: parseJson(parcel.plan) as unknown as SuitePlan,
      links: { plans, ...(app && { app }) },
    }
  }

  #open(path: string): PromiseWithResolvers<SuiteParcel | BrokenParcel> {
    const known = this.#known.get(path) ?? Promise.withResolvers()
    this.#known.set(path, known)
    return known
  }
}
