import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite, SerializedConfig } from 'vitest'
import { readMessage } from '../../../src/errors.ts'
import { wait } from '../../../src/run/wait.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'
import type { SuiteExports } from '../../contract/suite-exports.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { listSelected } from '../session/prerequisites.ts'
import type { LinkedPlan } from '../session/links.ts'
import type { ObtainExports } from '../session/session.ts'
import { SuiteBlock } from '../session/suite-block.ts'
import { describeExports, joinExports } from '../session/suite-exports.ts'
import { describeFailures, describeProblems, toError, type TaskError } from './describe-errors.ts'
import { openSnapshots, type Snapshots } from './snapshots.ts'
import type { BlockTask, StepTask } from './task-tree.ts'
import type { TaskUpdates } from './task-updates.ts'
import type { VitestRuntime } from './vitest-runtime.ts'

/** What all files of a run share. */
export type RunTools = {
  config: SerializedConfig
  options: WorkerOptions
  runtime: VitestRuntime
  updates: TaskUpdates
  /** Aborted when the run is stopped, with the reason. */
  stop: AbortSignal
  /** Gets what another suite hands on. */
  obtain: ObtainExports
  /** Told of each failed test: it may end the run (`--bail`). */
  onFailure: () => Promise<void>
}

/** A test file with its tests, ready to run. */
export type FileInput = {
  file: RunnerTestFile
  linked: LinkedPlan
  blocks: readonly BlockTask[]
  hasSnapshots: boolean
  /** Asked when its tests have run: the exports that others want of it, undefined for all. */
  listWanted: () => Promise<readonly string[] | undefined>
  /** Done before the file ends, such as closing an application that no other suite uses; rejects with what went wrong. */
  onEnd: () => Promise<void>
}

/** A test of a block that is running. */
type RunningTest = StepTask & {
  suite: SuiteBlock
  selected: readonly StepPlan[]
  /** Place of the test in its block. */
  at: number
}

/** A test file that runs: its selected tests are reported as Vitest's own runner does. */
export class FileRun {
  #input: FileInput
  #tools: RunTools
  #snapshots: Snapshots | undefined

  constructor(input: FileInput, tools: RunTools) {
    this.#input = input
    this.#tools = tools
  }

  /** Runs the file once. Gives what the suite hands on. */
  async run(): Promise<SuiteExports> {
    const { file, blocks, hasSnapshots, onEnd } = this.#input
    const { config, runtime } = this.#tools
    const started = this.#start(file)
    const errors: TaskError[] = []
    const note = (error: unknown): void => {
      errors.push(...describeProblems([{ message: readMessage(error), at: [1, 1] }], file.filepath))
    }
    // Where they cannot be read, the file has failed by that, and its steps compare none.
    if (hasSnapshots)
      this.#snapshots = (await openSnapshots(file, config, () => runtime.open()).catch(note)) ?? undefined
    const given: SuiteExports[] = []
    // Of a file that is skipped as a whole, Vitest reports the tests by itself.
    for (const block of file.mode === 'skip' ? [] : blocks) {
      const own = await this.#runBlock(block)
      if (own) given.push(own)
    }
    await onEnd().catch(note)
    await this.#snapshots?.close().then((obsolete) => errors.push(...obsolete), note)
    this.#addErrors(file, errors)
    this.#end(file, started)
    return joinExports(given)
  }

  /** Reports that a file or block starts, and tells when it did. */
  #start(task: RunnerTestFile | RunnerTestSuite): number {
    task.result = {
      ...task.result,
      // A file without a test on the line that was asked for has failed although all of it is skipped.
      state: task.result?.state ?? (task.mode === 'skip' ? 'skip' : 'run'),
      startTime: Date.now(),
    }
    this.#tools.updates.add(task, 'suite-prepare')
    return performance.now()
  }

  #end(task: RunnerTestFile | RunnerTestSuite, started: number): void {
    const { result } = task
    if (result && task.mode !== 'skip') {
      const hasFailed = task.tasks.some((child) => child.result?.state === 'fail')
      result.state = hasFailed || (result.errors?.length ?? 0) > 0 ? 'fail' : 'pass'
      this.#measure(result, started)
    }
    this.#tools.updates.add(task, 'suite-finished')
  }

  #measure(result: NonNullable<RunnerTestCase['result']>, started: number): void {
    result.duration = performance.now() - started
    if (this.#tools.config.logHeapUsage) result.heap = process.memoryUsage().heapUsed
  }

  #addErrors(task: RunnerTestFile | RunnerTestSuite, errors: readonly TaskError[]): void {
    if (errors.length === 0) return
    this.#tools.updates.showLines(this.#input.file.filepath)
    task.result = { ...task.result, state: 'fail', errors: [...(task.result?.errors ?? []), ...errors] }
  }

  async #runBlock({ block, tests, row, index }: BlockTask): Promise<SuiteExports | undefined> {
    const { file, linked, listWanted } = this.#input
    const { options, obtain, runtime } = this.#tools
    const started = this.#start(block)
    if (block.mode === 'skip') {
      this.#end(block, started)
      return undefined
    }
    const suite = new SuiteBlock({ ...linked, options, obtain, listWanted, ...(row && { row, index }) })
    // Known from now on, whatever happens to this thread.
    block.meta.suitecase = suite.describe()
    const selected = listSelected(tests)
    for (const [at, task] of tests.entries()) await this.#runTest({ ...task, suite, selected, at })
    const { meta, problems, session } = await runtime.attribute(block, () =>
      suite.finish(file.filepath, tests),
    )
    block.meta.suitecase = meta
    this.#addErrors(block, describeProblems(problems, file.filepath))
    this.#end(block, started)
    return session && describeExports(session)
  }

  async #runTest(running: RunningTest): Promise<void> {
    const { test, step } = running
    const { updates, stop, onFailure } = this.#tools
    // The teardown runs whatever happened, as part of the block.
    if (stop.aborted && test.mode === 'run') {
      const { message: why } = stop.reason as Error
      const isTornDown = step.phase === 'teardown'
      const note = isTornDown ? `${why}; what was started is torn down all the same, see the report` : why
      test.mode = 'skip'
      test.result = { state: 'skip', note } as RunnerTestCase['result'] & object
      test.meta.suitecase = { kind: 'step' }
    }
    if (test.mode !== 'run' || test.result?.state === 'fail') {
      updates.add(test, 'test-prepare')
      updates.add(test, 'test-finished')
      return
    }
    const started = performance.now()
    test.result = { state: 'run', startTime: Date.now(), retryCount: 0, attempts: [] }
    updates.add(test, 'test-prepare')
    let hasFailed = false
    for (let repeat = 0; repeat <= (test.repeats ?? 0); repeat++) {
      test.result.repeatCount = repeat
      if (await this.#repeatUntilPassed(running)) break
      hasFailed ||= test.result.state === 'fail'
      if (stop.aborted) break
    }
    if (hasFailed) test.result.state = 'fail'
    const { result } = test
    this.#measure(result, started)
    // With the time for which it waited for others a skipped test would be shown as a slow one that passed.
    if (result.state === 'skip') result.duration = 0
    updates.add(test, 'test-finished')
    if (result.state === 'fail') await onFailure()
  }

  /** Runs a test, and again as `retry` says while it fails; true when it was skipped, so that nothing more is to be run. */
  async #repeatUntilPassed(running: RunningTest): Promise<boolean> {
    const { test } = running
    const { updates, stop } = this.#tools
    const {
      count = 0,
      delay = 0,
      condition,
    } = typeof test.retry === 'object' ? test.retry : { count: test.retry }
    const result = test.result as NonNullable<RunnerTestCase['result']>
    for (let retry = 0; retry <= count; retry++) {
      const attempt = { start: performance.now(), startTime: Date.now() }
      result.state = 'run'
      const { errors, skipped } = await this.#runOnce(running)
      const state = skipped !== undefined ? 'skip' : errors.length > 0 ? 'fail' : 'pass'
      result.attempts?.push({
        state,
        ...(errors.length > 0 && { errors }),
        duration: performance.now() - attempt.start,
        startTime: attempt.startTime,
        retryIndex: retry,
        repeatIndex: result.repeatCount ?? 0,
      } as never)
      result.state = state
      if (errors.length > 0) result.errors = [...(result.errors ?? []), ...errors]
      if (skipped !== undefined) {
        test.mode = 'skip'
        Object.assign(result, { note: skipped, pending: true })
        return true
      }
      if (state === 'pass' || stop.aborted || retry === count) return false
      if (condition instanceof RegExp && !errors.some(({ message }) => condition.test(message))) return false
      if (delay > 0) await wait(delay, stop)
      if (stop.aborted) return false
      result.retryCount = (result.retryCount ?? 0) + 1
      updates.add(test, 'test-retried')
    }
    return false
  }

  async #runOnce({ test, step, loop, suite, selected, at }: RunningTest): Promise<{
    errors: TaskError[]
    skipped?: string | undefined
  }> {
    const { config, stop, runtime, updates } = this.#tools
    const { filepath } = this.#input.file
    const compareSnapshot = this.#snapshots?.start(test, suite.redactor)
    try {
      const report = await runtime.attribute(test, () =>
        suite.run(step, { test: at, selected, signal: stop, loop, compareSnapshot }),
      )
      if (report.debug !== '') runtime.print(test, `${report.debug}\n`)
      if (report.failures.length > 0) updates.showLines(filepath)
      const errors = await describeFailures(report.failures, filepath, config)
      return { errors, skipped: report.skipped }
    } catch (error) {
      return { errors: [await toError(error, config)] }
    }
  }
}
