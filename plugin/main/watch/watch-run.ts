import type { Reporter, Vitest } from 'vitest/node'
import type { WatchedSuites, WatchReaders } from './watch-readers.ts'

/** What watch mode is told of: the suites, and who reads what. */
export type WatchedProject = { files: WatchedSuites | undefined; readers: WatchReaders }

/** Tells Vitest's watch mode which suites an edit affects, as a reporter. */
export function watchRun(project: WatchedProject): Reporter {
  const { readers } = project
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
  }
}

/** Suites to run again, whose modules are then made anew; undefined leaves the edit to Vitest. */
function listAffected(vitest: Vitest, readers: WatchReaders, path: string): string[] | undefined {
  const affected = readers.list(path)
  for (const each of affected ?? []) vitest.invalidateFile(each)
  return affected
}
