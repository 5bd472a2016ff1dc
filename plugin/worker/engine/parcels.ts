import { parseJson } from '../../../src/json.ts'
import type { BrokenParcel, SuiteParcel, ToWorker } from '../../contract/parcel.ts'
import { learnPlan } from '../../../src/report/learn-step.ts'
import { createSuiteRedactor } from '../../../src/secrets/suite-redactor.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { loadExtension } from '../extension/load-extension.ts'
import { hideInError } from '../session/hide-in-error.ts'
import { known } from '../session/known-secrets.ts'
import type { AppLink, LinkedPlan } from '../session/session-interface.ts'

/** The suites that the main process sends, each as soon as it is loaded. */
export class Parcels {
  #known = new Map<string, PromiseWithResolvers<SuiteParcel | BrokenParcel>>()
  #linked = new Map<string, Promise<LinkedPlan>>()
  /** The application under test. */
  app: AppLink | undefined
  /** Files of suites that an earlier thread of the run did not survive. */
  dead: readonly string[] = []
  /** What is wrong with the module of the option `extend`: no suite can run without it. */
  #broken: { error: Error; options: WorkerOptions } | undefined

  take(message: ToWorker): void {
    if (message.kind === 'suite') this.#open(message.parcel.path).resolve(message.parcel)
    else this.dead = message.paths
  }

  /** Runs the module of the option `extend`, before any suite. */
  async extend(options: WorkerOptions, load: (path: string) => Promise<unknown>): Promise<void> {
    const { extend: path, shownFrom } = options
    if (path === undefined) return
    await loadExtension(() => load(path), { path, shownFrom }).catch(
      (error: Error) => (this.#broken = { error, options }),
    )
  }

  /** Waits for a suite. */
  async get(path: string): Promise<SuiteParcel | BrokenParcel> {
    const parcel = await this.#open(path).promise
    if (!this.#broken || 'error' in parcel) return parcel
    const plan = readPlan(parcel)
    const { error, options } = this.#broken
    const redactor = createSuiteRedactor(plan, options.redact, known)
    learnPlan(redactor, plan, { env: { ...options.env, ...process.env } })
    const { name, message } = hideInError(error, redactor) as Error
    return { path, id: parcel.id, error: { name, message, stack: `${name}: ${message}` } }
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
    if ('error' in parcel) throw new BrokenSuite(parcel)
    const plans = new Map(Array.from(parcel.needs, ([name, file]) => [name, () => this.link(file)]))
    const app = parcel.uses.app ? this.app : undefined
    return { path, plan: readPlan(parcel), links: { plans, app } }
  }

  #open(path: string): PromiseWithResolvers<SuiteParcel | BrokenParcel> {
    const known = this.#known.get(path) ?? Promise.withResolvers()
    this.#known.set(path, known)
    return known
  }
}

/** Why a suite could not be loaded, thrown where another one needs it. */
export class BrokenSuite extends Error {
  readonly path: string
  constructor({ path, error }: BrokenParcel) {
    super(error.message)
    this.path = path
  }
}

function readPlan({ plan }: SuiteParcel): SuitePlan {
  return parseJson(plan) as unknown as SuitePlan
}
