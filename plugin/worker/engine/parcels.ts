import { parseJson } from '../../../src/json.ts'
import type { BrokenParcel, SuiteParcel, ToWorker } from '../../contract/parcel.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { AppLink, LinkedPlan } from '../session/links.ts'

/** The suites that the main process sends, each as soon as it is loaded. */
export class Parcels {
  #known = new Map<string, PromiseWithResolvers<SuiteParcel | BrokenParcel>>()
  #linked = new Map<string, Promise<LinkedPlan>>()
  app: AppLink | undefined
  /** Files of suites that were lost with an earlier thread of the run. */
  dead: readonly string[] = []
  /** Resolves with the reason when the run is cancelled, perhaps before it begins. */
  readonly stopped = Promise.withResolvers<string>()

  take(message: ToWorker): void {
    if (message.kind === 'suite') this.#open(message.parcel.path).resolve(message.parcel)
    else if (message.kind === 'stop') this.stopped.resolve(message.reason)
    else this.dead = message.paths
  }

  get(path: string): Promise<SuiteParcel | BrokenParcel> {
    return this.#open(path).promise
  }

  /** The plan of a suite with its links, parsed once. Rejects if the suite could not be loaded. */
  link(path: string): Promise<LinkedPlan> {
    const known = this.#linked.get(path) ?? this.#link(path)
    this.#linked.set(path, known)
    return known
  }

  forget(path: string): void {
    this.#linked.delete(path)
  }

  async #link(path: string): Promise<LinkedPlan> {
    const parcel = await this.get(path)
    if ('error' in parcel) throw Object.assign(new Error(parcel.error.message), { path })
    const open = (name: string): Promise<LinkedPlan> | undefined => {
      const file = parcel.needs.get(name)
      return file === undefined ? undefined : this.link(file)
    }
    const app = parcel.uses.app ? this.app : undefined
    return { path, plan: parseJson(parcel.plan) as unknown as SuitePlan, open, app }
  }

  #open(path: string): PromiseWithResolvers<SuiteParcel | BrokenParcel> {
    const known = this.#known.get(path) ?? Promise.withResolvers()
    this.#known.set(path, known)
    return known
  }
}
