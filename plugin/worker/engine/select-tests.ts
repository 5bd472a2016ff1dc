import type { RunnerTestCase, RunnerTestFile, SerializedConfig, WorkerGlobalState } from 'vitest'
import type { BlockTask } from './task-tree.ts'

/** A test file of a run, with the filters that select its tests. */
export type FileSpecification = WorkerGlobalState['ctx']['files'][number]

/**
 * Marks the tests that a run leaves out, by the rules of Vitest (`interpretTaskModes`, release 5.1.0): `only`, lines,
 * name pattern, ids, names and tags. Any line of a step selects its tests. A line outside all steps fails the file.
 */
export async function selectTests(
  { file, blocks }: { file: RunnerTestFile; blocks: readonly BlockTask[] },
  specification: FileSpecification,
  config: SerializedConfig,
): Promise<void> {
  const { testLocations: lines = [], testIds: ids, testNames: names } = specification
  const pattern = specification.testNamePattern ?? config.testNamePattern
  const tagsFilter = specification.testTagsFilter ?? config.tagsFilter
  // For a filter that cannot be used, such as a tag that no configuration declares.
  const leaveAllOut = ({ message }: Error) => {
    fail(file, message)
    return () => false
  }
  const hasTags = tagsFilter && (await createTagsFilter(config, tagsFilter).catch(leaveAllOut))
  const isLeftOut = ({ id, fullTestName, tags = [] }: RunnerTestCase): boolean =>
    (pattern !== undefined && fullTestName.search(pattern) === -1) ||
    (ids !== undefined && !ids.includes(id)) ||
    (names !== undefined && !names.includes(fullTestName)) ||
    (hasTags !== undefined && !hasTags(tags))
  const found = new Set<number>()
  const isOnLine = (first: number, last = first): boolean => {
    const meant = lines.filter((line) => first <= line && line <= last)
    for (const line of meant) found.add(line)
    return meant.length > 0
  }
  const hasOnly = blocks.some(({ tests }) => tests.some(({ test }) => test.mode === 'only'))
  for (const { block, tests } of blocks) {
    const isBlockNamed = isOnLine(block.location?.line ?? 0)
    for (const { test, step } of tests) {
      if (test.mode === 'only') {
        test.mode = 'run'
        if (!(config.allowOnly ?? true)) fail(test, refusedOnly)
      } else if (hasOnly && test.mode === 'run') test.mode = 'skip'
      if (lines.length > 0) test.mode = isOnLine(...step.lines) || isBlockNamed ? 'run' : 'skip'
      if (isLeftOut(test)) test.mode = 'skip'
      if (test.fails && test.mode === 'run') fail(test, refuseFails(test))
    }
    if (tests.every(({ test }) => test.mode !== 'run')) block.mode = 'skip'
  }
  if (blocks.length > 0 && blocks.every(({ block }) => block.mode === 'skip')) file.mode = 'skip'
  const missed = lines.filter((line) => !found.has(line))
  if (missed.length > 0) {
    const places = missed.length === 1 ? `line ${missed[0]}` : `lines ${missed.join(', ')}`
    fail(file, `No test found in ${file.name} in ${places}`)
  }
}

/** Vitest's own parser of `--tags-filter`. Vitest has it only while it collects a file, here an empty one. */
async function createTagsFilter(
  config: SerializedConfig,
  testTagsFilter: string[],
): Promise<(tags: string[]) => boolean> {
  const [{ collectTests }, { TestRunner }] = await Promise.all([
    import('vitest/internal/browser'),
    import('vitest'),
  ])
  const runner = { config: { ...config, setupFiles: [] }, pool: 'suitecase', importFile() {} }
  await collectTests([{ filepath: '/', testTagsFilter }], runner)
  return (tags) => TestRunner.matchesTags(tags)
}

const refusedOnly = 'Unexpected `only: true`. Remove it, or pass --allowOnly to run only this step.'

/** Why `fails` is refused: Vitest would invert the outcome that reports and later steps rely on. */
export function refuseFails({ tags = [] }: RunnerTestCase): string {
  return `A step cannot be expected to fail: the Vitest configuration sets \`fails: true\` for a tag of this step (${tags.join(', ')}), or for its suite. Check the error response of the API instead, such as \`status_code: 500\`.`
}

function fail(task: RunnerTestCase | RunnerTestFile, message: string): void {
  const stack = `Error: ${message}`
  task.result = { state: 'fail', errors: [{ name: 'Error', message, stack }] }
}
