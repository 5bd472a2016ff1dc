import { existsSync } from 'node:fs'
import type { Reporter, TestModule, TestProject, Vitest } from 'vitest/node'
import type { SuiteFiles } from './suites/suite-files.ts'
import { isSuiteFile } from './report/read-module.ts'
import { importsPackage, listNamedFiles } from './suites/link-typed.ts'

type WatchedFiles = Pick<SuiteFiles, 'index' | 'readText' | 'readers' | 'linkAll'>

/** Tells Vitest's watch mode which tests an edit affects: Vitest itself follows imports up to the first test file. */
export class SuiteWatch implements Reporter {
  readonly #vitest: Vitest
  readonly #files: WatchedFiles
  /** Node ids of suites before the current edit. If many files change at once, the index is ahead of it. */
  readonly #nodeIds = new Map<string, string>()

  constructor({ vitest }: Pick<TestProject, 'vitest'>, files: WatchedFiles) {
    this.#vitest = vitest
    this.#files = files
  }

  async start(): Promise<void> {
    for (const [path, { nodeId }] of await this.#files.index()) this.#nodeIds.set(path, nodeId)
    const patterns = (this.#vitest.config.watchTriggerPatterns ??= [])
    patterns.push({ pattern: /./, testsToRun: (path) => this.#chooseTests(path) })
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { config, watcher, vite } = this.#vitest
    if (!config.watch) return
    // Vitest forgets a deleted file at once, but a result that comes later makes it known again for good.
    for (const { moduleId } of modules) if (!existsSync(moduleId)) watcher.onFileDelete(moduleId)
    const outside = this.#files
      .readers()
      .keys()
      .filter((path) => !path.startsWith(`${config.root}/`))
    vite.watcher.add([...outside])
  }

  /** Test files to rerun after an edit, after invalidating their modules. Undefined leaves the edit to Vitest. */
  #chooseTests(path: string): string[] | undefined {
    const tests = this.listTests(path)
    if (!tests.some(isSuiteFile)) return undefined
    for (const each of tests) this.#vitest.invalidateFile(each)
    return tests
  }

  /** Test files that depend on a file, as far as is known without reading any. */
  listTests(path: string): string[] {
    const { state, projects } = this.#vitest
    const graphs = listGraphs(this.#vitest)
    const readers = this.#files.readers()
    const affected = new Set([path])
    // Iterating a set includes items added on the way.
    for (const file of affected) {
      for (const suite of readers.get(file) ?? []) affected.add(suite)
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

  /** Reruns what depends on an edited file, except the `known` tests, which run anyway. */
  async rerun(path: string, { isNew, known }: { isNew: boolean; known: readonly string[] }): Promise<void> {
    await this.#files.linkAll()
    const isOurs = (test: string): boolean => isSuiteFile(test) || importsPackage(this.#files.readText(test))
    const readers = this.listTests(path).filter((test) => !known.includes(test) && isOurs(test))
    for (const test of new Set([...readers, ...(await this.#listNaming(path, isNew))]))
      this.#vitest.vite.watcher.emit('change', test)
  }

  /** Tests that have or name a node id that an edit added or removed, or in TypeScript name a new file. */
  async #listNaming(path: string, isNew: boolean): Promise<string[]> {
    const index = await this.#files.index()
    const [before, after] = [this.#nodeIds.get(path), index.get(path)?.nodeId]
    if (after === undefined) this.#nodeIds.delete(path)
    else this.#nodeIds.set(path, after)
    const ids = before === after ? [] : [before, after].filter((id) => id !== undefined)
    return this.#vitest.state.getFilepaths().filter((other) => {
      const own = index.get(other)?.nodeId
      // Few files are read here, since many can change at once.
      if (other === path || (ids.length === 0 && !(isNew && own === undefined))) return false
      const text = this.#files.readText(other)
      if (own === undefined && !importsPackage(text)) return false
      return ids.some((id) => id === own || text.includes(id)) || listNamedFiles(other, text).includes(path)
    })
  }
}

/** The module graphs of all servers, which projects share. Test files may use a different one than suites. */
export function listGraphs({ projects }: Vitest) {
  const servers = new Set(projects.map(({ vite }) => vite))
  return [...servers].flatMap(({ environments }) =>
    Object.values(environments).map(({ moduleGraph }) => moduleGraph),
  )
}
