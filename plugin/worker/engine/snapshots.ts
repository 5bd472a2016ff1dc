import type { RunnerTestCase, RunnerTestFile, SerializedConfig, TestRunner } from 'vitest'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import type { CompareSnapshot } from '../../../src/run/step-outcome.ts'
import type { TaskError } from './describe-errors.ts'

/** Vitest's snapshots of one test file, through the hooks of its own test runner. */
export type Snapshots = {
  open(file: RunnerTestFile): Promise<void>
  /** Begins a test, and gives what compares its snapshots. */
  start(test: RunnerTestCase, redactor: Redactor): CompareSnapshot
  /** Writes what is new, and gives the errors about obsolete ones. */
  close(file: RunnerTestFile): Promise<TaskError[]>
}

/** Prepares snapshots; Vitest must have set up the worker. */
export async function createSnapshots(config: SerializedConfig): Promise<Snapshots> {
  const { createExpect, TestRunner: Runner } = await import('vitest')
  const runner = new Runner(config) as TestRunner & Hooks
  return {
    open: (file) => runner.onBeforeRunSuite(file),
    start(test, redactor) {
      runner.onBeforeTryTask(test, { retry: 0, repeats: 0 })
      const expect = createExpect(test)
      return ({ value, name }) => {
        try {
          expect(redactor.redactJson(value)).toMatchSnapshot(name)
          return undefined
        } catch (error) {
          return describeDifference(error)
        }
      }
    },
    async close(file) {
      const before = file.result
      file.result = { state: 'run', ...before, errors: [] }
      await runner.onAfterRunSuite(file)
      const errors = (file.result.errors ?? []) as unknown as TaskError[]
      file.result = before as NonNullable<RunnerTestFile['result']>
      return errors
    },
  }
}

/** The hooks of Vitest's test runner that are used, as of release 5.1.0. */
type Hooks = {
  onBeforeRunSuite(file: RunnerTestFile): Promise<void>
  onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): void
  onAfterRunSuite(file: RunnerTestFile): Promise<void>
}

/** Turns what a snapshot assertion throws into a failure of the step. */
export function describeDifference(error: unknown): ReturnType<CompareSnapshot> {
  if (!(error instanceof Error)) throw error
  const { message, expected, actual } = error as Error & { expected?: string; actual?: string }
  return {
    message,
    ...(expected !== undefined && actual !== undefined && { diff: { expected, actual } }),
  }
}
