import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node'
import { orderSuites } from '../../../src/suite/suite-index.ts'
import type { SuiteFiles } from '../suites/suite-files.ts'

type SequencerClass = new (vitest: Vitest) => TestSequencer

/** Wraps the user's sequencer. Suites come last, each after those that it reads from, and by descending priority. */
export function createSequencer(
  Base: SequencerClass,
  files: Pick<SuiteFiles, 'index' | 'ahead'>,
  refresh: () => Promise<void>,
): SequencerClass {
  return class SuiteSequencer implements TestSequencer {
    #base: TestSequencer

    constructor(vitest: Vitest) {
      this.#base = new Base(vitest)
    }

    async shard(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return this.#base.shard(specifications)
    }

    async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await this.#base.sort(specifications)
      await refresh()
      const index = await files.index()
      const others = sorted.filter(({ moduleId }) => !index.has(moduleId))
      const suites = sorted.flatMap((specification) => {
        const summary = index.get(specification.moduleId)
        return summary ? [{ ...summary, file: specification.moduleId, specification }] : []
      })
      const ordered = orderSuites(suites)
      files.ahead = ordered.map(({ file }) => file)
      return [...others, ...ordered.map(({ specification }) => specification)]
    }
  }
}
