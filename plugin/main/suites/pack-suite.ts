import { stringifyJson } from '../../../src/json.ts'
import { existsSync } from 'node:fs'
import { listSteps, type SuitePlan } from '../../../src/suite/plan/plan.ts'
import type { BrokenParcel, SuiteParcel } from '../../contract/parcel.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import { usesApp } from '../../contract/uses-app.ts'
import type { LinkedSuite } from '../../contract/linking/link-suite.ts'
import type { SuiteFiles } from './suite-files.ts'

/** What packing needs of the project. */
export type PackTools = {
  files: SuiteFiles
  options: ResolvedOptions
  /** Vitest's id of a test file. */
  identify: (path: string) => string
  /** True for a suite that runs in this run, in its own file. */
  isInRun: (path: string) => boolean
  /** Where the snapshots of a test file are kept. */
  resolveSnapshots: (path: string) => string
}

/** A suite as the worker gets it, or why it could not be loaded. */
export async function packSuite(path: string, tools: PackTools): Promise<SuiteParcel | BrokenParcel> {
  const { files, options } = tools
  const id = tools.identify(path)
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
        snapshots: plan.includes('"snapshot"') || existsSync(tools.resolveSnapshots(path)),
      },
    }
  } catch (error) {
    const { name, message } = error as Error
    return { path, id, error: { name, message, stack: `${name}: ${message}` } }
  }
}

function hasMocks(plan: SuitePlan): boolean {
  return [plan, ...listSteps(plan)].some(({ mocks }) => mocks.length > 0)
}

/** Files of this run whose exports a suite needs, directly or through suites that are not in the run or that it calls. */
async function listBefore(linked: LinkedSuite, { files, isInRun }: PackTools): Promise<Set<string>> {
  const before = new Set<string>()
  const seen = new Set<string>()
  const visit = async ({ plan, needs }: LinkedSuite): Promise<void> => {
    const called = new Set(plan.needs.filter(({ isCall }) => isCall).map(({ suite }) => suite))
    for (const [name, file] of needs) {
      const isRead = !called.has(name)
      if (isRead && isInRun(file)) before.add(file)
      if ((isRead && isInRun(file)) || seen.has(file)) continue
      seen.add(file)
      // One that is broken says so itself, where it runs.
      const other = await files.link(file).catch(() => undefined)
      if (other) await visit(other)
    }
  }
  await visit(linked)
  return before
}
