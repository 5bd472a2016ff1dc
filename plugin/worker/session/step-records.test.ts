import { expect, test } from 'vitest'
import type { StepOutcome } from '../../../src/run/step-outcome.ts'
import { loadSuite } from '../../../src/suite/load-suite.ts'
import { listSteps, type StepPlan } from '../../../src/suite/plan/plan.ts'
import type { StepTask } from '../engine/collect-tests.ts'
import { StepRecords } from './step-records.ts'

const record = (message: string) => ({
  outcome: { result: { assertions_results: [1] }, failures: [{ message }] } as unknown as StepOutcome,
  before: {} as never,
})

test('of a step with a test for each iteration, those are missing that have not run', async () => {
  const text = `suite_name: S
steps:
  - { name: A, request: { url: /a } }
  - { name: B, request: { url: /b } }
teardown:
  - { name: End, request: { url: /end } }
`
  const steps = listSteps(await loadSuite({ path: 's.suite.yaml', text }, { folder: '.' }))
  const [a, b] = steps as [StepPlan, StepPlan]
  const loops = [0, 1, 2].map((index) => ({ index }))
  const records = new StepRecords(steps, loops.map((loop) => ({ step: b, loop })) as unknown as StepTask[])
  const listNames = (before?: StepPlan) => records.listOpen(before).map(({ name }) => name)
  expect([listNames(), listNames(b), records.listMissing(b)]).toEqual([['A', 'B'], ['A'], [undefined]])

  records.keep(a, undefined, record('of A'))
  records.keep(b, loops[2], record('third'))
  records.keep(b, loops[0], record('first'))
  expect([listNames(), listNames(b), records.listMissing(b)]).toEqual([['B'], [], [loops[1]]])
  const tell = (outcomes: readonly StepOutcome[]) => outcomes.map(({ failures }) => failures[0]?.message)
  expect(tell(records.all())).toEqual(['of A', 'first', 'third'])
  expect(tell(records.outcomes(b, loops[2]))).toEqual(['third'])

  records.forget(b, loops[2])
  expect(records.listMissing(b)).toEqual([loops[1], loops[2]])
  records.release(b)
  expect(records.outcomes(b)).toMatchObject([
    { result: { assertions_results: [] }, failures: [{ message: '' }] },
  ])
  records.forget(a, undefined)
  expect([records.has(a), records.listMissing(a)]).toEqual([false, [undefined]])
})
