import { expect, test, vi } from 'vitest'
import type { TestProject } from 'vitest/node'
import { summariseSuite } from '../../src/suite/suite-index.ts'
import { watchSuites } from './watch-run.ts'

const path = '/p/a.suite.yaml'
const reader = '/p/reader.suite.yaml'

/** A watch of these suites, each of which mentions the node id `a`. */
function createWatch(...suites: string[]) {
  const emit = vi.fn<(event: string, path: string) => void>()
  const index = new Map(suites.map((each) => [each, summariseSuite(each, 'suite_name: A\n')]))
  const files = {
    index: async () => index,
    readText: vi.fn<() => string>(() => "url: '{{a.v}}'"),
    readers: () => new Map(),
    linkAll: async () => undefined,
  }
  const vitest = {
    config: {},
    state: { getFilepaths: () => [path, reader] },
    projects: [],
    vite: { watcher: { emit } },
  }
  return { watch: watchSuites({ vitest } as unknown as TestProject, files), files, index, emit }
}

test('a new file that is no suite, such as a report, does not make all suites be read', async () => {
  const { watch, files } = createWatch(path, reader)
  await watch.start()
  await watch.rerun('/p/a.json', { isNew: true, known: [] })
  expect(files.readText).not.toHaveBeenCalled()
})

test('a new suite that the index knew before it was noticed, as with many edits at once, runs its readers again', async () => {
  const { watch, index, emit } = createWatch(reader)
  await watch.start()
  index.set(path, summariseSuite(path, 'suite_name: A\n'))
  await watch.rerun(path, { isNew: true, known: [path] })
  expect(emit.mock.calls).toEqual([['change', reader]])
  await watch.rerun(path, { isNew: false, known: [path] })
  expect(emit).toHaveBeenCalledTimes(1)
  index.delete(path)
  await watch.rerun(path, { isNew: false, known: [path] })
  expect(emit).toHaveBeenCalledTimes(2)
  await watch.rerun(path, { isNew: false, known: [path] })
  expect(emit).toHaveBeenCalledTimes(2)
})
