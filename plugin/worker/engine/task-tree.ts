import type {
  RunnerTask,
  RunnerTestCase,
  RunnerTestFile,
  RunnerTestSuite,
  SerializedConfig,
  WorkerGlobalState,
} from 'vitest'
import type { Position } from '../../../src/source.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import { listBlocks, type ListedBlock, type NamedTest, type NameOptions } from '../../contract/name-tests.ts'
import { relativePath } from '../../../src/resolve-path.ts'

/** A test, the step it runs and, if known before the run, the loop variables of its iteration. */
export type StepTask = Omit<NamedTest, 'name' | 'meta'> & { test: RunnerTestCase }

/** A describe block, with its row of `each`, if any. */
export type BlockTask = Omit<ListedBlock, 'name' | 'tests'> & { block: RunnerTestSuite; tests: StepTask[] }

/** The task of a test file, as Vitest's own collection creates it. */
export function createFile(
  { id, path }: { id: string; path: string },
  { config, ctx }: WorkerGlobalState,
): RunnerTestFile {
  const name = relativePath(config.root, path)
  const { mergeReportsLabel: label } = config
  const file = {
    id,
    name,
    fullName: name,
    type: 'suite',
    mode: 'run',
    filepath: path,
    tasks: [],
    meta: Object.assign(Object.create(null), label === undefined ? {} : { __vitest_label__: label }),
    projectName: ctx.projectName,
    pool: ctx.pool,
    viteEnvironment: 'ssr',
    concurrencyId: 1,
    workerId: ctx.workerId,
    tags: [],
    prepareDuration: 0,
    environmentLoad: 0,
    collectDuration: 0,
    setupDuration: 0,
  } as unknown as RunnerTestFile
  file.file = file
  return file
}

/** Adds the tests of a suite to its file: a describe block per row, a test per step or known iteration. */
export function addTests(
  file: RunnerTestFile,
  plan: SuitePlan,
  { config, options }: { config: SerializedConfig; options: NameOptions },
): BlockTask[] {
  const tags = [...plan.tags]
  return listBlocks(plan, options).map(({ name, row, index, tests: named }): BlockTask => {
    const block = {
      ...createTask(file, { id: `${file.id}_${index}`, name, at: plan.at }),
      fullTestName: name,
      type: 'suite',
      tasks: [],
      tags,
      containsTest: true,
    } as unknown as RunnerTestSuite
    file.tasks.push(block)
    const tests = named.map(({ name, step, loop, meta }, at): StepTask => {
      const own = step.tags.length > 0 ? [...tags, ...step.tags] : tags
      const test = {
        ...createTask(block, { id: `${block.id}_${at}`, name, at: step.at }),
        meta,
        fullTestName: `${block.fullTestName} > ${name}`,
        // The block itself has no `suite`, since it is at the top level.
        suite: block,
        type: 'test',
        timeout: 0,
        annotations: [],
        artifacts: [],
        benchmarks: [],
        tags: own,
        ...readTagOptions(own, config),
        ...(step.only && { mode: 'only' }),
        ...(step.todo && { mode: 'todo' }),
      } as unknown as RunnerTestCase
      block.tasks.push(test)
      return { test, step, loop }
    })
    return { block, tests, row, index }
  })
}

function createTask(
  { file, fullName }: RunnerTestSuite,
  { id, name, at: [line, column] }: { id: string; name: string; at: Position },
): Partial<RunnerTask> {
  const meta = Object.create(null) as object
  return { id, name, fullName: `${fullName} > ${name}`, mode: 'run', file, meta, location: { line, column } }
}

/** The configured options for tests with these tags. The tag with the lowest priority number wins. */
function readTagOptions(tags: readonly string[], { tags: known, retry, repeats }: SerializedConfig) {
  const own = known
    .filter(({ name }) => tags.includes(name))
    .toSorted((a, b) => (b.priority ?? Infinity) - (a.priority ?? Infinity))
  const options = Object.assign({ retry, repeats }, ...own) as Partial<SerializedConfig['tags'][number]>
  return {
    // With 0, its default, Vitest's summary on GitHub would say of a step's own retries: “2 out of 0”.
    ...(options.retry && { retry: options.retry }),
    repeats: options.repeats,
    fails: options.fails,
    mode: (['only', 'skip', 'todo'] as const).find((each) => options[each]) ?? 'run',
  }
}
