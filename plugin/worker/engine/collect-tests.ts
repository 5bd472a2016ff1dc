import { describe, TestRunner } from 'vitest'
import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite, TestFunction, WorkerGlobalState } from 'vitest'
import { collectTests } from 'vitest/internal/browser'
import type { Position } from '../../../src/source.ts'
import { listSteps, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import { listBlocks, type ListedBlock, type NamedTest } from '../../contract/name-tests.ts'
import { refuseFails } from '../session/task-errors.ts'

/** A test file of a run, with the filters that select its tests. */
export type FileSpecification = WorkerGlobalState['ctx']['files'][number]

/** A test, the step it runs and, if known before the run, the loop variables of its iteration. */
export type StepTask = Omit<NamedTest, 'name' | 'meta'> & { test: RunnerTestCase }

/** A describe block, with its row of `each`, if any. */
export type BlockTask = Omit<ListedBlock, 'name' | 'tests'> & { block: RunnerTestSuite; tests: StepTask[] }

/** The task of a suite file, with its blocks. */
export type Collected = { file: RunnerTestFile; blocks: BlockTask[] }

/** The task of a test file, as Vitest's own collection creates it. */
export function createFile(path: string, { config, ctx }: WorkerGlobalState): RunnerTestFile {
  const { mergeReportsLabel: label } = config
  const meta = label === undefined ? {} : { __vitest_label__: label }
  const file = TestRunner.createFileTask(path, config.root, ctx.projectName, ctx.pool, 'ssr', meta)
  return Object.assign(file, { mode: 'run', workerId: ctx.workerId, concurrencyId: 1 })
}

/** Vitest collects one file at a time. */
let collecting: Promise<unknown> = Promise.resolve()

/**
 * Lets Vitest create the tests of a suite, a describe block per row and a test per step or known iteration, and select
 * those that run. Any line of a step selects its tests. A line outside all steps fails the file.
 */
export async function collectSuite(
  plan: SuitePlan,
  specification: FileSpecification,
  state: WorkerGlobalState,
): Promise<Collected> {
  const { config, ctx, providedContext } = state
  const { filepath: path, testLocations: lines } = specification
  const listed = listBlocks(plan, providedContext['suitecase'])
  const steps = listSteps(plan)
  const firstOf = (line: number): number =>
    steps.find(({ lines: [first, last] }) => first <= line && line <= last)?.at[0] ?? line
  const blocks: BlockTask[] = []
  const runner = {
    config: { ...config, setupFiles: [], includeTaskLocation: false },
    pool: ctx.pool,
    viteEnvironment: 'ssr',
    onCollectStart: (file: RunnerTestFile) =>
      void Object.assign(file, { workerId: ctx.workerId, concurrencyId: 1 }),
    importFile() {
      for (const { name, tests, ...row } of listed)
        // oxlint-disable-next-line vitest/valid-title -- the name of the suite and the row
        describe(name, { tags: plan.tags }, () => {
          const block = TestRunner.getCurrentSuite().suite as RunnerTestSuite
          block.location = locate(plan)
          const added = tests.map((each) => addTest(TestRunner, each, { tags: each.step.tags, handler() {} }))
          blocks.push({ block, tests: added, ...row })
        })
    },
  }
  const collected = collecting.then(() =>
    collectTests([{ ...specification, testLocations: lines?.map(firstOf) }], runner),
  )
  collecting = collected.catch(() => undefined)
  // Rejects for a filter that cannot be used, such as a tag that no configuration declares.
  const [file] = await collected.catch(({ message }: Error) => [fail(createFile(path, state), message)])
  for (const { test } of blocks.flatMap(({ tests }) => tests)) {
    // With `retry: 0`, Vitest's summary on GitHub would say of a step's own retries: “2 out of 0”.
    if (!test.retry) delete test.retry
    if (test.result) fail(test, refusedOnly)
    else if (test.fails && test.mode === 'run') fail(test, refuseFails(test))
  }
  return { file: file as RunnerTestFile, blocks: file?.tasks.length === 0 ? [] : blocks }
}

/** Adds the test of a step to the block that is being collected, by the runner of the Vitest that collects it. */
export function addTest(
  runner: typeof TestRunner,
  { name, step, loop, meta }: NamedTest,
  own: { tags: string[]; handler: TestFunction },
): StepTask {
  const { only, todo } = step
  const flags = { ...(only && { only }), ...(todo && { todo }) }
  const test = runner.getCurrentSuite().task(name, { meta, timeout: 0, ...flags, ...own })
  // Tells Vitest where the test is, for `file:line` and editors.
  test.location = locate(step)
  return { test, step, loop }
}

function locate({ at: [line, column] }: { at: Position }): { line: number; column: number } {
  return { line, column }
}

const refusedOnly = 'Unexpected `only: true`. Remove it, or pass --allowOnly to run only this step.'

function fail<Task extends RunnerTestCase | RunnerTestFile>(task: Task, message: string): Task {
  const stack = `Error: ${message}`
  task.result = { state: 'fail', errors: [{ name: 'Error', message, stack }] }
  return task
}
