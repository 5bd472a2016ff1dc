import type { TestSpecification, Vitest } from 'vitest/node'
import { isSuiteFile } from './read-module.ts'

/** Suite files of this run (or of this shard of it) that no worker ever got to. */
export async function listUnstarted(
  vitest: Vitest,
  specifications: readonly TestSpecification[],
): Promise<TestSpecification[]> {
  const suites = specifications.filter((one) => isSuiteFile(one.moduleId) && !one.testModule)
  if (suites.length === 0 || !vitest.config.shard) return suites
  // Files of other shards have not started either; the sequencer tells which are ours, as the pool asked it to.
  const Sequencer = vitest.config.sequence.sequencer
  const ours = new Set(await new Sequencer(vitest).shard([...specifications]))
  return suites.filter((one) => ours.has(one))
}
