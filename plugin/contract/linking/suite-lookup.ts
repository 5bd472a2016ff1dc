import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { SuiteError } from '../../../src/errors.ts'
import type { SourceFile } from '../../../src/source.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { SuiteSummary } from '../../../src/suite/suite-index.ts'

/** A loaded suite with its text, which the source map carries. */
export type LoadedSuite = { plan: SuitePlan; source: SourceFile }

/** What linking needs to know of the other suites. */
export type SuiteLookup = {
  /** Throws `SuiteError`. */
  load(path: string): Promise<LoadedSuite>
  /** The files of each node id: one, unless two suites have the same. */
  nodeIds(): Promise<ReadonlyMap<string, readonly string[]>>
  index(): Promise<ReadonlyMap<string, SuiteSummary>>
  /** Path as messages show it. */
  show(path: string): string
  /** Names of the environments, if none is chosen. */
  environments?: readonly string[]
}

/** A suite that another one names; one that is broken has no plan, and says so itself where it runs. */
export type OtherSuite = { file: string; plan?: SuitePlan }

/** The file that the name of a suite stands for, which is a node id or a path relative to a folder. */
export async function findFile(
  suites: Pick<SuiteLookup, 'nodeIds'>,
  name: string,
  folder: string,
): Promise<string | undefined> {
  if (/\.ya?ml$/i.test(name)) return resolve(folder, name)
  return (await suites.nodeIds()).get(name)?.[0]
}

/** Finds the suite that a name in another one stands for; undefined when there is none. */
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
