import type { RunnerTestFile, WorkerGlobalState } from 'vitest'
import { RunStopped } from '../../../src/run/attempt/attempt.ts'
import type { BrokenParcel, SuiteParcel, SuiteUse } from '../../contract/parcel.ts'
import { learnPlan } from '../../../src/report/learn-step.ts'
import { listSteps } from '../../../src/suite/plan/plan.ts'
import { createSuiteRedactor } from '../../../src/secrets/suite-redactor.ts'
import { loadExtension } from '../extension/load-extension.ts'
import { watchLateErrors, type LateErrors } from '../app/late-errors.ts'
import { closeApps, closeServices, linkApp } from '../app/started-services.ts'
import type { LinkedPlan } from '../session/links.ts'
import type { ObtainExports, SuiteSession } from '../session/session.ts'
import { hideInError, known } from '../session/hide-secrets.ts'
import { closeEnvironment } from '../session/run-environment.ts'
import { NOTHING, reportUnloaded, runExporter, UNLOADED } from '../exports/suite-exports.ts'
import type { SuiteExports } from '../exports/export-types.ts'
import { WantedExports } from '../exports/wanted-exports.ts'
import { Job } from './job.ts'
import type { BrokenSuite, Parcels } from './parcels.ts'
import { FileRun, type RunTools } from './run-file.ts'
import { Slots } from './slots.ts'
import { createFile } from './task-tree.ts'
import { TaskUpdates } from './task-updates.ts'
import type { VitestRuntime } from './vitest-runtime.ts'

/** Runs the suites of a run, in parallel as far as possible. */
export class Engine {
  #state: WorkerGlobalState
  #parcels: Parcels
  #tools: RunTools
  #jobs: Map<string, Job>
  #slots: Slots
  #stop = new AbortController()
  /** Suites that run for others without being reported. */
  #unreported = new Map<string, Promise<SuiteExports>>()
  /** What the steps of this run read of other suites. */
  #wanted: Promise<WantedExports> | undefined
  /** Suites outside the run that were already reported as impossible to load. */
  #told = new Set<string>()
  /** The error in the module of the option `extend`, without which no suite can run. */
  #broken: Error | undefined
  /** How many suites still use the application. */
  #appUsers = 0
  /** The watch for errors of the application outside steps. */
  #idle: LateErrors | undefined

  constructor(state: WorkerGlobalState, parcels: Parcels, runtime: VitestRuntime) {
    const options = state.providedContext.suitecase
    this.#state = state
    this.#parcels = parcels
    parcels.app = linkApp(options, async (path) => {
      // Then Vitest listens for errors as well, and the application does not yet.
      await runtime.open()
      this.#idle ??= watchLateErrors('idle')
      return runtime.import(path)
    })
    this.#tools = {
      config: state.config,
      options,
      runtime,
      // An application or extension in this thread can end it at any moment, so progress is sent at once.
      updates: new TaskUpdates(state.rpc, { atOnce: (options.app ?? options.extend) !== undefined }),
      stop: this.#stop.signal,
      obtain: this.#obtain,
      onFailure: () => this.#countFailure(),
    }
    this.#slots = new Slots(options.concurrency, options.appConcurrency)
    this.#jobs = new Map(
      state.ctx.files.map((file, order) => [
        file.filepath,
        new Job(file, order, { state, options, parcels }),
      ]),
    )
  }

  /** Stops the run: running steps are aborted, teardowns run, nothing else starts. */
  stop(reason: string): void {
    const skips = reason === 'test-failure'
    // Vitest counts failed blocks and files as well as tests.
    const after = skips ? ` after failures (option \`bail: ${this.#state.config.bail}\`)` : ''
    this.#stop.abort(new RunStopped(`the run was stopped${after}`, { skips }))
  }

  /** Runs all files. Resolves when everything has ended and was reported. */
  async run(): Promise<void> {
    const { options, runtime, updates } = this.#tools
    const { extend: path } = options
    if (path !== undefined)
      await loadExtension(() => runtime.import(path), { ...options, path }).catch(
        (error: Error) => (this.#broken = error),
      )
    const jobs = [...this.#jobs.values()]
    await Promise.all(jobs.map((job) => this.#runJob(job).catch((error: Error) => this.#crash(job, error))))
    await closeServices(this.#idle).catch((error: unknown) =>
      this.#state.rpc.onUnhandledError(error, 'Teardown Error'),
    )
    await closeEnvironment()
    await runtime.close()
    await updates.finish()
  }

  /** Creates the tests of all files without running any. */
  async collect(): Promise<void> {
    for (const job of this.#jobs.values()) {
      const parcel = await this.#parcels.get(job.specification.filepath)
      await ('error' in parcel ? this.#fail(job, parcel) : this.#report((await job.prepare()).file))
    }
    await this.#tools.updates.finish()
  }

  async #runJob(job: Job): Promise<void> {
    const { filepath } = job.specification
    const parcel = await this.#parcels.get(filepath)
    if ('error' in parcel) return this.#fail(job, parcel)
    if (this.#broken) return this.#fail(job, { ...parcel, error: await this.#hide(this.#broken, filepath) })
    const uses = await this.#listUses(parcel)
    if (uses.app) this.#appUsers++
    for (const path of parcel.after) await this.#jobs.get(path)?.exports.promise
    await this.#slots.run({ order: job.order, ...uses }, async () => {
      const isNeedless = this.#stop.signal.aborted && !(await job.isSelected())
      job.exports.resolve(isNeedless ? NOTHING : await this.#runFile(job, { ...parcel, uses }))
      this.#parcels.forget(filepath)
      job.prepared = undefined
    })
  }

  /** What a suite uses, and the suites that it reads from and that run within it, because a filter leaves them out. */
  async #listUses({ after, uses }: SuiteParcel): Promise<SuiteUse> {
    const all = { ...uses }
    for (const job of after.flatMap((path) => this.#jobs.get(path) ?? [])) {
      const parcel = await this.#parcels.get(job.specification.filepath)
      if ('error' in parcel || (await job.runsItself())) continue
      for (const use of ['app', 'clock', 'mocks'] as const) all[use] ||= parcel.uses[use]
    }
    return all
  }

  /** An error that keeps a suite from running, without the suite's secrets. */
  async #hide(error: Error, path: string): Promise<BrokenParcel['error']> {
    const { options } = this.#tools
    const { plan } = await this.#parcels.link(path)
    const redactor = createSuiteRedactor(plan, options.redact, known)
    learnPlan(redactor, plan, { env: { ...options.env, ...process.env } })
    const { name, message } = hideInError(error, redactor) as Error
    return { name, message, stack: `${name}: ${message}` }
  }

  async #runFile(job: Job, { path, uses }: SuiteParcel): Promise<SuiteExports> {
    const { prerequisites } = this.#tools.options
    const { file, blocks } = await job.prepare()
    await this.#report(file)
    const linked = await this.#parcels.link(path)
    const input = {
      file,
      blocks,
      linked,
      hasSnapshots: uses.snapshots,
      listWanted: async () =>
        this.#stop.signal.aborted || prerequisites === 'none' ? [] : this.#listWanted(linked),
      // Closes the application when no other suite uses it, so that errors while it closes are reported with a test file.
      onEnd: async () => {
        if (uses.app && --this.#appUsers === 0) await closeApps(this.#idle)
      },
    }
    const exports = await new FileRun(input, this.#tools).run()
    if (file.result?.state === 'fail') job.lacking = exports.missing
    return exports
  }

  /** Ends the run after as many failures as the option `bail` allows. */
  async #countFailure(): Promise<void> {
    const { config, rpc } = this.#state
    if (!config.bail || this.#stop.signal.aborted) return
    // Failures that are not sent yet count as well.
    await this.#tools.updates.finish()
    const failed = await rpc.getCountOfFailedTests()
    // Vitest would end the thread if it were told twice.
    if (failed < config.bail || this.#stop.signal.aborted) return
    this.stop('test-failure')
    void rpc.onCancel('test-failure')
  }

  /** Reports a suite that could not be loaded as a failed file. */
  async #fail(job: Job, parcel: BrokenParcel, file = createFile(parcel, this.#state)): Promise<void> {
    const { path, error, at } = parcel
    // For annotations. The lines of the file are already in the message.
    const place = at && { stacks: [{ file: path, line: at[0], column: at[1], method: '' }], frame: ' ' }
    file.result = { ...file.result, state: 'fail', errors: [{ ...error, ...place }] }
    job.exports.resolve(UNLOADED)
    await this.#report(file)
    this.#tools.updates.add(file, 'suite-failed-early')
  }

  async #report(file: RunnerTestFile): Promise<void> {
    // Vitest shows lines and annotations only for modules that it knows. Later, this thread may be dead.
    void this.#state.rpc.ensureModuleGraphEntry(file.filepath, 'suitecase')
    // Its tests follow at once, and would be copied twice.
    const queued: RunnerTestFile = { ...file, tasks: [] }
    await this.#state.rpc.onQueued(Object.assign(queued, { file: queued }))
    void this.#state.rpc.onCollected([file])
  }

  /** An unexpected error of our own fails the suite in which it occurs, and no other. */
  async #crash(job: Job, { name, message, stack = message }: Error): Promise<void> {
    const { path, id } = await this.#parcels.get(job.specification.filepath)
    const told = `suitecase itself failed here (${message}). Please report it with the lines below.`
    const prepared = await job.prepared?.catch(() => undefined)
    await this.#fail(job, { path, id, error: { name, message: told, stack } }, prepared?.file)
  }

  /** Waits for a suite that runs in its own file, and runs any other on behalf of the reader. */
  #obtain: ObtainExports = async (reader, nodeId, signal) => {
    const linked = await reader.links.plans
      .get(nodeId)?.()
      .catch((error: BrokenSuite) => error)
    if (!linked || linked instanceof Error) return this.#describeBroken(reader, nodeId, linked)
    const job = this.#jobs.get(linked.path)
    // If each suite has its own application, values from another one's application are useless.
    const own = linked.links.app && reader.obtained
    if (job && !own && (await job.runsItself())) return job.exports.promise
    if (this.#parcels.dead.includes(linked.path))
      return { ...NOTHING, failure: 'its worker ended before the suite did' }
    const wanted = await this.#listWanted(linked)
    const obtained = own ?? this.#unreported
    const known = obtained.get(linked.path)
    const running = known ?? runExporter(reader, { nodeId, linked, wanted }, signal)
    obtained.set(linked.path, running)
    const exports = await running
    // Reported once: by its own tests, or to the first reader.
    const isTold = known ?? (job?.lacking && exports.missing.keys().every((name) => job.lacking?.has(name)))
    return isTold ? { ...exports, problems: [] } : exports
  }

  /** A suite that cannot be loaded is reported in its own file or, if that is not in the run, at the first suite that needs it. */
  #describeBroken(reader: SuiteSession, nodeId: string, error: BrokenSuite | undefined): SuiteExports {
    if (!error || this.#jobs.has(error.path) || this.#told.has(error.path)) return UNLOADED
    this.#told.add(error.path)
    return reportUnloaded(reader, nodeId, error)
  }

  /** The exports of a suite that the steps of this run read. Undefined for all. */
  async #listWanted(linked: LinkedPlan): Promise<string[] | undefined> {
    return (await (this.#wanted ??= this.#findWanted())).list(linked)
  }

  async #findWanted(): Promise<WantedExports> {
    const wanted = new WantedExports(this.#tools.options)
    for (const [path, job] of this.#jobs) {
      if (!(await job.isSelected())) continue
      const linked = await this.#parcels.link(path).catch(() => undefined)
      if (!linked) continue
      const steps = listSteps(linked.plan).filter((step) => job.selects(step))
      await wanted.follow(linked, steps)
    }
    return wanted
  }
}
