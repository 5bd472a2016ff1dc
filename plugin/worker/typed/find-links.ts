import { SuiteError } from '../../../src/errors.ts'
import { parseJson } from '../../../src/json.ts'
import { linkSuite } from '../../contract/linking/link-suite.ts'
import type { LoadedSuite, SuiteLookup } from '../../contract/linking/suite-lookup.ts'
import { INDEX_MODULE, PLAN_QUERY, type ReadPlan } from '../../contract/parcel.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { unlessUnhandled } from '../app/late-errors.ts'
import { linkApp } from '../app/started-services.ts'
import type { LinkedPlan } from '../session/links.ts'
import type { ObtainExports } from '../session/session.ts'
import { listSelected } from '../session/prerequisites.ts'
import { obtainExports } from '../exports/exporters.ts'
import { findWanted, type Chosen, type Obtained } from '../exports/foreign-exports.ts'
import type { TestFile } from './place-definition.ts'
import { vi } from './running-vitest.ts'
import { relativePath } from '../../../src/resolve-path.ts'

/** Imports a default export through Vitest, since an `import` in this package would bypass Vite. */
async function importDefault<Value>(id: string): Promise<Value> {
  return (await vi.importActual<{ default: Value }>(id)).default
}

async function importPlan(file: string): Promise<ReadPlan> {
  const { text } = await importDefault<{ text: string }>(`${file}${PLAN_QUERY}`)
  return parseJson(text) as unknown as ReadPlan
}

function linkPlan(path: string, { plan, needs }: ReadPlan, app: LinkedPlan['app']): LinkedPlan {
  const files = new Map(needs)
  const open = (name: string): Promise<LinkedPlan> | undefined => {
    const file = files.get(name)
    return file === undefined ? undefined : importPlan(file).then((read) => linkPlan(file, read, app))
  }
  return { path, plan, open, app }
}

/** The exports of suite files that suites in this worker have obtained so far. */
const shared: Obtained = new Map()

/** Runs, unreported and once per application, the steps that provide what the selected tests of a file read. */
export function obtainFor(blocks: NonNullable<TestFile['blocks']>, options: WorkerOptions): ObtainExports {
  // Only tests ask, and then all blocks of the file are known.
  const listChosen = (): Chosen[] =>
    blocks.map(({ linked, tests }) => ({ linked, steps: listSelected(tests) }))
  const listWanted = findWanted(options, listChosen)
  return (reader, read, signal) => obtainExports(reader, read, { signal, shared, listWanted })
}

/** Links a definition to suite files that it reads or calls. Rejects with a `SuiteError` if one is absent. */
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
      // A broken suite fails by itself when it runs.
      const { plan } = await importPlan(file).catch(() => {
        throw new SuiteError(file, [])
      })
      return { ...loaded, plan }
    },
    nodeIds: async () => nodeIds,
    // Nothing can call a suite in TypeScript.
    listPassed: async () => new Set(),
    show: (file) => relativePath(options.shownFrom, file),
  }
  const { plan, needs } = await linkSuite(suites, path, options)
  const app = linkApp(options, (module) => unlessUnhandled(vi.importActual(module)))
  return linkPlan(path, { plan, needs: [...needs] }, app)
}
