import type { Reporter, SerializedError, TestModule, TestSpecification, Vitest } from 'vitest/node'
import { wait } from '../../../src/run/wait.ts'
import { readTimestamp } from '../../../src/timestamp.ts'
import { checkOptions, DEFAULT_OUTPUT, reportEntries, settings } from '../../contract/options.ts'
import type { ReporterOptions } from '../../contract/options.ts'
import { handleSignals } from '../handle-signals.ts'
import { failRun } from './fail-run.ts'
import { readCheckout, type Checkout } from './read-run-facts.ts'
import { usesReporter } from './uses-reporter.ts'
import {
  describeUnloaded,
  isSuiteFile,
  joinMessages,
  keyOf,
  listMetas,
  readModule,
  readUnstarted,
} from './read-test-module.ts'
import type { RunReports } from './run-reports.ts'

export type { ReporterOptions } from '../../contract/options.ts'

/** How many of our reporters a list has: users may configure some, too. A restart has a new list. */
const readers = new WeakMap<object, number>()

type Run = {
  specifications: readonly TestSpecification[]
  /** UTC, ISO 8601. */
  start: string
  /** Read while the worker starts, so that neither waits for the other. */
  checkout?: Promise<Checkout>
  problems: string[]
}

/** Writes the result of each suite when it ends, and the performance report, page and terminal summary when the run ends. */
export default class SuitecaseReporter implements Reporter {
  readonly #options: ReporterOptions & { outputDir: string }
  #vitest!: Vitest
  #reports: Promise<RunReports> | undefined
  #run: Run = { specifications: [], start: readTimestamp(), problems: [] }
  /** Modules that are in the reports. Each run has its own module objects. */
  readonly #recorded = new WeakSet<TestModule>()
  /** Suites and the ends of runs are recorded one after the other. Nothing waits for this before the run ends. */
  #recording: Promise<unknown> = Promise.resolve()
  #releaseSignals: () => void = () => {}
  /** Set when a run that does not stop is forced to end. */
  #stuck: Promise<void> | undefined

  /** Throws an error that names every unknown or wrong option. */
  constructor(options: ReporterOptions = {}) {
    checkOptions(settings(reportEntries), options, { whose: 'the reporter' })
    this.#options = { ...options, outputDir: options.outputDir ?? DEFAULT_OUTPUT }
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    const { reporters } = vitest.config
    readers.set(reporters, (readers.get(reporters) ?? 0) + 1)
  }

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    const vitest = this.#vitest
    // Vitest announces a run that was started during another one, as in its UI, before that one has ended.
    await vitest.waitForTestRunEnd()
    this.#run = { specifications, start: readTimestamp(), problems: [] }
    this.#releaseSignals()
    const finish = () => (this.#stuck = this.#end(vitest.state.getTestModules(), []))
    this.#releaseSignals = handleSignals(vitest, finish)
    this.#later(async () => (await this.#reports)?.forgetDeleted())
    if (!specifications.some(({ moduleId }) => isSuiteFile(moduleId))) return
    // Starting git and loading modules must not slow down the worker, which starts at this moment.
    this.#later(async () => {
      await wait(5)
      this.#run.checkout = readCheckout(vitest.config.root)
      await this.#open()
    })
  }

  onTestModuleEnd(module: TestModule): void {
    // The reports are written already, and a module that ends later would contradict them.
    if (this.#stuck) return
    this.#later(() => this.#record(module))
  }

  /** Writes what needs the whole run, once: a run that was forced to end may still finish. */
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Promise<void> {
    return this.#stuck ?? this.#end(modules, unhandled)
  }

  /** Ends runs one by one: Vitest starts all waiting ones at once, and each removes files unknown to it. */
  #end(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Promise<void> {
    const ended = this.#recording.then(() => this.#finish(modules, unhandled))
    this.#recording = ended.catch(() => undefined)
    return ended
  }

  async #finish(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Promise<void> {
    const unloaded = modules.map(describeUnloaded).filter((error) => error !== undefined)
    await this.#guard(async () => {
      await this.#recordRest(modules)
      if (unloaded.length > 0) await this.#open()
    })
    const reports = await this.#reports?.catch(() => undefined)
    const { start, checkout, problems } = this.#run
    const finish = async (): Promise<void> => {
      const thrown = unhandled.map((error) => joinMessages([error, error.cause ?? []].flat()))
      const errors = [...thrown, ...unloaded, ...problems]
      const facts = await (checkout ?? readCheckout(this.#vitest.config.root))
      problems.push(...((await reports?.finish({ start, checkout: facts, errors })) ?? []))
    }
    // After an error once more: the other reports then say that one could not be written.
    if (reports && !(await this.#guard(finish))) await this.#guard(finish)
    for (const problem of problems) failRun(this.#vitest, problem)
    this.#releaseSignals()
  }

  async #record(module: TestModule): Promise<void> {
    const runs = readModule(module, this.#vitest.config.root)
    // A file that no longer has suites may still be in the reports.
    if (runs.length === 0 && !(await this.#reports)?.has(keyOf(module))) return
    const reports = await this.#open()
    reports.write(keyOf(module), runs, this.#run.start)
    this.#recorded.add(module)
    // Others may still need the results of steps: a blob, or another of our reporters.
    const isLast = readers.get(this.#vitest.config.reporters) === 1 && !usesReporter(this.#vitest, 'blob')
    // The results of steps take most of a run's memory. Figures and warnings stay.
    const metas = isLast ? listMetas(module) : []
    for (const { steps = [] } of metas) for (const record of steps.flat()) record.text = ''
  }

  /** Records modules that never ended (a dead worker, an interrupt) and suite files that never started. */
  async #recordRest(modules: readonly TestModule[]): Promise<void> {
    for (const module of modules) if (!this.#recorded.has(module)) await this.#record(module)
    const { specifications, start } = this.#run
    const { root, shard, sequence } = this.#vitest.config
    // Files of other shards have not started either. The sequencer tells which are ours, just as it told the pool.
    const ours = shard
      ? await new sequence.sequencer(this.#vitest).shard([...specifications])
      : specifications
    for (const one of ours.filter(({ moduleId, testModule }) => isSuiteFile(moduleId) && !testModule)) {
      const reports = await this.#open()
      reports.write(keyOf(one), [readUnstarted(one, root)], start)
    }
  }

  #open(): Promise<RunReports> {
    // Loaded while the first worker starts, not before.
    this.#reports ??= import('./run-reports.ts').then(
      ({ RunReports }) => new RunReports(this.#vitest, this.#options, this.#run.problems),
    )
    // The next suite, or the next run of watch mode, tries again.
    this.#reports.catch(() => (this.#reports = undefined))
    return this.#reports
  }

  #later(task: () => Promise<unknown>): void {
    this.#recording = this.#recording.then(() => this.#guard(task))
  }

  /** Runs a task that writes reports. An error must fail the run, not end it. Resolves to false after one. */
  async #guard(task: () => Promise<unknown>): Promise<boolean> {
    const { problems } = this.#run
    try {
      await task()
      return true
    } catch (error) {
      const { message: why } = error as Error
      const what = `The reports in \`${this.#options.outputDir}\` (option \`report.outputDir\`) could not be written: `
      if (!problems.some((problem) => problem.startsWith(what))) problems.push(what + why)
      return false
    }
  }
}
