import { experimental_getRunnerTask, type TestCase } from 'vitest/node'
import type { StepOutline } from '../../../src/report/outline-suite.ts'
import type { StepResult } from '../../../src/run/result.ts'
import { makeStepId } from '../../../src/suite/plan/step-id.ts'

/** What the reporter knows beyond the test itself. */
export type StepContext = {
  nodeId: string
  /** 1-based place in the suite, for tests that ended without a result. */
  number: number
  /** What the suite's text says of the step. */
  step?: StepOutline
  /** Its results, one per iteration; none when its worker did not tell. */
  results: readonly StepResult[]
}

/** Results of one test of a suite. What Vitest says of the test wins where it is worse: a test that failed, died or was cancelled never shows as passed. */
export function readStep(test: TestCase, context: StepContext): StepResult[] {
  const { results } = context
  const { state, errors } = test.result()
  if (results.length === 0) return [describeUnfinished(test, context)]
  const last = results.at(-1) as StepResult
  // Vitest ran the test again: its earlier results are gone.
  if (state === 'passed' && test.diagnostic()?.flaky)
    return [...results.slice(0, -1), { ...last, flaky: true }]
  if (state !== 'failed' || results.some((result) => result.status === 'failure')) return [...results]
  return [...results.slice(0, -1), { ...last, status: 'failure', error_message: joinMessages(errors) }]
}

function describeUnfinished(test: TestCase, { nodeId, number, step }: StepContext): StepResult {
  const step_id = step?.step_id ?? makeStepId(number, test.name)
  const line = step?.line ?? test.location?.line
  const base = {
    step_id,
    qualified_step_id: `${nodeId}::${step_id}`,
    step_name: test.name,
    duration_ms: Math.round(test.diagnostic()?.duration ?? 0),
    assertions_results: [],
    captured_variables: {},
    available_variables: {},
    ...(line === undefined ? {} : { line }),
  }
  const result = test.result()
  if (result.state === 'failed')
    return { ...base, status: 'failure', error_message: joinMessages(result.errors) }
  // Its details went with its worker.
  if (result.state === 'passed') return { ...base, status: 'success' }
  if (result.state === 'pending') return describeDead(test, base)
  const meta = test.meta().suitecase
  if (meta?.kind === 'step') return { ...base, status: 'not_run' }
  // Chosen to run and skipped all the same: the run was stopped, or a hook before the test failed.
  if (test.options.mode === 'run' || test.options.mode === 'only') return { ...base, status: 'not_run' }
  if (test.options.mode === 'todo') return { ...base, status: 'skipped', skip_reason: 'todo' }
  return { ...base, status: 'skipped', skip_reason: result.note ?? 'not selected, or skipped in the suite' }
}

type UnfinishedStep = Omit<StepResult, 'status'>

/** A test that never ended: the one that was running when its worker ended failed, those behind it were not run. */
function describeDead(test: TestCase, base: UnfinishedStep): StepResult {
  if (experimental_getRunnerTask(test).result?.state !== 'run') return { ...base, status: 'not_run' }
  const error_message = 'The step did not end: the worker it ran in stopped or was killed.'
  return { ...base, status: 'failure', error_message }
}

/** Messages of Vitest's errors, one per line. */
export function joinMessages(errors: readonly { message?: unknown }[] | undefined): string {
  const messages = (errors ?? []).map(({ message }) =>
    typeof message === 'string' && message !== '' ? message : 'Unknown error',
  )
  return messages.length === 0 ? 'The test failed without an error.' : messages.join('\n')
}
