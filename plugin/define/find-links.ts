import { relative, resolve } from 'node:path'
import { vi } from 'vitest'
import { SuiteError, type Problem } from '../../src/errors.ts'
import { createSuiteError } from '../../src/suite/load-suite.ts'
import type { SuitePlan } from '../../src/suite/plan.ts'
import { linkSuite, type SuiteLookup } from '../link-suite.ts'
import type { LinkedPlan, Links } from '../links.ts'
import type { ImportModule } from '../messages.ts'
import { sendMessage } from '../send-message.ts'
import type { WorkerOptions } from '../worker-options.ts'
import type { LoadedDefinition } from './load-definition.ts'

/** What the id of a suite file's plan module ends with, as the plugin answers `find`. */
const PLAN_QUERY = '?suitecase-plan'

/** Imports through Vitest, which gives a test file no `import` of its own to hand on. */
const importModule: ImportModule = (id) => vi.importActual(id)

function importPlan(file: string): Promise<{ default: LinkedPlan }> {
  return vi.importActual(`${file}${PLAN_QUERY}`)
}

/** Imports of the application under test, if there is one. */
export function linkApp({ app, root }: Pick<WorkerOptions, 'app' | 'root'>): Pick<Links, 'import' | 'app'> {
  return {
    import: importModule,
    ...(app !== undefined && { app: () => vi.importActual(resolve(root, app)) }),
  }
}

/** A definition checked against the suite files it names, and the imports it needs. */
export type LinkedDefinition = { plan: SuitePlan; links: Links }

/** Links a definition to the suite files it reads from or calls. Throws a `SuiteError` for those that do not exist; without the plugin there are none. */
export async function findLinks(
  loaded: LoadedDefinition,
  options: WorkerOptions,
  alone: boolean,
): Promise<LinkedDefinition> {
  if (alone) return { plan: refuseNeeds(loaded), links: { ...linkApp(options), plans: {} } }
  const { plan, needs } = await linkSuite(
    createLookup(loaded, options),
    loaded.path,
    options.compat !== undefined,
  )
  const plans = Object.fromEntries([...needs].map(([name, file]) => [name, () => importPlan(file)]))
  return { plan, links: { ...linkApp(options), plans } }
}

/** The suite files as a worker can ask for them. */
function createLookup(loaded: LoadedDefinition, { shownFrom }: WorkerOptions): SuiteLookup {
  return {
    load: async (path) => (path === loaded.path ? loaded : { ...loaded, plan: await loadPlan(path) }),
    async find(reference, folder) {
      const id = await sendMessage(importModule, { kind: 'find', reference, folder })
      return typeof id === 'string' ? id.slice(0, -PLAN_QUERY.length) : undefined
    },
    // Names are suggested and compared where suites in YAML are loaded.
    index: () => Promise.resolve(new Map()),
    show: (path) => relative(shownFrom, path).replaceAll('\\', '/'),
  }
}

/** A suite that is broken fails on its own, where it runs. */
async function loadPlan(path: string): Promise<SuitePlan> {
  try {
    return (await importPlan(path)).default.plan
  } catch {
    throw new SuiteError(path, [])
  }
}

function refuseNeeds({ plan, source }: LoadedDefinition): SuitePlan {
  const problems = plan.needs.map(({ suite, range }): Problem => ({
    code: 'unknown-reference',
    severity: 'error',
    message: `The suite \`${suite}\` cannot be found without the plugin.`,
    hint: 'Add `suites()` to the plugins of the Vitest configuration.',
    range,
  }))
  if (problems.length > 0) throw createSuiteError(source, problems)
  return plan
}
