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
  const file = { path: '/p/a.json', isNew: true, nodeIds: [undefined, undefined] }
  await rerunNaming(vitest as unknown as Vitest, file, files)
  expect(files.readText).not.toHaveBeenCalled()
})
