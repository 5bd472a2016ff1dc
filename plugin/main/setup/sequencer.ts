import type { TestSequencerConstructor, Vitest } from 'vitest/node'
import { orderSuites } from '../../../src/suite/suite-index.ts'
import type { SuiteFiles } from '../suites/suite-files.ts'

/** Extends the user's sequencer. Suites come last, each after those that it reads from, and by descending priority. */
export function createSequencer(
  Base: TestSequencerConstructor,
  files: Pick<SuiteFiles, 'index' | 'ahead'>,
  refresh: () => Promise<void>,
): TestSequencerConstructor {
  return class SuiteSequencer extends Base {
    constructor(vitest: Vitest) {
      super(vitest)
      const sort = this.sort.bind(this)
      this.sort = async (specifications) => {
        const sorted = await sort(specifications)
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
}
