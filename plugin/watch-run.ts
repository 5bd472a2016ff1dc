import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node'
import type { ExportBoard } from './export-board.ts'
import type { WatchedSuites, WatchReaders } from './watch-readers.ts'

/** What is told of a run: the board of exports and, in watch mode, the suites that an edit affects. */
export type WatchedProject = { board: ExportBoard; files: WatchedSuites | undefined; readers: WatchReaders }

/** Keeps the board of exports and the readers of each file in step with Vitest, as a reporter. */
export function watchRun(project: WatchedProject, onStart: () => void): Reporter {
  const { board, readers } = project
  let vitest: Vitest | undefined
  return {
    onInit(started) {
      vitest = started
      const patterns = (started.config.watchTriggerPatterns ??= [])
      patterns.push({ pattern: /./, testsToRun: (path) => listAffected(started, readers, path) })
    },
    async onWatcherStart() {
      if (!project.files) return
      await readers.refresh(project.files)
      vitest?.vite.watcher.add(readers.files())
    },
    async onTestRunStart(specifications: readonly TestSpecification[]) {
      onStart()
      board.reset()
      await board.progress.start(
        specifications.map(({ moduleId, testNamePattern, project }) => ({
          path: moduleId,
          pattern: testNamePattern ?? project.config.testNamePattern,
        })),
      )
    },
    onTestModuleCollected(module) {
      board.progress.collected(module.moduleId, hasSelected(module))
    },
    onTestModuleEnd(module) {
      const nodeId = board.progress.ended(module.moduleId, describeFailure(module))
      if (nodeId !== undefined) board.endFile(nodeId)
    },
    onTestRunEnd() {
      board.reset()
    },
  }
}

/** Suites to run again, whose modules are then made anew; undefined leaves the edit to Vitest. */
function listAffected(vitest: Vitest, readers: WatchReaders, path: string): string[] | undefined {
  const affected = readers.list(path)
  for (const each of affected ?? []) vitest.invalidateFile(each)
  return affected
}

/** A file that could not be loaded counts: it says itself what is wrong. */
function hasSelected(module: TestModule): boolean {
  if (module.errors().length > 0) return true
  return [...module.children.allTests()].some(({ options }) => options.mode === 'run')
}

function describeFailure(module: TestModule): string | undefined {
  if (module.ok()) return undefined
  const failed: TestCase | undefined = [...module.children.allTests('failed')][0]
  if (!failed) return 'it could not be run'
  const line = failed.location ? `:${failed.location.line}` : ''
  return `step “${failed.name}” (${module.relativeModuleId}${line}) failed`
}
