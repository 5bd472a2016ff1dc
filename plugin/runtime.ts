import { afterAll, describe, inject, test, type TestAPI } from 'vitest'
import { listStaticLoops } from '../src/run/loops.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../src/suite/plan.ts'
import type { Links } from './links.ts'
import { ReportedSuite } from './reported-suite.ts'
import { closeServices, needsServices } from './services.ts'

/** What a generated module says of a test: the step's index among all steps, and of a known iteration its index. */
export type TestFlags = { step: number; iteration?: number; only?: boolean }

/** Declares one test; `body` runs the step, from a line that maps to the step in the suite file. */
export type DeclareTest = (
  name: string,
  flags: TestFlags,
  body: (run: () => Promise<void>) => Promise<void>,
) => void

/** Declares the block of a suite, or of one row of its `each`. */
export type DeclareSuite = (
  name: string,
  flags: { row: number; tags: string[] },
  body: (test: DeclareTest) => void,
) => void

/** Opens a loaded suite for declaration. Called by generated modules. */
export function openSuite(plan: SuitePlan, links: Links): DeclareSuite {
  const options = inject('suitecase')
  const steps = listSteps(plan)
  const declareTest = chooseTest(plan, links)
  return (name, { row: index, tags }, body) => {
    const row = plan.each?.[index]
    const suite = new ReportedSuite({ plan, links, options, ...(row && { row, index }) })
    // oxlint-disable-next-line vitest/valid-title -- the name is generated, always a text
    describe(name, { concurrent: false, shuffle: false, tags }, () => {
      body((testName, { step: number, iteration, only }, runBody) => {
        const step = steps[number] as StepPlan
        const loop = iteration === undefined ? undefined : listStaticLoops(plan, step)?.[iteration]
        const flags = { concurrent: false, timeout: 0, ...(only && { only }) }
        declareTest(testName, flags, ({ task, signal, skip, annotate }) =>
          runBody(() =>
            suite.run(step, { context: { task, signal, skip, annotate }, ...(loop && { loop }) }),
          ),
        )
      })
      // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures a hook uses from this pattern
      afterAll(({}, { meta, file }) => suite.finish(meta, file.filepath), 0)
    })
  }
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
