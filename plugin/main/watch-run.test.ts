import { expect, test, vi } from 'vitest'
import type { TestProject } from 'vitest/node'
import { summariseSuite } from '../../src/suite/suite-index.ts'
import { SuiteGraph } from './watch-run.ts'

const path = '/p/a.suite.yaml'
const files = {
  index: async () => new Map([[path, summariseSuite(path, 'suite_name: A\n')]]),
  readText: vi.fn<() => string>(() => ''),
}

test('many edits at once do not make Vite process all suites once for each', async () => {
  let processed = 0
  const suite: { transformResult?: object } = {}
  const ssr = {
    moduleGraph: { getModuleById: () => suite, getModulesByFile: () => [] },
    transformRequest: async () => {
      processed++
      return (suite.transformResult ??= {})
    },
  }
  const graph = new SuiteGraph({ vite: { environments: { ssr } } } as unknown as TestProject, files)
  await Promise.all(Array.from({ length: 100 }, () => graph.read()))
  expect(processed).toBe(1)
  // As Vite does at an edit of what the suite depends on.
  delete suite.transformResult
  const during = graph.read()
  await Promise.resolve()
  await graph.read()
  await during
  expect(processed).toBe(2)
})

test('a new file that is no suite, such as a report, does not make all suites be read', async () => {
  const vitest = { state: { getFilepaths: () => [path], getFiles: () => [{ tasks: [{}] }] } }
  const graph = new SuiteGraph({ vitest } as unknown as TestProject, files)
  await graph.rerunNaming('/p/a.json', true)
  expect(files.readText).not.toHaveBeenCalled()
})

test('a new suite that the index knew before it was noticed, as with many edits at once, runs its readers again', async () => {
  const reader = '/p/reader.suite.yaml'
  const emit = vi.fn<(event: string, path: string) => void>()
  const vitest = {
    state: { getFilepaths: () => [path, reader], getFiles: () => [{ tasks: [{}] }] },
    vite: { watcher: { emit } },
  }
  const summaries = [reader, path].map((each) => [each, summariseSuite(each, 'suite_name: A\n')] as const)
  const known = new Map(summaries.slice(0, 1))
  const several = { index: async () => known, readText: () => "url: '{{a.v}}'" }
  const graph = new SuiteGraph({ vitest } as unknown as TestProject, several)
  await graph.noteNodeIds()
  known.set(...(summaries[1] as (typeof summaries)[0]))
  await graph.rerunNaming(path, true)
  expect(emit.mock.calls).toEqual([['change', reader]])
  await graph.rerunNaming(path, false)
  expect(emit).toHaveBeenCalledTimes(1)
  known.delete(path)
  await graph.rerunNaming(path, false)
  expect(emit).toHaveBeenCalledTimes(2)
  await graph.rerunNaming(path, false)
  expect(emit).toHaveBeenCalledTimes(2)
})
