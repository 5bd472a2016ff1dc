import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node'
import { listSteps } from '../../../src/suite/plan/plan.ts'
import { orderSuites } from '../../../src/suite/suite-index.ts'
import type { SuiteFiles } from '../suites/suite-files.ts'

/** What is told of the order, and what it is made of. */
type OrderedProject = { files: SuiteFiles | undefined }

/** How many suites are loaded ahead of the worker. */
const AHEAD = 32

type SequencerClass = new (vitest: Vitest) => TestSequencer

/**
 * Wraps the user's sequencer: other tests keep its order, suites run after the suites they read from, and
 * those of higher priority first.
 */
export function createSequencer(Base: SequencerClass, project: OrderedProject): SequencerClass {
  return class SuiteSequencer implements TestSequencer {
    #base: TestSequencer

    constructor(vitest: Vitest) {
      this.#base = new Base(vitest)
    }

    async shard(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return this.#base.shard(specifications)
    }

    async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return moveSuites(await this.#base.sort(specifications), project)
    }
  }
}

async function moveSuites(
  sorted: TestSpecification[],
  project: OrderedProject,
): Promise<TestSpecification[]> {
  const index = await project.files?.index()
  if (!index) return sorted
  const suites = sorted.flatMap((specification) => {
    const glance = index.get(specification.moduleId)
    return glance ? [{ ...glance, file: specification.moduleId, specification }] : []
  })
  for (const { specification } of suites) await selectSteps(specification, project)
  const others = sorted.filter(({ moduleId }) => !index.has(moduleId))
  const ordered = orderSuites(suites)
  // Those that come first are loaded while their worker starts. What is wrong with one is said where it is run.
  for (const { file } of ordered.slice(0, AHEAD)) project.files?.load(file).catch(() => undefined)
  return [...others, ...ordered.map(({ specification }) => specification)]
}

/** Lets `file.suite.yaml:LINE` name any line of a step: Vitest itself takes only the line a test starts on. */
async function selectSteps(specification: TestSpecification, project: OrderedProject): Promise<void> {
  const { testLines, moduleId } = specification
  if (!testLines?.length) return
  // A suite that cannot be loaded says so when its test file is run.
  const loaded = await project.files?.load(moduleId).catch(() => undefined)
  if (!loaded) return
  const steps = listSteps(loaded.plan)
  const lines = testLines.map(
    (line) => steps.find(({ lines: [first, last] }) => first <= line && line <= last)?.at[0] ?? line,
  )
  Object.assign(specification, { testLines: lines })
}
