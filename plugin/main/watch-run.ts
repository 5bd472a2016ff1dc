import { existsSync } from 'node:fs'
import type { Reporter, TestModule, TestProject, Vitest } from 'vitest/node'
import type { SuiteFiles } from './suites/suite-files.ts'
import { isSuiteFile } from './report/read-module.ts'
import { importsPackage, listNamedFiles } from './suites/link-typed.ts'

/**
 * Tells Vitest's watch mode which tests an edit affects if suites are among them. Vitest itself follows imports only up
 * to the first test file, but suites need other suites.
 */
export function watchEdits(vitest: Vitest): void {
  const patterns = (vitest.config.watchTriggerPatterns ??= [])
  patterns.push({ pattern: /./, testsToRun: (path) => listAffected(vitest, path) })
}

/**
 * What watch mode needs to know of a project's suites. Makes Vite process their dependencies: after each run, ready for
 * the next edit, and at an edit before that.
 */
export class SuiteGraph implements Reporter {
  /** False until a run has ended: Vite may not know what depends on a file that is edited meanwhile. */
  isReady = false
  readonly #project: TestProject
  readonly #files: Pick<SuiteFiles, 'index' | 'readText'>
  readonly #read = new WeakSet<object>()
  /** Node ids of suites as of the last edits that were noticed: when many files change at once, the index knows some edits earlier. */
  readonly #nodeIds = new Map<string, string>()
  #last = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(project: TestProject, files: Pick<SuiteFiles, 'index' | 'readText'>) {
    this.#project = project
    this.#files = files
  }

  /** Notes the node ids before any edit. */
  async noteNodeIds(): Promise<void> {
    for (const [path, { nodeId }] of await this.#files.index()) this.#nodeIds.set(path, nodeId)
  }

  onTestRunStart(): void {
    this.isReady = false
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const { config, watcher } = this.#project.vitest
    if (!config.watch) return
    // Vitest forgets a deleted file at once, and would know it again for good by a result that comes later.
    for (const { moduleId } of modules) if (!existsSync(moduleId)) watcher.onFileDelete(moduleId)
    await this.read()
    this.isReady = true
  }

  /** Waits for a reading that is under way, and shares the next one: many files can change at once, as with another branch. */
  read(): Promise<void> {
    const start = (): Promise<void> => {
      this.#next = undefined
      return (this.#last = this.#readAll())
    }
    return (this.#next ??= this.#last.then(start, start))
  }

  /** The module that stands for a suite imports everything that it depends on. */
  async #readAll(): Promise<void> {
    const { vite, vitest } = this.#project
    const { ssr } = vite.environments
    for (const path of (await this.#files.index()).keys()) {
      // Most are as they were.
      if (this.#read.has(ssr.moduleGraph.getModuleById(path)?.transformResult ?? this)) continue
      // A suite that cannot be loaded now, perhaps because it is being edited, keeps its earlier dependencies.
      const result = await ssr.transformRequest(path).catch(() => undefined)
      if (result) this.#read.add(result)
      for (const { importedModules } of ssr.moduleGraph.getModulesByFile(path) ?? [])
        vitest.vite.watcher.add(Array.from(importedModules, ({ file }) => file ?? path))
    }
  }

  /** Reruns the suites that depend on files, unless they are known to run, and returns them. Vitest itself notices no deleted files. */
  rerunReaders(paths: readonly string[], noticed: readonly string[] = []): string[] {
    const { vitest } = this.#project
    const tests = [...new Set(paths.flatMap((path) => listTests(vitest, path)))].filter(
      (test) => !noticed.includes(test) && (isSuiteFile(test) || importsPackage(this.#files.readText(test))),
    )
    for (const test of tests) vitest.vite.watcher.emit('change', test)
    return tests
  }

  /** Reruns what names or has a node id that an edit added or removed, what could not be loaded and names the edited suite, and for a new file the suites in TypeScript that name it, which may have failed without it. */
  async rerunNaming(path: string, isNew: boolean): Promise<void> {
    const { state, vite } = this.#project.vitest
    const index = await this.#files.index()
    const [before, after] = [this.#nodeIds.get(path), index.get(path)?.nodeId]
    if (after === undefined) this.#nodeIds.delete(path)
    else this.#nodeIds.set(path, after)
    const changed = before === after ? [] : [before, after].filter((id) => id !== undefined)
    for (const other of state.getFilepaths()) {
      // What could not be loaded may have lacked something that the edited suite gives now.
      const isBroken = state.getFiles([other]).every(({ tasks }) => tasks.length === 0)
      const ids = isBroken && after !== undefined ? [...changed, after] : changed
      const own = index.get(other)?.nodeId
      // Few files need to be read, as many can change at once.
      if (other === path || (ids.length === 0 && !(isNew && own === undefined))) continue
      const text = this.#files.readText(other)
      if (own === undefined && !importsPackage(text)) continue
      const isNamed = ids.some((id) => id === own || text.includes(id))
      if (isNamed || listNamedFiles(other, text).includes(path)) vite.watcher.emit('change', other)
    }
  }
}

/** Test files to rerun, after invalidating their modules. Undefined leaves the edit to Vitest. */
function listAffected(vitest: Vitest, path: string): string[] | undefined {
  const tests = listTests(vitest, path)
  if (!tests.some(isSuiteFile)) return undefined
  for (const each of tests) vitest.invalidateFile(each)
  return tests
}

/** The module graphs of all servers, which projects share. Test files may use a different one than suites. */
export function listGraphs({ projects }: Vitest) {
  const servers = new Set(projects.map(({ vite }) => vite))
  return [...servers].flatMap(({ environments }) =>
    Object.values(environments).map(({ moduleGraph }) => moduleGraph),
  )
}

/** Test files that depend on a file, as far as Vite knows. */
export function listTests(vitest: Vitest, path: string): string[] {
  const graphs = listGraphs(vitest)
  const affected = new Set([path])
  // Iterating a set includes items added on the way.
  for (const file of affected) {
    const modules = graphs.flatMap((graph) => Array.from(graph.getModulesByFile(file) ?? []))
    // Of a path with a `#`, the file is only the beginning.
    for (const { id, file } of modules.flatMap(({ importers }) => Array.from(importers)))
      for (const each of [id, file]) if (each) affected.add(each)
  }
  const known = new Set(vitest.state.getFilepaths())
  // A file that came back is not known, and editors let Vitest forget what ran before.
  return [...affected].filter(
    (file) =>
      known.has(file) ||
      (existsSync(file) && vitest.projects.some((project) => project.matchesTestGlob(file))),
  )
}
