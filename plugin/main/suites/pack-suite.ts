import { stringifyJson } from '../../../src/json.ts'
import { existsSync } from 'node:fs'
import { listSteps, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { TestProject } from 'vitest/node'
import { usesApp, type BrokenParcel, type SuiteParcel } from '../../contract/parcel.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import type { LinkedSuite } from '../../contract/linking/link-suite.ts'
import type { SuiteFiles } from './suite-files.ts'

/** What packing needs of the project. */
export type PackTools = {
  files: SuiteFiles
  options: ResolvedOptions
  project: TestProject
  /** The suites that run in this run, in their own files. */
  run: ReadonlySet<string>
}

/** A suite as the worker gets it, or why it could not be loaded. */
export async function packSuite(path: string, tools: PackTools): Promise<SuiteParcel | BrokenParcel> {
  const { files, options, project } = tools
  const id = project.createSpecification(path).taskId
  try {
    const linked = await files.link(path)
    const plan = stringifyJson(linked.plan)
    return {
      path,
      id,
      plan,
      needs: linked.needs,
      after: [...(await listBefore(linked, tools))],
      uses: {
        app: options.app !== undefined && usesApp(linked.plan),
        clock: linked.plan.clock !== undefined,
        mocks: hasMocks(linked.plan) || options.onUnhandled !== undefined,
        snapshots: plan.includes('"snapshot"') || hasSnapshots(project, path),
      },
    }
  } catch (error) {
    const { name, message } = error as Error
    return { path, id, error: { name, message, stack: `${name}: ${message}` } }
  }
}

function hasSnapshots({ vitest, serializedConfig: config }: TestProject, path: string): boolean {
  return existsSync(vitest.snapshot.resolvePath(path, { config }))
}

function hasMocks(plan: SuitePlan): boolean {
  return [plan, ...listSteps(plan)].some(({ mocks }) => mocks.length > 0)
}

/** Files of this run whose exports a suite needs, directly or through suites that are not in the run or that it calls. */
async function listBefore(linked: LinkedSuite, { files, run }: PackTools): Promise<Set<string>> {
  const before = new Set<string>()
  const seen = new Set<string>()
  const visit = async ({ plan, needs }: LinkedSuite): Promise<void> => {
    const called = new Set(plan.needs.filter(({ isCall }) => isCall).map(({ suite }) => suite))
    for (const [name, file] of needs) {
      const isBefore = !called.has(name) && run.has(file)
      if (isBefore) before.add(file)
      if (isBefore || seen.has(file)) continue
      seen.add(file)
      // One that is broken says so itself, where it runs.
      const other = await files.link(file).catch(() => undefined)
      if (other) await visit(other)
    }
  }
  await visit(linked)
  return before
}
