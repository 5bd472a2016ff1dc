import { expect, test, vi } from 'vitest'
import type { TestProject, Vitest } from 'vitest/node'
import { summariseSuite } from '../../src/suite/suite-index.ts'
import { rerunNaming, SuiteGraph } from './watch-run.ts'

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
  const project = { vite: { environments: { ssr } } } as unknown as TestProject
  const graph = new SuiteGraph({} as Vitest, project, files)
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
  const file = { path: '/p/a.json', isNew: true, told: new Map<string, string>() }
  await rerunNaming(vitest as unknown as Vitest, file, files)
  expect(files.readText).not.toHaveBeenCalled()
})

test('a new suite that the index knew before it was noticed, as with many edits at once, runs its readers again', async () => {
  const reader = '/p/reader.suite.yaml'
  const emit = vi.fn<(event: string, path: string) => void>()
  const vitest = {
    state: { getFilepaths: () => [path, reader], getFiles: () => [{ tasks: [{}] }] },
    vite: { watcher: { emit } },
  } as unknown as Vitest
  const known = new Map([path, reader].map((each) => [each, summariseSuite(each, 'suite_name: A\n')]))
  const several = { index: async () => known, readText: () => "url: '{{a.v}}'" }
  const told = new Map([[reader, 'reader']])
  await rerunNaming(vitest, { path, isNew: true, told }, several)
  expect(emit.mock.calls).toEqual([['change', reader]])
  await rerunNaming(vitest, { path, isNew: false, told }, several)
  expect(emit).toHaveBeenCalledTimes(1)
  known.delete(path)
  await rerunNaming(vitest, { path, isNew: false, told }, several)
  expect(emit).toHaveBeenCalledTimes(2)
  expect(told).toEqual(new Map([[reader, 'reader']]))
})
