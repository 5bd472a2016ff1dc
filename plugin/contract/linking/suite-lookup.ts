import { SuiteError } from '../../../src/errors.ts'
import type { SourceFile } from '../../../src/source.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { SuiteGlance } from '../../../src/suite/suite-index.ts'
import type { LinkTarget } from './describe-link.ts'

/** A loaded suite with its text, which the source map carries. */
export type LoadedSuite = { plan: SuitePlan; source: SourceFile }

/** What linking needs to know of the other suites. */
export type SuiteLookup = {
  /** Throws `SuiteError`. */
  load(path: string): Promise<LoadedSuite>
  /** File of a node id, or of a path relative to a suite's folder. */
  find(reference: string, folder: string): Promise<string | undefined>
  /** The files of each node id. */
  nodeIds(): Promise<ReadonlyMap<string, readonly string[]>>
  index(): Promise<ReadonlyMap<string, SuiteGlance>>
  /** Path as messages show it. */
  show(path: string): string
  /** Names of the environments, if none is chosen. */
  environments?: readonly string[]
}

/** The file of a name, and the suite in it as far as it can be had. */
export async function findOther(
  suites: SuiteLookup,
  name: string,
  { folder }: SuitePlan,
): Promise<{ file: string | undefined; target: LinkTarget }> {
  const file = await suites.find(name, folder)
  return { file, target: file === undefined ? undefined : await loadOther(suites, file) }
}

/** Another suite as far as it can be had: one that is broken says so itself, where it runs. */
export async function loadOther(
  suites: SuiteLookup,
  file: string,
): Promise<SuitePlan | 'missing' | 'broken'> {
  try {
    return (await suites.load(file)).plan
  } catch (error) {
    if (error instanceof SuiteError) return 'broken'
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
    throw error
  }
}
