import { experimental_getRunnerTask } from 'vitest/node'
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'
import { isReported, isSuiteFile } from './read-test-module.ts'

/** How a worker ended early, and the files that were running in it. */
type WorkerDeath = { reason: string; files: string[] }

/** Deaths of workers of suites, by Vitest instance. */
const deaths = new WeakMap<Vitest, WorkerDeath[]>()

/** Records that a worker ended before its suites did. */
export function noteDeath(vitest: Vitest, death: WorkerDeath): void {
  deaths.set(vitest, [...(deaths.get(vitest) ?? []), death])
}

const UNKNOWN =
  'The worker stopped or was killed before it reported how this step ended. This step or a later one is the cause, unless the errors of the run name another.'

/**
 * A reporter that must come before all others. When a worker dies, Vitest leaves its tests as they were. This one
 * fails the steps that were running, with the reason, and skips those after them.
 */
export function failCrashedTests(vitest: Vitest): Reporter {
  return {
    async onTestRunStart(specifications) {
      // Vitest announces a run even while it waits for another one to end.
      await vitest.waitForTestRunEnd()
      // Otherwise suites that no worker starts would show the results of the previous run.
      for (const { project, moduleId, testModule } of specifications)
        if (testModule && isSuiteFile(moduleId)) vitest.state.clearFiles(project, [moduleId])
    },
    onTestRunEnd(modules, _errors, reason) {
      const known = deaths.get(vitest) ?? []
      deaths.delete(vitest)
      if (reason === 'interrupted' && known.length === 0) return
      for (const module of modules) settleModule(module, known)
    },
  }
}

/** Settles a file whose worker died: fails the running tests, else the first open one, else the file. */
function settleModule(module: TestModule, known: readonly WorkerDeath[]): void {
  const blocks = isSuiteFile(module.moduleId)
    ? [module]
    : [...module.children.allSuites()].filter((suite) => isReported(suite))
  const open = new Set(blocks.flatMap((block) => block.children.allTests('pending').toArray()))
  const running = [...open].filter((test) => experimental_getRunnerTask(test).result?.state === 'run')
  const failed = running.length > 0 ? running : [...open].slice(0, 1)
  for (const test of open) {
    const result = { state: 'skip', note: 'its worker ended' }
    if (!failed.includes(test)) Object.assign(experimental_getRunnerTask(test), { mode: 'skip', result })
  }
  const death = known.find(({ files }) => files.includes(module.moduleId))
  const reason = death && `did not end: the worker stopped, because ${death.reason}.`
  for (const test of failed) fail(test, reason ? `The step ${reason}` : UNKNOWN)
  // Its application may have ended the worker while it closed.
  if (reason && failed.length === 0) fail(module, `The suite ${reason}`)
}

function fail(ended: TestCase | TestModule, message: string): void {
  const { moduleId } = ended.type === 'module' ? ended : ended.module
  const { line, column } = (ended.type === 'test' && ended.location) || { line: 1, column: 1 }
  const error = {
    name: 'Error',
    message,
    stack: `Error: ${message}\n    at ${moduleId}:${line}:${column}`,
    stacks: [{ file: moduleId, line, column, method: '' }],
  }
  const task = experimental_getRunnerTask(ended)
  task.mode = 'run'
  // The recorded attempts would be shown instead of the error.
  task.result = { ...task.result, state: 'fail', errors: [error], attempts: [] }
  for (let holder: TestCase | TestSuite | TestModule = ended; holder.type !== 'module';) {
    holder = holder.parent
    const around = experimental_getRunnerTask(holder)
    around.result = { ...around.result, state: 'fail' }
  }
}
