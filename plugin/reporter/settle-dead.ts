import {
  experimental_getRunnerTask,
  type Reporter,
  type TestCase,
  type TestModule,
  type TestSuite,
} from 'vitest/node'
import { escapeControlInLines } from '../../src/escape-control.ts'
import { isReported, isSuiteFile } from './read-module.ts'

const WORKER_ENDED =
  'The worker stopped or was killed before it told how this step ended: this step or one after it is the cause, unless the errors of the run name another.'

/**
 * A reporter that has to stand before all others: when a worker died, Vitest leaves the tests it had as they were, and
 * JUnit, JSON and summary show them as if they had passed. Of each suite the test that was under way fails, those
 * behind it are skipped. In an interrupted run nothing died; there Vitest shows the test that was under way as skipped,
 * and it fails with what became of its step.
 */
export function settleDead(): Reporter {
  return {
    onTestRunEnd(modules, _errors, reason) {
      for (const module of modules) {
        if (reason === 'interrupted') settleStopped(module)
        else settleModule(module)
      }
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
  const { line, column } = running.location ?? { line: 1, column: 1 }
  fail(running, { message: WORKER_ENDED, line, column })
}

function settleStopped(module: TestModule): void {
  for (const test of module.children.allTests('skipped')) {
    const { suitecase } = test.meta()
    const results = suitecase?.kind === 'step' ? suitecase.results : []
    const failed = results.find(({ status }) => status === 'failure')
    if (!failed) continue
    const message = escapeControlInLines(failed.error_message ?? 'The step was stopped.')
    fail(test, { message, line: failed.failed_lines?.[0] ?? failed.line ?? 1, column: 1 })
  }
}

function isOpen(test: TestCase): boolean {
  return test.result().state === 'pending'
}

function skip(test: TestCase): void {
  const task = experimental_getRunnerTask(test)
  task.mode = 'skip'
  task.result = { state: 'skip' }
}

type Failure = { message: string; line: number; column: number }

/** Fails a test and all that holds it. */
function fail(test: TestCase, { message, line, column }: Failure): void {
  const { moduleId } = test.module
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
