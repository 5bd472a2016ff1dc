import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite, SerializedConfig } from 'vitest'
import { readMessage } from '../../../src/errors.ts'
import { wait } from '../../../src/run/wait.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'
import type { SuiteExports } from '../exports/export-types.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import type { LinkedPlan } from '../session/links.ts'
import { listSelected } from '../session/prerequisites.ts'
import type { ObtainExports } from '../session/session.ts'
import { SuiteBlock } from '../session/suite-block.ts'
import { describeExports, joinExports } from '../exports/suite-exports.ts'
import { describeFailures, describeProblems, toError, type TaskError } from './describe-errors.ts'
import { openSnapshots, type Snapshots } from './snapshots.ts'
import type { BlockTask, StepTask } from './task-tree.ts'
import type { TaskUpdates } from './task-updates.ts'
import { readNow, type VitestRuntime } from './vitest-runtime.ts'

/** What all files of a run share. */
export type RunTools = {
  config: SerializedConfig
  options: WorkerOptions
  runtime: VitestRuntime
  updates: TaskUpdates
  /** Aborted when the run is stopped, with the reason. */
  stop: AbortSignal
  /** Gets what another suite provides. */
  obtain: ObtainExports
  /** Called after each failed test. It may end the run (`--bail`). */
  onFailure: () => Promise<void>
}

/** A test file with its tests, ready to run. */
export type FileInput = {
  file: RunnerTestFile
  linked: LinkedPlan
  blocks: readonly BlockTask[]
  hasSnapshots: boolean
  /** Called after its tests. Resolves to the exports that other suites want, undefined for all. */
  listWanted: () => Promise<readonly string[] | undefined>
  /** Called before the file ends, for example to close an application that no other suite uses. Rejects with what went wrong. */
  onEnd: () => Promise<void>
}

/** A running test of a block. `at` is its index in the block. */
type RunningTest = StepTask & { suite: SuiteBlock; selected: readonly StepPlan[]; at: number }

type TaskResult = NonNullable<RunnerTestCase['result']>

/** Runs a test file and reports its selected tests as Vitest's own runner does. */
export class FileRun {
  #input: FileInput
  #tools: RunTools
  #snapshots: Snapshots | undefined

  constructor(input: FileInput, tools: RunTools) {
    this.#input = input
    this.#tools = tools
  }

  /** Runs the file once. Resolves to what the suite provides. */
  async run(): Promise<SuiteExports> {
    const { file, blocks, hasSnapshots, onEnd } = this.#input
    const { config, runtime } = this.#tools
    const started = this.#start(file)
    const errors: TaskError[] = []
    const note = (error: unknown): void => {
      errors.push(...describeProblems([{ message: readMessage(error), at: [1, 1] }], file.filepath))
    }
    // If they cannot be read, that fails the file, and its steps compare no snapshots.
    if (hasSnapshots)
      this.#snapshots = (await openSnapshots(file, config, () => runtime.open()).catch(note)) ?? undefined
    const given: SuiteExports[] = []
    // Vitest itself reports the tests of a file that is skipped as a whole.
    for (const block of file.mode === 'skip' ? [] : blocks) given.push(...(await this.#runBlock(block)))
    await runtime.attribute(file, onEnd).catch(note)
    await this.#snapshots?.close().then((obsolete) => errors.push(...obsolete), note)
    this.#end(file, started, errors)
    return joinExports(given)
  }

  /** Reports that a file or block starts. Returns the time when it did. */
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
    if (this.#tools.config.logHeapUsage) result.heap = process.memoryUsage().heapUsed
  }

  async #runBlock({ block, tests, row, index }: BlockTask): Promise<SuiteExports[]> {
    const { file, linked, listWanted } = this.#input
    const { options, obtain, runtime } = this.#tools
    const started = this.#start(block)
    if (block.mode === 'skip') {
      this.#end(block, started)
      return []
    }
    const { name } = block
    const print = (text: string): void => runtime.print(text)
    const input = { ...linked, name, options, obtain, print, listWanted, ...(row && { row, index }) }
    const suite = new SuiteBlock(input)
    // Set now, so that it is known whatever happens to this thread.
    block.meta.suitecase = suite.describe()
    const selected = listSelected(tests)
    for (const [at, task] of tests.entries()) await this.#runTest({ ...task, suite, selected, at })
    const { meta, problems, session } = await runtime.attribute(block, () =>
      suite.finish(file.filepath, tests),
    )
    block.meta.suitecase = meta
    this.#end(block, started, describeProblems(problems, file.filepath))
    return session ? [describeExports(session)] : []
  }

  async #runTest(running: RunningTest): Promise<void> {
    const { test, step } = running
    const { updates, stop, onFailure } = this.#tools
    if (stop.aborted && test.mode === 'run') skipStopped(test, step, stop)
    if (test.mode !== 'run' || test.result?.state === 'fail') {
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

  /** Runs a test once. Sets the state and note of its result. */
  async #runOnce(running: RunningTest, result: TaskResult): Promise<TaskError[]> {
    const { test, step, loop, suite, selected, at } = running
    const { config, stop: signal, runtime } = this.#tools
    const compareSnapshot = this.#snapshots?.start(test, suite.redactor)
    result.state = 'run'
    try {
      const { failures, skipped } = await runtime.attribute(test, () =>
        suite.run(step, { test: at, selected, signal, loop, compareSnapshot }),
      )
      result.state = failures.length > 0 ? 'fail' : 'pass'
      if (skipped !== undefined) {
        test.mode = 'skip'
        Object.assign(result, { state: 'skip', note: skipped, pending: true })
      }
      return await describeFailures(failures, this.#input.file.filepath, config)
    } catch (error) {
      result.state = 'fail'
      return [await toError(error, config)]
    }
  }
}

/** Skips a test that had not started when the run was stopped. The teardown still runs, as part of the block. */
function skipStopped(test: RunnerTestCase, step: StepPlan, stop: AbortSignal): void {
  const { message: why } = stop.reason as Error
  const isTornDown = step.phase === 'teardown'
  const note = isTornDown ? `${why}; what was started is torn down all the same, see the report` : why
  test.mode = 'skip'
  test.result = { state: 'skip', note } as TaskResult
}
