import { expect, test, type TestAPI, type TestContext } from 'vitest'
import type { StepPlan, SuitePlan } from '../../../src/suite/plan/plan.ts'
import { closeServices, needsServices } from '../app/started-services.ts'
import { describeFailures } from '../engine/describe-errors.ts'
import { compareWith } from '../engine/snapshots.ts'
import type { Links } from '../session/session-interface.ts'
import type { StepCall, SuiteBlock } from '../session/suite-block.ts'

type TypedCall = Pick<StepCall, 'test' | 'selected' | 'loop'> & Pick<TestContext, 'task' | 'signal' | 'skip'>

/** Runs a step as a test of Vitest's own runner; each failure is one of the test's errors, at its line. */
export async function runAsTest(
  block: SuiteBlock,
  step: StepPlan,
  { task, signal, skip, ...call }: TypedCall,
): Promise<void> {
  const report = await block.run(step, {
    ...call,
    signal,
    compareSnapshot: compareWith(expect, block.redactor),
  })
  if (report.debug !== '') console.log(report.debug)
  // A step counts as an assertion, for those who require some.
  expect(report).toBeDefined()
  const errors = await describeFailures(report.failures, task.file.filepath, {})
  // As `expect.soft` does, which has no place of its own for an error.
  if (errors.length > 0)
    Object.assign(task.result as object, {
      state: 'fail',
      errors: [...(task.result?.errors ?? []), ...errors],
    })
  if (report.skipped !== undefined) skip(report.skipped)
}

/** The `test` for a suite's steps: one that closes what the suite starts, if it starts anything. */
export function chooseTest(plan: SuitePlan, links: Links): TestAPI {
  return needsServices(plan, links) ? (testWithServices as TestAPI) : test
}

/** Closes what suites started when the worker ends; only for suites that start something. */
const testWithServices = test.extend<{ services: undefined }>({
  services: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures a fixture uses from this pattern
    async ({}, use) => {
      await use(undefined)
      await closeServices()
    },
    { scope: 'worker', auto: true },
  ],
})
