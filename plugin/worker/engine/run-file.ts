import type { RunnerTask, RunnerTestCase, RunnerTestFile, RunnerTestSuite, SerializedConfig } from 'vitest'
import { readMessage } from '../../../src/errors.ts'
import { wait } from '../../../src/run/wait.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'
import type { Pulse } from '../../contract/pulse.ts'
import type { LinkedPlan } from '../session/session-interface.ts'
import { listSelected } from '../session/prerequisites.ts'
import { SuiteBlock, type BlockInput } from '../session/suite-block.ts'
import { describeExports, joinExports } from '../session/suite-exports.ts'
import type { SuiteExports } from '../../contract/suite-exports.ts'
import { describeFailures, describeProblems, toError, type TaskError } from './describe-errors.ts'
import type { Snapshots } from './snapshots.ts'
import type { BlockTask, StepTask } from './task-tree.ts'
import type { TaskUpdates } from './task-updates.ts'

/** A test file with its tests, ready to run, and what it needs from the run. */
export type FileRun = Required<Pick<BlockInput, 'options' | 'obtain' | 'listWanted'>> & {
  file: RunnerTestFile
  /** Place of the file in the run. */
  order: number
  linked: LinkedPlan
  blocks: BlockTask[]
  /** Opens the snapshots of the file, if it has any. */
  openSnapshots?: () => Promise<Snapshots>
  config: SerializedConfig
  updates: TaskUpdates
  pulse: Pulse
  /** Aborted when the run is stopped, with the reason. */
  stop: AbortSignal
  /** Told of each failed test: it may end the run (`--bail`). */
  onFailure: () => Promise<void>
  /** Done before the file ends, such as closing an application that no other suite uses; rejects with what went wrong. */
  onEnd: () => Promise<void>
  /** Calls something with all that it prints attributed to a test. */
  attribute: <Value>(task: RunnerTask, run: () => Promise<Value>) => Promise<Value>
  /** Prints something on behalf of a test. */
  print: (task: RunnerTask, text: string) => void
}

type OpenRun = FileRun & { snapshots: Snapshots | undefined }

/** Runs the selected tests of a file and reports them as Vitest's own runner does. Gives what the suite hands on. */
export async function runFile(run: FileRun): Promise<SuiteExports> {
  const { file, blocks, updates } = run
  const started = start(file, updates)
  const errors: TaskError[] = []
  const note = (error: unknown): void => {
    errors.push(...describeProblems([{ message: readMessage(error), at: [1, 1] }], file.filepath))
  }
  // Where they cannot be read, the file has failed by that, and its steps compare none.
  const snapshots = (await run.openSnapshots?.().catch(note)) ?? undefined
  const exports: Pick<SuiteExports, 'values' | 'missing'>[] = []
  let first = 0
  // Of a file that is skipped as a whole, Vitest reports the tests by itself.
  for (const block of file.mode === 'skip' ? [] : blocks) {
    const given = await runBlock(block, { ...run, snapshots }, first)
    first += block.tests.length
    if (given) exports.push(given)
  }
  await run.onEnd().catch(note)
  await snapshots?.close().then((obsolete) => errors.push(...obsolete), note)
  if (errors.length > 0) addErrors(file, errors, updates)
  end(file, started, run)
  return joinExports(exports)
}

/** Reports that a file or block starts, and tells when it did. */
function start(task: RunnerTestFile | RunnerTestSuite, updates: TaskUpdates): number {
  task.result = {
    ...task.result,
    // A file without a test on the line that was asked for has failed although all of it is skipped.
    state: task.result?.state ?? (task.mode === 'skip' ? 'skip' : 'run'),
    startTime: Date.now(),
  }
  updates.add(task, 'suite-prepare')
  return performance.now()
}

function end(task: RunnerTestFile | RunnerTestSuite, started: number, { updates, config }: FileRun): void {
  const { result } = task
  if (result && task.mode !== 'skip') {
    const hasFailed = task.tasks.some((child) => child.result?.state === 'fail')
    result.state = hasFailed || (result.errors?.length ?? 0) > 0 ? 'fail' : 'pass'
    result.duration = performance.now() - started
    if (config.logHeapUsage) result.heap = process.memoryUsage().heapUsed
  }
  updates.add(task, 'suite-finished')
}

function addErrors(task: RunnerTask, errors: readonly TaskError[], updates: TaskUpdates): void {
  updates.showLines(task.file.filepath)
  task.result = { ...task.result, state: 'fail', errors: [...(task.result?.errors ?? []), ...errors] }
}

async function runBlock(
  { block, tests, row, index }: BlockTask,
  run: OpenRun,
  first: number,
): Promise<Pick<SuiteExports, 'values' | 'missing'> | undefined> {
  const { updates, linked, options, obtain, listWanted } = run
  const { filepath } = run.file
  const started = start(block, updates)
  if (block.mode === 'skip') {
    end(block, started, run)
    return undefined
  }
  const suite = new SuiteBlock({
    ...linked,
    options,
    obtain,
    listWanted,
    ...(row && { row, index }),
  })
  // Known from now on, whatever happens to this thread.
  block.meta.suitecase = suite.describe()
  const selected = listSelected(tests)
  let flushed = started
  for (const [at, task] of tests.entries()) {
    await runTest(task, { run, suite, selected, at, place: first + at })
    // All results so far go each time: more and more seldom, so that the cost grows no faster than the suite.
    if (performance.now() - flushed > Math.max(FLUSH, (flushed - started) / 4)) {
      flushed = performance.now()
      block.meta.suitecase = suite.describe()
      updates.refresh(block)
    }
  }
  const { meta, problems, session } = await run.attribute(block, () => suite.finish(filepath, tests))
  block.meta.suitecase = meta
  if (problems.length > 0) addErrors(block, describeProblems(problems, filepath), updates)
  end(block, started, run)
  return session && describeExports(session)
}

/** ms after which the results of a long suite first go to the main process although it has not ended. */
const FLUSH = 2000

type TestRun = {
  run: OpenRun
  suite: SuiteBlock
  selected: readonly StepPlan[]
  /** Place of the test in its block, and in its file. */
  at: number
  place: number
}

async function runTest(task: StepTask, testRun: TestRun): Promise<void> {
  const { test } = task
  const { updates, config, stop, pulse, order, onFailure } = testRun.run
  // The teardown runs whatever happened, as part of the block.
  if (stop.aborted && test.mode === 'run') {
    const { message: why } = stop.reason as Error
    const message =
      task.step.phase === 'teardown'
        ? `${why}; what was started is torn down all the same, see the report`
        : why
    test.mode = 'skip'
    test.result = { state: 'skip', note: message } as RunnerTestCase['result'] & object
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
  const leave = pulse.enter(order, testRun.place)
  try {
    let hasFailed = false
    for (let repeat = 0; repeat <= (test.repeats ?? 0); repeat++) {
      test.result.repeatCount = repeat
      if (await repeatUntilPassed(task, testRun)) break
      hasFailed ||= test.result.state === 'fail'
      if (stop.aborted) break
    }
    if (hasFailed) test.result.state = 'fail'
  } finally {
    leave()
  }
  const { result } = test
  // With the time for which it waited for others a skipped test would be shown as a slow one that passed.
  result.duration = result.state === 'skip' ? 0 : performance.now() - started
  if (config.logHeapUsage) result.heap = process.memoryUsage().heapUsed
  updates.add(test, 'test-finished')
  if (result.state === 'fail') await onFailure()
}

/** Runs a test, and again as `retry` says while it fails; true when it was skipped, so that nothing more is to be run. */
async function repeatUntilPassed(task: StepTask, testRun: TestRun): Promise<boolean> {
  const { test } = task
  const { updates, stop } = testRun.run
  const { count, delay, condition } = readRetry(test.retry)
  const result = test.result as NonNullable<RunnerTestCase['result']>
  for (let retry = 0; retry <= count; retry++) {
    const attempt = { start: performance.now(), startTime: Date.now() }
    result.state = 'run'
    const { errors, skipped } = await runOnce(task, testRun)
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
    if (state === 'pass' || stop.aborted) return false
    if (retry < count) {
      if (condition && !errors.some(({ message }) => condition.test(message))) return false
      if (delay > 0) await wait(delay, stop)
      if (stop.aborted) return false
      result.retryCount = (result.retryCount ?? 0) + 1
      updates.add(test, 'test-retried')
    }
  }
  return false
}

type Retry = { count: number; delay: number; condition?: RegExp }

function readRetry(retry: RunnerTestCase['retry']): Retry {
  if (typeof retry !== 'object') return { count: retry ?? 0, delay: 0 }
  const { count = 0, delay = 0, condition } = retry
  return { count, delay, ...(condition instanceof RegExp && { condition }) }
}

async function runOnce(
  { test, step, loop }: StepTask,
  { run, suite, selected, at }: TestRun,
): Promise<{ errors: TaskError[]; skipped?: string | undefined }> {
  const { config, stop, attribute, updates } = run
  const { filepath } = run.file
  const compareSnapshot = run.snapshots?.start(test, suite.redactor)
  try {
    const report = await attribute(test, () =>
      suite.run(step, {
        test: at,
        selected,
        signal: stop,
        loop,
        compareSnapshot,
      }),
    )
    if (report.debug !== '') run.print(test, report.debug)
    if (report.failures.length > 0) updates.showLines(filepath)
    const errors = await describeFailures(report.failures, filepath, config)
    return { errors, skipped: report.skipped }
  } catch (error) {
    return { errors: [await toError(error, config)] }
  }
}
