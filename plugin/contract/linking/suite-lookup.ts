import { existsSync } from 'node:fs'
import { SuiteError } from '../../../src/errors.ts'
import { resolvePath } from '../../../src/resolve-path.ts'
import type { SourceFile } from '../../../src/source.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'

/** A loaded suite, and the text it was loaded from. */
export type LoadedSuite = { plan: SuitePlan; source: SourceFile }

/** What linking needs to know about the other suites. */
export type SuiteLookup = {
  /** Rejects with a `SuiteError`. */
  load(path: string): Promise<LoadedSuite>
  /** The files that have each node id: one, unless several suites share it. */
  nodeIds(): Promise<ReadonlyMap<string, readonly string[]>>
  /** The names of what calls may pass to a suite. Of a caller that does not load, all words. */
  listPassed(nodeId: string, path: string): Promise<ReadonlySet<string>>
  show(path: string): string
}

/** A suite that another one names. A broken suite has no plan. It reports its mistakes when it runs. */
export type OtherSuite = { file: string; plan?: SuitePlan }

/** Finds the file of a suite by its node id, or by its path relative to `folder`. */
export async function findFile(
  suites: Pick<SuiteLookup, 'nodeIds'>,
  name: string,
  folder: string,
): Promise<string | undefined> {
  if (/\.ya?ml$/i.test(name)) return resolvePath(folder, name)
  return (await suites.nodeIds()).get(name)?.[0]
}

/** Finds the suite that another one names, or undefined if there is none. */
export async function findOther(
  suites: SuiteLookup,
  name: string,
  { folder }: SuitePlan,
): Promise<OtherSuite | undefined> {
  const file = await findFile(suites, name, folder)
  if (file === undefined) return undefined
  try {
    return { file, plan: (await suites.load(file)).plan }
  } catch (error) {
    if (!existsSync(file)) return undefined
    if (error instanceof SuiteError) return { file }
    throw error
  }
}
