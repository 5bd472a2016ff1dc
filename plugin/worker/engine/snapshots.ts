import { createExpect, TestRunner } from 'vitest'
import type { ExpectStatic, RunnerTestCase, RunnerTestFile, SerializedConfig } from 'vitest'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import type { CompareSnapshot } from '../../../src/run/step-outcome.ts'
import { dropOwnFrames } from '../../contract/package-files.ts'
import type { TaskError } from '../session/task-errors.ts'

/** Vitest's snapshots of one test file, through the hooks of its own test runner. */
export type Snapshots = Awaited<ReturnType<typeof openSnapshots>>

/** Reads a file's snapshots, once Vitest has set up the worker. Rejects if they cannot be read. */
export async function openSnapshots(file: RunnerTestFile, config: SerializedConfig) {
  const runner = new TestRunner(config) as TestRunner & Hooks
  await runner.onBeforeRunSuite(file).catch(explain)
  const started = new Map<RunnerTestCase, ExpectStatic>()
  return {
    start(test: RunnerTestCase, redactor: Redactor): CompareSnapshot {
      runner.onBeforeTryTask(test, { retry: 0, repeats: 0 })
      const expect = createExpect(test)
      started.set(test, expect)
      return compareWith(expect, test, redactor)
    },
    /** Writes new snapshots. Resolves to the errors about obsolete ones. */
    async close(): Promise<TaskError[]> {
      const before = file.result as NonNullable<RunnerTestFile['result']>
      const own = { ...before, errors: [] as TaskError[] }
      file.result = own
      for (const [test, expect] of started) if (test.result?.state === 'fail') keepSnapshots(expect, test)
      await runner
        .onAfterRunSuite(file)
        .catch(explain)
        .finally(() => (file.result = before))
      return own.errors.map((error) => Object.assign(error, { stack: dropOwnFrames(error.stack) }))
    },
  }
}

function explain(error: Error): never {
  throw new Error(`The snapshots of this suite could not be read or written: ${error.message}`)
}

/** The hooks of Vitest's test runner that are used, as of release 5.1.1. */
type Hooks = {
  onBeforeRunSuite(file: RunnerTestFile): Promise<void>
  onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): void
  onAfterRunSuite(file: RunnerTestFile): Promise<void>
}

/** Keeps the stored snapshots of a failed test, which may not have come to them, from counting as obsolete. */
export function keepSnapshots(expect: ExpectStatic, { fullTestName }: NamedTest): void {
  expect.getState().snapshotState.markSnapshotsAsCheckedForTest(fullTestName)
}

type NamedTest = Pick<RunnerTestCase, 'id' | 'fullTestName'>

/** Compares snapshots with Vitest's assertion, whose errors become failures. Hides secrets in stored ones. */
export function compareWith(
  expect: ExpectStatic,
  { id: testId, fullTestName }: NamedTest,
  redactor: Redactor,
): CompareSnapshot {
  const show = redactor.redactSource
  return ({ value, name, field }, hasFailed) => {
    if (hasFailed) {
      const { snapshotState } = expect.getState()
      const testName = [fullTestName, ...(name ? [show(name)] : [])].join(' > ')
      const { data } = snapshotState.probeExpectedSnapshot({ testName, testId, isInline: false })
      const isNew = data === undefined
      if (isNew || snapshotState.snapshotUpdateState === 'all') {
        const message = `The snapshot was not ${isNew ? 'written' : 'updated'}, because the step failed for another reason`
        return { message, isEffect: true }
      }
    }
    try {
      expect(redactor.redactField(field, value)).toMatchSnapshot(name && show(name))
      return undefined
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const { expected, actual } = error as Error & { expected?: string; actual?: string }
      // In CI Vitest writes no snapshot, and reports a missing one like a different one.
      const isMissing = actual !== undefined && (expected ?? '') === ''
      const advice = isMissing ? ': none is stored. Run the test once outside of CI, or with `-u`' : ''
      const message = `${show(error.message)}${advice}`
      if (expected === undefined || actual === undefined) return { message }
      const stored = redactor.redactField(field, unquote(show(expected)))
      return { message, diff: { expected: stored, actual: unquote(actual) } }
    }
  }
}

function unquote(text: string): string {
  return /^"[^"\n]*"$/.test(text) ? text.slice(1, -1) : text
}
