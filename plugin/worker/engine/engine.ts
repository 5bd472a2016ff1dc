import type { WorkerGlobalState } from 'vitest'
import type { BrokenParcel, SuiteParcel } from '../../contract/parcel.ts'
import { learnPlan } from '../../../src/report/learn-step.ts'
import { createSuiteRedactor } from '../../../src/secrets/suite-redactor.ts'
import { loadExtension } from '../extension/load-extension.ts'
import { unlessUnhandled, watchLateErrors, type LateErrors } from '../app/late-errors.ts'
import { closeApps, closeServices, linkApp } from '../app/started-services.ts'
import type { ObtainExports } from '../session/session.ts'
import { hideInError, workerSecrets } from '../session/hide-secrets.ts'
import { closeEnvironment } from '../session/run-environment.ts'
import { explainCancel } from '../session/suite-limit.ts'
import { listOwn, NOTHING, obtainExports } from '../exports/exporters.ts'
import { findWanted, type Chosen, type Obtained } from '../exports/foreign-exports.ts'
import type { Parcels } from './parcels.ts'
import { createSlots } from './slots.ts'
import { SuiteFile, type RunTools } from './suite-file.ts'
import { createTaskUpdates } from './task-updates.ts'
import type { VitestRuntime } from './vitest-runtime.ts'

/** Runs the suites of a run, in parallel as far as possible. */
export class Engine {
  #tools: RunTools
  #files: Map<string, SuiteFile>
  #runInSlot: ReturnType<typeof createSlots>
  #stop = new AbortController()
  /** The exports of suites that ran on behalf of readers. */
  #obtained: Obtained = new Map()
  /** The error in the module of the option `extend`, without which no suite can run. */
  #broken: Error | undefined
  #appUsers = 0
  /** Settles when it is known of all suites whether they use the application. */
  #received: Promise<unknown> = Promise.resolve()
  #idle: LateErrors | undefined

  constructor(state: WorkerGlobalState, parcels: Parcels, runtime: VitestRuntime) {
    const options = state.providedContext.suitecase
    void parcels.stopped.promise.then((reason) => this.#cancel(reason))
    parcels.app = linkApp(options, async (path) => {
      // By now Vitest has its listeners for errors, which the watch replaces, and the application has none.
      await runtime.open()
      this.#idle ??= watchLateErrors('idle')
      return unlessUnhandled(runtime.import(path))
    })
    this.#tools = {
      state,
      options,
      parcels,
      runtime,
      // An application or extension in this thread can end it at any moment, so progress is sent at once.
      updates: createTaskUpdates(state.rpc, (options.app ?? options.extend) !== undefined),
      stop: this.#stop.signal,
      obtain: this.#obtain,
      listWanted: findWanted(options, () => this.#listChosen()),
      onFailure: () => this.#countFailure(),
    }
    this.#runInSlot = createSlots(options.concurrency, options.appConcurrency)
    this.#files = new Map(
      state.ctx.files.map((file, order) => [file.filepath, new SuiteFile(file, order, this.#tools)]),
    )
  }

  #cancel(reason: string): void {
    this.#stop.abort(explainCancel(reason))
  }

  /** Runs all files. Resolves when everything has ended and was reported. */
  async run(): Promise<void> {
    const { options, runtime, updates, state } = this.#tools
    const { extend: path } = options
    if (path !== undefined)
      await loadExtension(() => runtime.import(path), { ...options, path }).catch(
        (error: Error) => (this.#broken = error),
      )
    const files = Array.from(this.#files.values(), (file) => ({ file, parcel: this.#receive(file) }))
    this.#received = Promise.allSettled(files.map(({ parcel }) => parcel))
    await Promise.all(
      files.map(({ file, parcel }) =>
        this.#run(file, parcel).catch((error: Error) => this.#crash(file, error)),
      ),
    )
    await closeServices(this.#idle).catch((error: unknown) =>
      state.rpc.onUnhandledError(error, 'Teardown Error'),
    )
    await closeEnvironment()
    await runtime.close()
    await updates.finish()
  }

  async collect(): Promise<void> {
    for (const file of this.#files.values()) {
      const parcel = await this.#tools.parcels.get(file.specification.filepath)
      await ('error' in parcel ? file.fail(parcel) : file.report((await file.prepare()).file))
    }
    await this.#tools.updates.finish()
  }

  async #run(file: SuiteFile, received: Promise<SuiteParcel | BrokenParcel>): Promise<void> {
    const parcel = await received
    if ('error' in parcel) return file.fail(parcel)
    const { path, uses } = parcel
    if (this.#broken) return file.fail({ path, error: await this.#hide(this.#broken, path) })
    for (const before of parcel.after) await this.#files.get(before)?.exports.promise
    await this.#runInSlot({ order: file.order, ...uses }, async () => {
      if (this.#stop.signal.aborted && (await file.prepare()).file.mode === 'skip')
        return file.exports.resolve(NOTHING)
      await file.run(uses, () => (uses.app ? this.#leaveApp() : Promise.resolve()))
    })
  }

  /** Waits for a suite of the run. It also uses what suites use that it has to run itself, as a filter leaves them out. */
  async #receive(file: SuiteFile): Promise<SuiteParcel | BrokenParcel> {
    const { parcels } = this.#tools
    const parcel = await parcels.get(file.specification.filepath)
    if ('error' in parcel) return parcel
    const uses = { ...parcel.uses }
    for (const read of parcel.after.flatMap((path) => this.#files.get(path) ?? [])) {
      const other = await parcels.get(read.specification.filepath)
      if ('error' in other || (await read.providesExports())) continue
      for (const use of ['app', 'clock', 'mocks'] as const) uses[use] ||= other.uses[use]
    }
    if (uses.app) this.#appUsers++
    return { ...parcel, uses }
  }

  /** Closes the application after its last suite, so that errors of closing are reported with a test file. */
  async #leaveApp(): Promise<void> {
    // Suites may end before others are loaded, which need the same application.
    if (this.#appUsers === 1) await this.#received
    if (--this.#appUsers === 0) await closeApps(this.#idle)
  }

  async #hide(error: Error, path: string): Promise<BrokenParcel['error']> {
    const { options, parcels } = this.#tools
    const { plan } = await parcels.link(path)
    const redactor = createSuiteRedactor(plan, options.redact, workerSecrets)
    learnPlan(redactor, plan, { env: { ...options.env, ...process.env } })
    const { name, message } = hideInError(error, redactor) as Error
    return { name, message, stack: `${name}: ${message}` }
  }

  async #countFailure(): Promise<void> {
    const { config, rpc } = this.#tools.state
    if (!config.bail || this.#stop.signal.aborted) return
    // Failures that are not sent yet count as well.
    await this.#tools.updates.finish()
    const failed = await rpc.getCountOfFailedTests()
    // Vitest would end the thread if it were told twice.
    if (failed < config.bail || this.#stop.signal.aborted) return
    this.#cancel('test-failure')
    void rpc.onCancel('test-failure')
  }

  /** An unexpected error of our own fails the suite in which it occurs, and no other. */
  async #crash(file: SuiteFile, { name, message, stack = message }: Error): Promise<void> {
    const told = `suitecase itself failed here (${message}). Please report it with the lines below.`
    await file.fail({ path: file.specification.filepath, error: { name, message: told, stack } })
  }

  /** Waits for a suite that runs in its own file, and runs any other on behalf of the reader. */
  #obtain: ObtainExports = async (reader, read, signal) => {
    const { linked } = read
    const { listWanted, parcels } = this.#tools
    const file = this.#files.get(linked.path ?? '')
    if (file && !listOwn(reader, linked) && (await file.providesExports())) return file.exports.promise
    if (parcels.dead.includes(linked.path ?? ''))
      return { ...NOTHING, failure: 'its worker ended before the suite did' }
    const exports = await obtainExports(reader, read, { signal, shared: this.#obtained, listWanted })
    // What the suite's own tests have reported is not reported again to readers.
    const isTold = file?.lacking && exports.missing.keys().every((name) => file.lacking?.has(name))
    return isTold ? { ...exports, problems: [] } : exports
  }

  async *#listChosen(): AsyncGenerator<Chosen> {
    for (const file of this.#files.values()) {
      const chosen = await file.listChosen().catch(() => undefined)
      if (chosen) yield chosen
    }
  }
}
