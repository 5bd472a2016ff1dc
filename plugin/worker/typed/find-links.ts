import { relative } from 'node:path'
import { vi } from 'vitest'
import { SuiteError } from '../../../src/errors.ts'
import { parseJson } from '../../../src/json.ts'
import { rememberObjects } from '../../../src/remember.ts'
import { linkSuite } from '../../contract/linking/link-suite.ts'
import type { LoadedSuite, SuiteLookup } from '../../contract/linking/suite-lookup.ts'
import { INDEX_MODULE, PLAN_QUERY, type ReadPlan } from '../../contract/parcel.ts'
import type { SuiteExports } from '../session/export-types.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { linkApp } from '../app/started-services.ts'
import type { LinkedPlan, Links } from '../session/links.ts'
import type { ObtainExports } from '../session/session.ts'
import { runExporter } from '../session/suite-exports.ts'

/** Imports through Vitest, which gives a test file no `import` of its own to hand on. */
async function importDefault<Value>(id: string): Promise<Value> {
  return (await vi.importActual<{ default: Value }>(id)).default
}

/** The plan in a module that carries one, which is there once. */
const readPlan = rememberObjects(({ text }: { text: string }) => parseJson(text) as unknown as ReadPlan)

/** The plan of a suite file, as the plugin carries it. */
async function importPlan(file: string): Promise<ReadPlan> {
  return readPlan(await importDefault(`${file}${PLAN_QUERY}`))
}

/** Links lead to other suites, which are imported when they are asked for. */
function linkPlans(needs: Iterable<[name: string, file: string]>, app: Links['app']): Links {
  const link = async (path: string): Promise<LinkedPlan> => {
    const { plan, needs } = await importPlan(path)
    return { plan, path, links: linkPlans(needs, app) }
  }
  return { plans: new Map(Array.from(needs, ([name, file]) => [name, () => link(file)])), app }
}

/** What suite files gave to the suites of this worker, by file. */
const obtained = new Map<string, Promise<SuiteExports>>()

/** Runs the steps that give a suite's exports, unreported, once in this worker. */
export const obtainExports: ObtainExports = async (reader, nodeId, signal) => {
  const linked = (await reader.links.plans.get(nodeId)?.()) as LinkedPlan
  const known = obtained.get(linked.path)
  if (known) return { ...(await known), problems: [] }
  const running = runExporter(reader, { nodeId, linked, wanted: linked.plan.exports }, signal)
  // A token is good only for the application that gave it.
  if (linked.links.app?.per !== 'suite') obtained.set(linked.path, running)
  return running
}

/** Links a definition of a test file to the suite files it reads from or calls. Throws a `SuiteError` for those that do not exist. */
export async function findLinks(
  loaded: LoadedSuite,
  path: string,
  options: WorkerOptions,
): Promise<LinkedPlan> {
  const files = await importDefault<Record<string, string>>(INDEX_MODULE)
  const nodeIds = new Map(Object.entries(files).map(([id, file]) => [id, [file]]))
  const suites: SuiteLookup = {
    async load(file) {
      if (file === path) return loaded
      // A suite that is broken fails on its own, where it runs.
      const { plan } = await importPlan(file).catch(() => {
        throw new SuiteError(file, [])
      })
      return { ...loaded, plan }
    },
    nodeIds: async () => nodeIds,
    // Suites in TypeScript are called by nobody.
    index: async () => new Map(),
    show: (file) => relative(options.shownFrom, file).replaceAll('\\', '/'),
  }
  const { plan, needs } = await linkSuite(suites, path, options)
  const app = linkApp(options, (module) => vi.importActual(module))
  return { path, plan, links: linkPlans(needs, app) }
}
