import { existsSync } from 'node:fs'
import type { TestModule, TestProject, Vitest } from 'vitest/node'
import type { SuiteFiles } from './suites/suite-files.ts'
import { isSuiteFile } from './report/read-test-module.ts'
import { importsPackage, listNamedFiles } from './suites/link-typed.ts'

type WatchedFiles = Pick<SuiteFiles, 'index' | 'readText' | 'readers' | 'linkAll'>

export type SuiteWatch = ReturnType<typeof watchSuites>

/** A reporter that tells Vitest's watch mode which tests an edit affects: Vitest itself follows imports up to the first test file. */
export function watchSuites({ vitest }: Pick<TestProject, 'vitest'>, files: WatchedFiles) {
  /** Node ids of suites before the current edit. If many files change at once, the index is ahead of it. */
  const nodeIds = new Map<string, string>()

  /** Test files to rerun after an edit, after invalidating their modules. Undefined leaves the edit to Vitest. */
  function chooseTests(path: string): string[] | undefined {
    const tests = listTests(path)
    if (!tests.some(isSuiteFile)) return undefined
    for (const each of tests) vitest.invalidateFile(each)
    return tests
  }

  /** Test files that depend on a file, as far as is known without reading any. */
  function listTests(path: string): string[] {
    const { state, projects } = vitest
    const graphs = listGraphs(vitest)
    const readers = files.readers()
    const affected = new Set([path])
    // Iterating a set includes items added on the way.
    for (const file of affected) {
      for (const { suite } of readers.get(file) ?? []) affected.add(suite)
      const modules = graphs.flatMap((graph) => Array.from(graph.getModulesByFile(file) ?? []))
      // If a path has a `#`, `file` is only the part before it.
      for (const { id, file } of modules.flatMap(({ importers }) => Array.from(importers)))
        for (const each of [id, file]) if (each) affected.add(each)
    }
    const known = new Set(state.getFilepaths())
    // Vitest does not know a file that came back, and editors make it forget what ran before.
    return [...affected].filter(
      (file) =>
        known.has(file) || (existsSync(file) && projects.some((project) => project.matchesTestGlob(file))),
    )
  }

  /** Tests that have or name a node id that an edit added or removed, or in TypeScript name a new file. */
  async function listNaming(path: string, isNew: boolean): Promise<string[]> {
    const index = await files.index()
    const [before, after] = [nodeIds.get(path), index.get(path)?.nodeId]
    if (after === undefined) nodeIds.delete(path)
    else nodeIds.set(path, after)
    const ids = before === after ? [] : [before, after].filter((id) => id !== undefined)
    return vitest.state.getFilepaths().filter((other) => {
      const own = index.get(other)?.nodeId
      // Few files are read here, since many can change at once.
      if (other === path || (ids.length === 0 && !(isNew && own === undefined))) return false
      const text = files.readText(other)
      if (own === undefined && !importsPackage(text)) return false
      return ids.some((id) => id === own || text.includes(id)) || listNamedFiles(other, text).includes(path)
    })
  }

  return {
    listTests,
    async start(): Promise<void> {
      for (const [path, { nodeId }] of await files.index()) nodeIds.set(path, nodeId)
      const patterns = (vitest.config.watchTriggerPatterns ??= [])
      patterns.push({ pattern: /./, testsToRun: chooseTests })
    },
    onTestRunEnd(modules: readonly TestModule[]): void {
      const { config, watcher, vite } = vitest
      if (!config.watch) return
      // Vitest forgets a deleted file at once, but a result that comes later makes it known again for good.
      for (const { moduleId } of modules) if (!existsSync(moduleId)) watcher.onFileDelete(moduleId)
      const isOutside = (path: string): boolean => !path.startsWith(`${config.root}/`)
      vite.watcher.add(Array.from(files.readers().keys()).filter(isOutside))
    },
    /** Reruns what depends on an edited file, except the `known` tests, which run anyway. */
    async rerun(path: string, { isNew, known }: { isNew: boolean; known: readonly string[] }): Promise<void> {
      await files.linkAll()
      const isOurs = (test: string): boolean => isSuiteFile(test) || importsPackage(files.readText(test))
      const readers = listTests(path).filter((test) => !known.includes(test) && isOurs(test))
      for (const test of new Set([...readers, ...(await listNaming(path, isNew))]))
        vitest.vite.watcher.emit('change', test)
    },
  }
}

/** The module graphs of all servers, which projects share. Test files may use a different one than suites. */
export function listGraphs({ projects }: Vitest) {
  const servers = new Set(projects.map(({ vite }) => vite))
  return [...servers].flatMap(({ environments }) =>
    Object.values(environments).map(({ moduleGraph }) => moduleGraph),
  )
}
