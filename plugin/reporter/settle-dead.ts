import {
  experimental_getRunnerTask,
  type Reporter,
  type TestCase,
  type TestModule,
  type TestSuite,
} from 'vitest/node'
import { isReported, isSuiteFile } from './read-module.ts'

const WORKER_ENDED =
  'The worker stopped or was killed before it told how this step ended: this step or one after it is the cause, unless the errors of the run name another.'

/**
 * A reporter that has to stand before all others: when a worker died, Vitest leaves the tests it had as they were, and
 * JUnit, JSON and summary show them as if they had passed. Of each suite the test that was under way fails, those
 * behind it are skipped. An interrupted run is left alone: there nothing died.
 */
export function settleDead(): Reporter {
  return {
    onTestRunEnd(modules, _errors, reason) {
      if (reason === 'interrupted') return
      for (const module of modules) settleModule(module)
    },
  }
}

function settleModule(module: TestModule): void {
  const blocks = isSuiteFile(module.moduleId)
    ? [module]
    : [...module.children.allSuites()].filter((suite) => isReported(suite))
  const open = blocks.flatMap((block) => Array.from(block.children.allTests())).filter(isOpen)
  const running = open.find((test) => experimental_getRunnerTask(test).result?.state === 'run') ?? open[0]
  if (!running) return
  for (const test of new Set(open)) if (test !== running) skip(test)
  fail(running)
}

function isOpen(test: TestCase): boolean {
  return test.result().state === 'pending'
}

function skip(test: TestCase): void {
  const task = experimental_getRunnerTask(test)
  task.mode = 'skip'
  task.result = { state: 'skip' }
}

/** Fails a test and all that holds it; the error points at the step. */
function fail(test: TestCase): void {
  const { moduleId } = test.module
  const { line, column } = test.location ?? { line: 1, column: 1 }
  const error = {
    name: 'Error',
    message: WORKER_ENDED,
    stack: `Error: ${WORKER_ENDED}\n    at ${moduleId}:${line}:${column}`,
    stacks: [{ file: moduleId, line, column, method: '' }],
  }
  const task = experimental_getRunnerTask(test)
  task.result = { ...task.result, state: 'fail', errors: [error] }
  for (let parent: TestSuite | TestModule = test.parent; ; parent = parent.parent) {
    const holder = experimental_getRunnerTask(parent)
    holder.result = { ...holder.result, state: 'fail' }
    if (parent.type === 'module') return
  }
}
