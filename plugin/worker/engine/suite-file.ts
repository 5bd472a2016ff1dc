import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite, WorkerGlobalState } from 'vitest'
import { readMessage } from '../../../src/errors.ts'
import { wait } from '../../../src/run/wait.ts'
import { listSteps } from '../../../src/suite/plan/plan.ts'
import type { BrokenParcel, SuiteUse } from '../../contract/parcel.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { describeExports, NOTHING, UNLOADED } from '../exports/exporters.ts'
import type { Chosen, ListWanted, SuiteExports } from '../exports/foreign-exports.ts'
import type { LinkedPlan } from '../session/links.ts'
import { listSelected } from '../session/prerequisites.ts'
import type { ObtainExports } from '../session/session.ts'
import { SuiteBlock } from '../session/suite-block.ts'
import { describeProblems, toError, type TaskError } from '../session/task-errors.ts'
import type { Parcels } from './parcels.ts'
import { collectSuite, createFile } from './collect-tests.ts'
import type { BlockTask, Collected, FileSpecification, StepTask } from './collect-tests.ts'
import { openSnapshots, type Snapshots } from './snapshots.ts'
import type { TaskUpdates } from './task-updates.ts'
import { readNow, type VitestRuntime } from './vitest-runtime.ts'

/** What all files of a run share. */
export type RunTools = {
  state: WorkerGlobalState
  options: WorkerOptions
  parcels: Parcels
  runtime: VitestRuntime
  updates: TaskUpdates
  /** Aborted when the run is stopped, with the reason. */
  stop: AbortSignal
  obtain: ObtainExports
  listWanted: ListWanted
  /** Called after each failed test. It may end the run (`--bail`). */
  onFailure: () => Promise<void>
}

/** A running test of a block. `at` is its index in the block. */
type RunningTest = StepTask & { suite: SuiteBlock; at: number }

type TaskResult = NonNullable<RunnerTestCase['result']>

/** A suite file of the run. Runs its selected tests and reports them as Vitest's own runner does. */
export class SuiteFile {
  readonly order: number
  readonly specification: FileSpecification
  /** What it provides to other suites, resolved when it has ended. */
  readonly exports = Promise.withResolvers<SuiteExports>()
  /** The exports that it lacks, if one of its tests has failed. */
  lacking: SuiteExports['missing'] | undefined
  readonly #tools: RunTools
  #prepared: Promise<Collected> | undefined
  /** Pointers of its selected steps. */
  #selected: ReadonlySet<string> = new Set()
  /** Whether a filter leaves out its last row, whose exports count. Undefined until its tests are known. */
  #lacksLastRow: boolean | undefined
  #snapshots: Snapshots | undefined

  constructor(specification: FileSpecification, order: number, tools: RunTools) {
    this.specification = specification
    this.order = order
    this.#tools = tools
  }

  /** Creates its tests, once: when it runs, or when another suite needs them. */
  prepare(): Promise<Collected> {
    return (this.#prepared ??= this.#prepare())
  }

  async #prepare(): Promise<Collected> {
    const { parcels, state } = this.#tools
    const { plan } = await parcels.link(this.specification.filepath)
    const prepared = await collectSuite(plan, this.specification, state)
    const selected = listSelected(prepared.blocks.flatMap(({ tests }) => tests))
    this.#selected = new Set(selected.map(({ pointer }) => pointer))
    this.#lacksLastRow = prepared.blocks.at(-1)?.block.mode === 'skip'
    return prepared
  }

  /** Whether its own run provides its exports. True if its tests cannot be created, which is reported when it runs. */
  async providesExports(): Promise<boolean> {
    if (this.#lacksLastRow === undefined) await this.prepare().catch(() => undefined)
    return this.#lacksLastRow !== true
  }

  async listChosen(): Promise<Chosen> {
    if (this.#lacksLastRow === undefined) await this.prepare()
    const linked = await this.#tools.parcels.link(this.specification.filepath)
    return { linked, steps: listSteps(linked.plan).filter(({ pointer }) => this.#selected.has(pointer)) }
  }

  async report(file: RunnerTestFile): Promise<void> {
    const { rpc } = this.#tools.state
    // Vitest shows lines and annotations only for known modules. Later, this thread may be dead.
    void rpc.ensureModuleGraphEntry(file.filepath, 'suitecase')
    // Without its tests, which follow at once and would be copied twice.
    const queued: RunnerTestFile = { ...file, tasks: [] }
    await rpc.onQueued(Object.assign(queued, { file: queued }))
    void rpc.onCollected([file])
  }

  async fail({ path, error, at }: BrokenParcel): Promise<void> {
    const { state, updates } = this.#tools
    const prepared = await this.#prepared?.catch(() => undefined)
    const file = prepared?.file ?? createFile(path, state)
    // For annotations. The lines of the file are already in the message.
    const place = at && { stacks: [{ file: path, line: at[0], column: at[1], method: '' }], frame: ' ' }
    file.result = { ...file.result, state: 'fail', errors: [{ ...error, ...place }] }
    this.exports.resolve(UNLOADED)
    await this.report(file)
    updates.add(file, 'suite-failed-early')
  }

  /** Runs its tests. `onEnd` is called before the file ends. If it rejects, the file fails. */
  async run({ snapshots }: Pick<SuiteUse, 'snapshots'>, onEnd: () => Promise<void>): Promise<void> {
    const { state, runtime, parcels } = this.#tools
    const { file, blocks } = await this.prepare()
    await this.report(file)
    const linked = await parcels.link(file.filepath)
    const started = this.#start(file)
    const errors: TaskError[] = []
    const note = (error: unknown): void => {
      errors.push(...describeProblems([{ message: readMessage(error), at: [1, 1] }], file.filepath))
    }
    // If they cannot be read, that fails the file, and its steps compare no snapshots.
    const opening = snapshots ? runtime.open().then(() => openSnapshots(file, state.config)) : undefined
    this.#snapshots = (await opening?.catch(note)) ?? undefined
    let exports = NOTHING
    // Vitest itself reports the tests of a file that is skipped as a whole.
    for (const block of file.mode === 'skip' ? [] : blocks)
      exports = (await this.#runBlock(linked, block)) ?? exports
    await runtime.attribute(file, onEnd).catch(note)
    await this.#snapshots?.close().then((obsolete) => errors.push(...obsolete), note)
    this.#end(file, started, errors)
    if (file.result?.state === 'fail') this.lacking = exports.missing
    this.exports.resolve(exports)
    this.#prepared = undefined
    parcels.forget(file.filepath)
  }

  #start(task: RunnerTestFile | RunnerTestSuite): number {
    // A file without a test on a requested line has already failed, although all of it is skipped.
    const state = task.result?.state ?? (task.mode === 'skip' ? 'skip' : 'run')
    task.result = { ...task.result, state, startTime: readNow() }
    this.#tools.updates.add(task, 'suite-prepare')
    return performance.now()
  }

  #end(task: RunnerTestFile | RunnerTestSuite, started: number, errors: readonly TaskError[] = []): void {
    const result = task.result as TaskResult
    if (errors.length > 0) {
      result.state = 'fail'
      result.errors = [...(result.errors ?? []), ...errors]
    }
    if (task.mode !== 'skip') {
      const hasFailed = task.tasks.some((child) => child.result?.state === 'fail')
      result.state = hasFailed || (result.errors?.length ?? 0) > 0 ? 'fail' : 'pass'
      this.#measure(result, started)
    }
    this.#tools.updates.add(task, 'suite-finished')
  }

  #measure(result: TaskResult, started: number): void {
    result.duration = performance.now() - started
    if (this.#tools.state.config.logHeapUsage) result.heap = process.memoryUsage().heapUsed
  }

  /** Runs the tests of a block. Resolves to the exports of its row, or undefined if none of its steps ran. */
  async #runBlock(
    linked: LinkedPlan,
    { block, tests, row, index }: BlockTask,
  ): Promise<SuiteExports | undefined> {
    const { state, options, obtain, runtime, listWanted, stop } = this.#tools
    const started = this.#start(block)
    if (block.mode === 'skip') {
      this.#end(block, started)
      return undefined
    }
    const isPartial = options.prerequisites !== 'none' && tests.some(({ test }) => test.mode === 'skip')
    const suite = new SuiteBlock({
      ...linked,
      name: block.name,
      options,
      config: state.config,
      obtain,
      print: (text) => runtime.print(text),
      tests,
      wanted: isPartial ? await listWanted(linked) : [],
      ...(row && { row, index }),
    })
    // Set now, so that the main process has it, whatever happens to this thread.
    block.meta.suitecase = suite.describe()
    let ended: ReturnType<SuiteBlock['finish']> | undefined
    const end = () => (ended ??= runtime.attribute(block, () => suite.finish(linked.path)))
    for (const [at, task] of tests.entries()) {
      // After a stop, the teardown runs when its suite ends.
      if (stop.aborted && task.step.phase === 'teardown') await end()
      await this.#runTest({ ...task, suite, at })
    }
    const { meta, problems, session } = await end()
    block.meta.suitecase = meta
    this.#end(block, started, describeProblems(problems, linked.path))
    return session && describeExports(session)
  }

  async #runTest(running: RunningTest): Promise<void> {
    const { test } = running
    const { updates, stop, onFailure } = this.#tools
    const duration = test.mode === 'run' ? running.suite.timeLate(running) : undefined
    if (duration !== undefined) test.result = { state: 'pass', startTime: readNow(), duration }
    else if (stop.aborted && test.mode === 'run') {
      test.mode = 'skip'
      test.result = { state: 'skip', note: readMessage(stop.reason) } as TaskResult
    }
    if (duration !== undefined || test.mode !== 'run' || test.result?.state === 'fail') {
      updates.add(test, 'test-prepare')
      updates.add(test, 'test-finished')
      return
    }
    const started = performance.now()
    const result = { state: 'run', startTime: readNow(), retryCount: 0, attempts: [] } as TaskResult
    test.result = result
    updates.add(test, 'test-prepare')
    let hasFailed = false
    for (let repeat = 0; repeat <= (test.repeats ?? 0); repeat++) {
      result.repeatCount = repeat
      await this.#repeatUntilPassed(running, result)
      hasFailed ||= result.state === 'fail'
      if (stop.aborted || result.state === 'skip') break
    }
    if (hasFailed) result.state = 'fail'
    this.#measure(result, started)
    // With its waiting time as duration, a skipped test would be shown as a slow one that passed.
    if (result.state === 'skip') result.duration = 0
    updates.add(test, 'test-finished')
    if (result.state === 'fail') await onFailure()
  }

  /** Runs a test, and again while it fails, as often as `retry` says. */
  async #repeatUntilPassed(running: RunningTest, result: TaskResult): Promise<void> {
    const { retry: option } = running.test
    const { updates, stop } = this.#tools
    const { count = 0, delay = 0, condition } = typeof option === 'object' ? option : { count: option }
    for (let retry = 0; ; retry++) {
      const [startTime, started] = [readNow(), performance.now()]
      const errors = await this.#runOnce(running, result)
      const duration = performance.now() - started
      const { state, repeatCount: repeatIndex = 0 } = result
      const failed = errors.length > 0 && { errors }
      const attempt = { state, ...failed, duration, startTime, retryIndex: retry, repeatIndex }
      result.attempts?.push(attempt as never)
      if (failed) result.errors = [...(result.errors ?? []), ...errors]
      if (state !== 'fail' || stop.aborted || retry >= count) return
      if (condition instanceof RegExp && !errors.some(({ message }) => condition.test(message))) return
      if (delay > 0) await wait(delay, stop)
      if (stop.aborted) return
      result.retryCount = (result.retryCount ?? 0) + 1
      updates.add(running.test, 'test-retried')
    }
  }

  async #runOnce(running: RunningTest, result: TaskResult): Promise<TaskError[]> {
    const { test, step, loop, suite, at } = running
    const { state, stop: signal, runtime } = this.#tools
    const compareSnapshot = this.#snapshots?.start(test, suite.redactor)
    result.state = 'run'
    try {
      const { errors, skipped, retries } = await runtime.attribute(test, () =>
        suite.run(step, { test: at, signal, loop, compareSnapshot }),
      )
      // Vitest's reporters call such a test flaky.
      result.retryCount = (result.retryCount ?? 0) + retries
      result.state = errors.length > 0 ? 'fail' : 'pass'
      if (skipped !== undefined) {
        test.mode = 'skip'
        Object.assign(result, { state: 'skip', note: skipped, pending: true })
      }
      return errors
    } catch (error) {
      result.state = 'fail'
      return [toError(error, state.config)]
    }
  }
}
