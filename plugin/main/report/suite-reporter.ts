import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Reporter, SerializedError, TestModule, TestSpecification, Vitest } from 'vitest/node'
import { escapeControlInLines } from '../../../src/escape-control.ts'
import { wait } from '../../../src/run/wait.ts'
import { createRedactor } from '../../../src/secrets/redactor.ts'
import { readTimestamp } from '../../../src/timestamp.ts'
import { handleSignals } from '../handle-signals.ts'
import { findReporter } from './find-reporter.ts'
import {
  describeUnloaded,
  describeUnreported,
  isSuiteFile,
  keyOf,
  readModule,
  releaseResults,
} from './read-module.ts'
import type { Session } from './finish-run.ts'
import { joinMessages } from './read-tests.ts'
import { readCheckout, type Checkout } from './read-run-facts.ts'
import { checkOptions, DEFAULT_OUTPUT, reportEntries, settings } from '../../contract/options.ts'
import type { ReporterOptions } from '../../contract/options.ts'
import { secretsOf } from '../secrets/run-secrets.ts'

export type { ReporterOptions } from '../../contract/options.ts'

/** How many of these reporters a Vitest has: one can be given by hand, under any name. */
const readers = new WeakMap<Vitest, number>()

/** Writes suite results as suites end, and performance report, page and terminal summary when the run ends. */
export default class SuitecaseReporter implements Reporter {
  readonly #options: ReporterOptions & { outputDir: string }
  #vitest: Vitest | undefined
  #session: Promise<Session> | undefined
  #specifications: readonly TestSpecification[] = []
  #startTime = readTimestamp()
  /** Asked while the worker starts, which need not wait for it. */
  #checkout: Promise<Checkout> | undefined
  #ended: Promise<void> | undefined
  /** Suites are recorded one after the other, and nobody waits for it before the run ends. */
  #recording: Promise<void> = Promise.resolve()
  #releaseSignals: () => void = () => {}
  /** Failures to write, kept until the end of the run. */
  #problems: string[] = []

  /** Throws a sentence that names every unknown or wrong option. */
  constructor(options: ReporterOptions = {}) {
    checkOptions(settings(reportEntries), options, { whose: 'the reporter' })
    this.#options = { ...options, outputDir: options.outputDir ?? DEFAULT_OUTPUT }
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    readers.set(vitest, (readers.get(vitest) ?? 0) + 1)
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#specifications = specifications
    this.#startTime = readTimestamp()
    this.#problems = []
    this.#releaseSignals()
    this.#ended = undefined
    const vitest = this.#vitest as Vitest
    this.#releaseSignals = handleSignals(vitest, () => this.onTestRunEnd(vitest.state.getTestModules(), []))
    this.#checkout = undefined
    if (!specifications.some(({ moduleId }) => isSuiteFile(moduleId))) return
    // The process and the modules it takes must not hold the worker back, which starts just then.
    this.#later(async () => {
      await wait(5)
      this.#checkout = readCheckout(this.#root)
      await this.#open()
    })
  }

  /** In watch mode a deleted suite leaves the reports with the next run. */
  async onTestRemoved(path?: string): Promise<void> {
    if (path !== undefined) (await this.#session)?.records.removeFile(path)
  }

  onTestModuleEnd(module: TestModule): void {
    this.#later(() => this.#record(module))
  }

  /** Writes what needs the whole run, once: an interrupted run can come here twice. */
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Promise<void> {
    this.#ended ??= this.#end(modules, unhandled)
    return this.#ended
  }

  async #end(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Promise<void> {
    await this.#recording
    await this.#guard(() => this.#recordRest(modules))
    const session = await this.#session?.catch(() => undefined)
    if (session && session.records.list().length > 0)
      await this.#guard(() => this.#finish(session, { modules, unhandled }))
    for (const problem of this.#problems) this.#fail(problem)
    this.#releaseSignals()
  }

  async #record(module: TestModule): Promise<void> {
    const runs = readModule(module, this.#root)
    if (runs.length === 0) return
    const { records, redactor } = await this.#open()
    for (const secret of this.#secrets) redactor.addSecret(secret)
    records.replace(keyOf(module), runs, this.#startTime)
    if (this.#isLastReader()) releaseResults(module)
  }

  /** Whether nobody needs the results of steps that this reporter has written: a blob holds them, and so may the files of another one. */
  #isLastReader(): boolean {
    const vitest = this.#vitest as Vitest
    return readers.get(vitest) === 1 && findReporter(vitest, 'blob') === undefined
  }

  /** Modules that never ended (a dead worker, an interrupt) and suite files that never started. */
  async #recordRest(modules: readonly TestModule[]): Promise<void> {
    for (const module of modules) {
      const state = module.state()
      if (state === 'pending' || state === 'queued' || !(await this.#session)?.records.has(keyOf(module)))
        await this.#record(module)
    }
    for (const specification of await listUnstarted(this.#vitest as Vitest, this.#specifications)) {
      const { records } = await this.#open()
      const key = keyOf(specification)
      const run = describeUnreported({ moduleId: specification.moduleId, root: this.#root })
      records.replace(key, [{ key: `${key}\0`, fileName: run.node_id, run }], this.#startTime)
    }
  }

  async #finish(
    session: Session,
    { modules, unhandled }: { modules: readonly TestModule[]; unhandled: readonly SerializedError[] },
  ): Promise<void> {
    const unloaded = modules.map(describeUnloaded).filter((error) => error !== undefined)
    const errors = [...unhandled.map((error) => joinMessages([error])), ...unloaded].map((error) =>
      session.redactor.redactText(error),
    )
    const { finishRun } = await import('./finish-run.ts')
    const problems = await finishRun(session, {
      options: this.#options,
      secrets: this.#secrets,
      startTime: Date.parse(this.#startTime),
      checkout: await (this.#checkout ?? readCheckout(this.#root)),
      errors: [...errors, ...this.#problems],
    })
    this.#problems.push(...problems)
  }

  #open(): Promise<Session> {
    this.#session ??= this.#start(this.#vitest as Vitest).catch((error: unknown) => {
      // Tried again with the next suite, or the next run of watch mode.
      this.#session = undefined
      throw error
    })
    return this.#session
  }

  async #start(vitest: Vitest): Promise<Session> {
    // Loaded while the first worker starts, not before.
    const [{ openManifest }, { SuiteRecords }] = await Promise.all([
      import('../../../src/report/files/manifest.ts'),
      import('./suite-records.ts'),
    ])
    const { outputDir, baseline } = this.#options
    const directory = resolve(this.#root, outputDir)
    const { rules } = secretsOf(vitest)
    const redactor = createRedactor({
      // Off only where no project wants it.
      enabled: rules.length === 0 || rules.some((rule) => rule !== false),
      names: rules.flatMap((rule) => rule || []),
    })
    // Before anything is removed: the baseline may be the report of the last run.
    const compared = baseline === undefined ? undefined : await this.#readBaseline(baseline, directory)
    const manifest = openManifest(directory)
    manifest.removeOthers(new Set())
    const records = new SuiteRecords({ directory, manifest, redactor })
    return { vitest, directory, redactor, records, manifest, baseline: compared }
  }

  /** The first run that is its own baseline has none; any other that cannot be read fails the run. */
  async #readBaseline(path: string, directory: string): Promise<Session['baseline']> {
    const file = resolve(this.#root, path)
    try {
      const { parseBaseline } = await import('../../../src/report/performance/compare-baseline.ts')
      return parseBaseline(await readFile(file, 'utf8'))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' && file === join(directory, 'performance.json'))
        this.#vitest?.logger.log(
          `suitecase: no baseline yet; the next run is compared with this one (${path}).`,
        )
      else
        this.#problems.push(
          `The baseline \`${path}\` could not be used: ${message}. Give the \`performance.json\` of an earlier run, or remove \`report.baseline\`.`,
        )
      return undefined
    }
  }

  #later(task: () => Promise<unknown>): void {
    this.#recording = this.#recording.then(() => this.#guard(task))
  }

  /** A report that cannot be written must fail the run, and must not end it. */
  async #guard(task: () => Promise<unknown>): Promise<void> {
    try {
      await task()
    } catch (error) {
      const { message: why } = error as Error
      const message = `The reports in \`${this.#options.outputDir}\` (option \`report.outputDir\`) could not be written: ${why}`
      if (!this.#problems.includes(message)) this.#problems.push(message)
    }
  }

  #fail(problem: string): void {
    process.exitCode = 1
    this.#vitest?.logger.error(`\nsuitecase: ${escapeControlInLines(problem)}`)
  }

  get #secrets(): ReadonlySet<string> {
    return secretsOf(this.#vitest as Vitest).values
  }

  get #root(): string {
    return (this.#vitest as Vitest).config.root
  }
}

/** Suite files of this run (or of this shard of it) that no worker ever got to. */
async function listUnstarted(
  vitest: Vitest,
  specifications: readonly TestSpecification[],
): Promise<TestSpecification[]> {
  const suites = specifications.filter((one) => isSuiteFile(one.moduleId) && !one.testModule)
  if (suites.length === 0 || !vitest.config.shard) return suites
  // Files of other shards have not started either; the sequencer tells which are ours, as the pool asked it to.
  const Sequencer = vitest.config.sequence.sequencer
  const ours = new Set(await new Sequencer(vitest).shard([...specifications]))
  return suites.filter((one) => ours.has(one))
}
