import { stripVTControlCharacters } from 'node:util'
import { experimental_getRunnerTask, type TestCase } from 'vitest/node'
import { readStep, recordStep, type StepRecord } from '../../../src/report/step-record.ts'
import type { StepResult } from '../../../src/run/result.ts'
import { makeStepId } from '../../../src/suite/plan/step-id.ts'
import type { StepMeta } from '../../contract/meta.ts'

/** Results of the tests of a suite. `records` are those that are known by test, one per iteration. */
export function readTests(
  tests: readonly TestCase[],
  nodeId: string,
  records: readonly (readonly StepRecord[])[] = [],
): StepRecord[] {
  return tests.flatMap((test, index) => {
    const known = records[index] ?? []
    if (known.length > 0) return settle(test, known)
    // The tests of a suite in TypeScript that could not be loaded have no meta.
    const meta = test.meta().suitecase
    const told: Partial<StepMeta> = meta?.kind === 'step' ? meta : {}
    const { step_id = makeStepId(index + 1, test.name), step_name = test.name } = told
    const line = test.location?.line
    return recordStep({
      ...makeNotRun(nodeId, { step_id, step_name, ...(line !== undefined && { line }) }),
      duration_ms: Math.round(test.diagnostic()?.duration ?? 0),
      ...describeUnfinished(test),
    })
  })
}

/** The result of a step that never started. */
export function makeNotRun(
  nodeId: string,
  step: Pick<StepResult, 'step_id' | 'step_name' | 'line'>,
): StepResult {
  return {
    ...step,
    qualified_step_id: `${nodeId}::${step.step_id}`,
    status: 'not_run',
    duration_ms: 0,
    assertions_results: [],
    captured_variables: {},
    available_variables: {},
  }
}

/** Vitest's verdict wins where it is worse: a test that failed, died or was cancelled is never shown as passed. */
function settle(test: TestCase, records: readonly StepRecord[]): readonly StepRecord[] {
  const { state, errors } = test.result()
  const change = (place: number, changes: Partial<StepResult>): StepRecord[] => {
    const { skip_reason: _reason, flaky: _flaky, ...known } = readStep(records.at(place) as StepRecord)
    return records.with(place, recordStep({ ...known, ...changes }))
  }
  const passed = records.findLastIndex(({ figures }) => figures.status === 'success')
  // Vitest retried the test, and its earlier results are gone.
  if (state === 'passed' && test.diagnostic()?.flaky) return change(passed, { flaky: true })
  if (state !== 'failed' || records.some(({ figures }) => figures.status === 'failure')) return records
  return change(passed, { status: 'failure', error_message: joinMessages(errors) })
}

function describeUnfinished(test: TestCase): Pick<StepResult, 'status' | 'error_message' | 'skip_reason'> {
  const result = test.result()
  const known = experimental_getRunnerTask(test).result
  if (result.state === 'failed') return { status: 'failure', error_message: joinMessages(result.errors) }
  // Its details were lost with its worker.
  if (result.state === 'passed') return { status: 'success' }
  if (result.state === 'pending') {
    // The test that was running when its worker ended failed; those after it did not run.
    if (known?.state !== 'run') return { status: 'not_run' }
    const error_message = 'The step did not end: the worker it ran in stopped or was killed.'
    return { status: 'failure', error_message }
  }
  // Its turn never came: the run was stopped, its worker ended, or a hook before it failed. Those left out on purpose have no result, or one that is `pending`.
  if (known && !('pending' in known)) return { status: 'not_run' }
  if (test.options.mode === 'todo') return { status: 'skipped', skip_reason: 'todo' }
  return { status: 'skipped', skip_reason: result.note ?? 'not selected, or skipped in the suite' }
}

/** The messages of Vitest's errors, one per line. */
export function joinMessages(errors: readonly { message?: unknown }[] | undefined): string {
  const messages = (errors ?? []).map(({ message }) =>
    typeof message === 'string' && message !== '' ? stripVTControlCharacters(message) : 'Unknown error',
  )
  return messages.length === 0 ? 'The test failed without an error.' : messages.join('\n')
}
