import type { TestAPI, TestContext } from 'vitest'
import { hasMocks, type StepPlan, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import { closeServices } from '../app/started-services.ts'
import { refuseFakeTimers } from '../session/fake-timers.ts'
import { explainCancel } from '../session/suite-limit.ts'
import { describeProblems, refuseFails } from '../session/task-errors.ts'
import { compareWith, keepSnapshots } from '../engine/snapshots.ts'
import type { StepCall, SuiteBlock } from '../session/suite-block.ts'
import { expect, test, workerState } from './running-vitest.ts'

/** Refuses mocks and clocks where tests run at the same time: suites beside this one would share them. */
function refuseBeside(task: TestContext['task'], plan: SuitePlan): string | undefined {
  let group = task.suite
  while (group && !group.concurrent) group = group.suite
  if (!group || (plan.clock === undefined && !hasMocks(plan))) return undefined
  return `A suite with mocks or a clock cannot run concurrently with others, which would share its mocks and its clock: the tests in "${group.name}" run at the same time as those around it. Write \`describe(name, { concurrent: false }, …)\` there.`
}

type TypedCall = Pick<StepCall, 'test' | 'loop'> &
  Pick<TestContext, 'task' | 'signal' | 'skip'> & { plan: SuitePlan }

/** Passes the end of the run on with the reasons of suites in YAML. Vitest aborts only then, as no test has a timeout (release 5.1.1). */
function relayStop(signal: AbortSignal): AbortSignal {
  const stop = new AbortController()
  const pass = (): void => stop.abort(explainCancel((signal.reason as { reason?: unknown }).reason))
  if (signal.aborted) pass()
  else signal.addEventListener('abort', pass, { once: true })
  return stop.signal
}

/** Runs a step as a test of Vitest's own runner. Each failure becomes an error of the test, at its line. */
export async function runAsTest(
  block: SuiteBlock,
  step: StepPlan,
  { task, signal, skip, plan, ...call }: TypedCall,
): Promise<void> {
  const refusal = task.fails ? refuseFails(task) : (refuseFakeTimers() ?? refuseBeside(task, plan))
  if (refusal !== undefined) {
    // Otherwise this error would pass as the expected failure.
    Object.assign(task, { fails: undefined })
    throw new AggregateError(describeProblems([{ message: refusal, at: step.at }], task.file.filepath))
  }
  const { errors, skipped } = await block.run(step, {
    ...call,
    signal: relayStop(signal),
    compareSnapshot: compareWith(expect, task, block.redactor),
  })
  // A step counts as an assertion, for projects that require one in each test.
  expect(errors).toBeDefined()
  // Adds errors as `expect.soft` does, which offers no way to give an error its place.
  if (errors.length > 0) {
    keepSnapshots(expect, task)
    // After an interrupt, Vitest has already noted a skipped attempt, and would show only the errors of attempts.
    const noted = task.result?.attempts?.find(({ state }) => state === 'skip')
    if (noted) Object.assign(noted, { state: 'fail', errors })
    Object.assign(task.result as object, {
      state: 'fail',
      errors: [...(task.result?.errors ?? []), ...errors],
    })
    // It may also have sent that result already.
    if (noted) await workerState()?.rpc.onTaskUpdate([[task.id, task.result, task.meta]], [])
  }
  if (skipped !== undefined) skip(skipped)
}

/**
 * Hooks that close what suites have started when the worker ends or, if it runs only one file, with that
 * file: Vitest loses what the end of the last worker throws. The tests themselves have no fixtures, since a
 * user's `beforeEach((context) => …)` could not run for them.
 */
export const closing: TestAPI<{ services: undefined }> = test.extend<{ services: undefined }>({
  services: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures a fixture uses from this pattern
    async ({}, use) => {
      await use(undefined)
      await closeServices()
    },
    { scope: workerState()?.config.isolate ? 'file' : 'worker', auto: true },
  ],
})
