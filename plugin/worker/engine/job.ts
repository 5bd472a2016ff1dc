import type { RunnerTestFile, WorkerGlobalState } from 'vitest'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import type { SuiteExports } from '../exports/export-types.ts'
import { listSelected } from '../session/prerequisites.ts'
import type { Parcels } from './parcels.ts'
import { selectTests, type FileSpecification } from './select-tests.ts'
import { addTests, createFile, type BlockTask } from './task-tree.ts'

/** The tests of a suite file, with the run's selection marked. */
type Prepared = { file: RunnerTestFile; blocks: BlockTask[] }

type JobTools = { state: WorkerGlobalState; options: WorkerOptions; parcels: Parcels }

/** A suite file of the run. */
export class Job {
  readonly order: number
  readonly specification: FileSpecification
  /** What it provides to other suites, resolved when it has ended. */
  readonly exports = Promise.withResolvers<SuiteExports>()
  /** Its tests, until it has ended. */
  prepared: Promise<Prepared> | undefined
  /** The exports that it lacks, if one of its tests has failed. */
  lacking: SuiteExports['missing'] | undefined
  readonly #tools: JobTools
  /** Pointers of its selected steps. */
  #selected: ReadonlySet<string> | undefined
  /** True if a filter leaves out its last row, whose exports count. */
  #lacksLastRow = false

  constructor(specification: FileSpecification, order: number, tools: JobTools) {
    this.specification = specification
    this.order = order
    this.#tools = tools
  }

  /** Creates its tests, once: when it runs, or when another suite needs them. */
  prepare(): Promise<Prepared> {
    return (this.prepared ??= this.#prepare())
  }

  async #prepare(): Promise<Prepared> {
    const { parcels, state, options } = this.#tools
    const { config } = state
    const { plan, path } = await parcels.link(this.specification.filepath)
    const file = createFile(await parcels.get(path), state)
    const prepared = { file, blocks: addTests(file, plan, { config, options }) }
    await selectTests(prepared, this.specification, config)
    const tests = file.mode === 'skip' ? [] : prepared.blocks.flatMap(({ tests }) => tests)
    this.#lacksLastRow = prepared.blocks.at(-1)?.block.mode === 'skip'
    this.#selected = new Set(listSelected(tests).map(({ pointer }) => pointer))
    return prepared
  }

  /** Whether any of its tests is selected. True if they cannot be created, which is reported when the suite runs. */
  async isSelected(): Promise<boolean> {
    if (!this.#selected) await this.prepare().catch(() => undefined)
    return this.#selected?.size !== 0
  }

  /** Whether the suite gives its exports by its own tests. */
  async runsItself(): Promise<boolean> {
    return (await this.isSelected()) && !this.#lacksLastRow
  }

  /** Whether the tests of a step are selected. */
  selects({ pointer }: StepPlan): boolean {
    return this.#selected?.has(pointer) === true
  }
}
