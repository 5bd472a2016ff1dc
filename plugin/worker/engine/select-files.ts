import type { RunnerTestFile, SerializedConfig, WorkerGlobalState } from 'vitest'
import { selectTests, type Selection } from './select-tests.ts'

/** A test file of a run, and which of its tests are meant. */
export type FileSpecification = WorkerGlobalState['ctx']['files'][number]

/** What marks the tests of a file that a run leaves out; undefined when all of them run unless one says `only`. */
export async function createSelector(
  config: SerializedConfig,
  specification: FileSpecification,
): Promise<((file: RunnerTestFile) => void) | undefined> {
  const { testLocations, testNamePattern, testIds, testNames, testTagsFilter } = specification
  const tagsFilter = testTagsFilter ?? config.tagsFilter
  const selection: Selection = {
    lines: testLocations,
    pattern: testNamePattern ?? config.testNamePattern,
    ids: testIds,
    names: testNames,
    hasTags: tagsFilter && (await createTagsFilter(config, tagsFilter)),
    allowOnly: config.allowOnly ?? true,
  }
  return (file) => selectTests(file, selection)
}

/** Vitest's own reading of `--tags-filter`, which it offers only while it collects a file: this collects an empty one. */
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
