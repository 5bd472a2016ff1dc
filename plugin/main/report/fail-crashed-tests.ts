import { experimental_getRunnerTask } from 'vitest/node'
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'
import type { WorkerDeath } from '../suite-pool-worker.ts'
import { isReported, isSuiteFile } from './read-module.ts'

/** What happened to the workers of suites, by the Vitest they belong to. */
const deaths = new WeakMap<Vitest, WorkerDeath[]>()

/** Notes that a worker ended before its suites did. */
export function noteDeath(vitest: Vitest, death: WorkerDeath): void {
  deaths.set(vitest, [...(deaths.get(vitest) ?? []), death])
}

const UNKNOWN =
  'The worker stopped or was killed before it told how this step ended: this step or one after it is the cause, unless the errors of the run name another.'

/**
 * A reporter that has to come before all others: when a worker died, Vitest leaves the tests it had as they were, and
 * JUnit, JSON and summary show them as if they had passed. Steps that ran just then fail with the reason, those behind
 * them are skipped.
 */
export function failCrashedTests(vitest: Vitest): Reporter {
  return {
    onTestRunEnd(modules, _errors, reason) {
      const known = deaths.get(vitest) ?? []
      deaths.delete(vitest)
      if (reason === 'interrupted' && known.length === 0) return
      for (const module of modules)
        settleModule(
          module,
          known.find(({ files }) => files.includes(module.moduleId)),
        )
    },
  }
}

/** Fails the tests that were under way as far as the worker told, or the first that it had not told of. */
function settleModule(module: TestModule, death: WorkerDeath | undefined): void {
  const blocks = isSuiteFile(module.moduleId)
    ? [module]
    : [...module.children.allSuites()].filter((suite) => isReported(suite))
  const open = new Set(blocks.flatMap((block) => [...block.children.allTests()].filter(isOpen)))
  const running = [...open].filter((test) => experimental_getRunnerTask(test).result?.state === 'run')
  const failed = running.length > 0 ? running : [...open].slice(0, 1)
  for (const test of open) if (!failed.includes(test)) skip(test)
  const message = death ? `The step did not end: the worker stopped, because ${death.reason}.` : UNKNOWN
  for (const test of failed) fail(test, message)
}

function isOpen(test: TestCase): boolean {
  return test.result().state === 'pending'
}

function skip(test: TestCase): void {
  const task = experimental_getRunnerTask(test)
  task.mode = 'skip'
  task.result = Object.assign({ state: 'skip' as const }, { note: 'its worker ended' })
  task.meta.suitecase = { kind: 'step' }
}

/** Fails a test and all that holds it. */
function fail(test: TestCase, message: string): void {
  const { moduleId } = test.module
  const { line, column } = test.location ?? { line: 1, column: 1 }
  const error = {
    name: 'Error',
    message,
    stack: `Error: ${message}\n    at ${moduleId}:${line}:${column}`,
    stacks: [{ file: moduleId, line, column, method: '' }],
  }
  const task = experimental_getRunnerTask(test)
  task.mode = 'run'
  // What is known of its attempts would be shown in place of the error.
  task.result = { ...task.result, state: 'fail', errors: [error], attempts: [] }
  for (let parent: TestSuite | TestModule = test.parent; ; parent = parent.parent) {
    const holder = experimental_getRunnerTask(parent)
    holder.result = { ...holder.result, state: 'fail' }
    if (parent.type === 'module') return
  }
}
