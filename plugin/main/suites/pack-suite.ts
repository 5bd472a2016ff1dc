import { stringifyJson } from '../../../src/json.ts'
import { existsSync } from 'node:fs'
import { SuiteError, type LocatedProblem } from '../../../src/errors.ts'
import { hasMocks, listChecks, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { TestProject } from 'vitest/node'
import { usesApp, type BrokenParcel, type SuiteParcel } from '../../contract/parcel.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import type { LinkedSuite } from '../../contract/linking/link-suite.ts'
import type { SuiteFiles } from './suite-files.ts'

/** What packing needs from the project. */
export type PackTools = {
  files: SuiteFiles
  options: ResolvedOptions
  project: TestProject
}

/** A suite as the worker gets it, or the reason why it could not be loaded. `run` holds the files of the run. */
export async function packSuite(
  path: string,
  run: ReadonlySet<string>,
  tools: PackTools,
): Promise<SuiteParcel | BrokenParcel> {
  const { files, options, project } = tools
  const snapshots = project.vitest.snapshot.resolvePath(path, { config: project.serializedConfig })
  try {
    const linked = await files.link(path)
    const { before, within } = await findOthers(linked, run, tools)
    const plans = [linked.plan, ...within]
    const isMocked = plans.some(hasMocks)
    return {
      path,
      plan: stringifyJson(linked.plan),
      needs: linked.needs,
      after: [...before],
      uses: {
        // Mocks count as use: they would answer what the application sends for other suites.
        app: options.app !== undefined && (isMocked || plans.some(usesApp)),
        clock: plans.some(({ clock }) => clock !== undefined),
        mocks: isMocked || options.onUnhandled !== undefined,
        snapshots:
          plans.flatMap(listChecks).some(({ operator }) => operator === 'snapshot') || existsSync(snapshots),
      },
    }
  } catch (error) {
    const { name, message } = error as Error
    const broken = { path, error: { name, message, stack: `${name}: ${message}` } }
    if (!(error instanceof SuiteError)) return broken
    const isHere = ({ file, severity }: LocatedProblem) => severity === 'error' && file === files.show(path)
    return { ...broken, at: error.problems.find(isHere)?.at ?? [1, 1] }
  }
}

/** Finds the suites that a suite needs: files to wait for (`before`), and those run inside it (`within`). */
async function findOthers(
  linked: LinkedSuite,
  run: ReadonlySet<string>,
  { files, options }: PackTools,
): Promise<{ before: Set<string>; within: SuitePlan[] }> {
  const before = new Set<string>()
  const within: SuitePlan[] = []
  const seen = new Set<string>()
  const visit = async ({ plan, needs }: LinkedSuite): Promise<void> => {
    const read = new Set(plan.foreign.map(({ root }) => root))
    const called = new Set(plan.needs.filter(({ isCall }) => isCall).map(({ suite }) => suite))
    for (const [name, file] of needs) {
      const isBefore = run.has(file) && (read.has(name) || !called.has(name))
      if (isBefore) before.add(file)
      // If each suite has its own application, a suite that provides a token runs again inside each reader.
      const runsAgain = called.has(name) || options.app?.per === 'suite'
      if ((isBefore && !runsAgain) || seen.has(file)) continue
      seen.add(file)
      const other = await files.link(file).catch(() => undefined)
      if (!other) continue
      within.push(other.plan)
      await visit(other)
    }
  }
  await visit(linked)
  return { before, within }
}
