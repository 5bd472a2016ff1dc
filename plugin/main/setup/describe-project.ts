import { basename } from 'node:path'
import type { Plugin, ViteUserConfig } from 'vitest/config'
import type { PoolRunnerInitializer, TestProject, Vitest, VitestPluginContext } from 'vitest/node'
import { POOL } from '../suite-pool-worker.ts'

type ProjectEntry = NonNullable<NonNullable<ViteUserConfig['test']>['projects']>[number]

/** Name of the project of suites; Vitest names one of a project of a workspace `api (suites)`. */
const PROJECT_NAME = 'suites'

/** A name for a project of suites that no other one of the configuration has: of a second plugin `suites (2)`. */
export function chooseName({ test }: ViteUserConfig): string {
  const labels = (test?.projects ?? []).map((project) => readLabel(project))
  const count = labels.filter((label) => label?.startsWith(PROJECT_NAME)).length
  return count === 0 ? PROJECT_NAME : `${PROJECT_NAME} (${count + 1})`
}

function readLabel(project: ProjectEntry): string | undefined {
  const name = typeof project === 'object' && 'test' in project ? project.test?.name : undefined
  return typeof name === 'object' ? name.label : name
}

/** The project in which suites run: the user's configuration with one worker of ours. */
export function describeProject(
  name: string,
  include: readonly string[],
  createPoolWorker: PoolRunnerInitializer['createPoolWorker'],
) {
  return {
    name: { label: name, color: 'cyan' as const },
    include: [...include],
    pool: { name: POOL, createPoolWorker },
    benchmark: { enabled: false },
  }
}

type ProjectOptions = ReturnType<typeof describeProject>

/** True for the options of a project of suites, while they are read. */
export function isOfSuites(test: ViteUserConfig['test']): boolean {
  return typeof test?.pool === 'object' && test.pool.name === POOL
}

/** Options of the command line are those of every project, and lists are merged with the user's: what that of suites is nevertheless. */
export function configureProject(
  { projects }: Vitest,
  { config }: TestProject,
  { pool, include, exclude }: Pick<ProjectOptions, 'pool'> & Record<'include' | 'exclude', string[]>,
): void {
  const groupOrder = Math.max(0, ...projects.map((each) => each.config.sequence.groupOrder)) + 1
  Object.assign(config, {
    environment: 'node',
    // So Vitest hands all files to one worker at once.
    isolate: false,
    fileParallelism: true,
    maxWorkers: 1,
    pool: POOL,
    poolRunner: pool,
    include,
    includeSource: [],
    exclude,
    typecheck: { ...config.typecheck, enabled: false },
    sequence: { ...config.sequence, groupOrder, concurrent: false, shuffle: false },
  })
}

/** Projects that are declared inline have theirs of suites added one at a time. */
let turn: Promise<unknown> = Promise.resolve()

/** Adds the project of suites beside one that the root configuration declares inline, which has its options and filter. */
export async function injectProject(
  context: VitestPluginContext,
  entry: ProjectOptions,
): Promise<TestProject> {
  const adding = turn.then(() => inject(context, entry))
  turn = adding.catch(() => undefined)
  return adding
}

async function inject(
  { vitest, project: owner, injectTestProjects }: VitestPluginContext,
  entry: ProjectOptions,
): Promise<TestProject> {
  const label = `${owner.name} (${entry.name.label})`
  const { inlineConfig } = owner.vite.config
  const filter = vitest.config.project
  vitest.config.project = filter.filter((pattern) => pattern.startsWith('!'))
  const isLeftOut = !vitest.matchesProjectFilter(label)
  vitest.config.project = []
  const [own] = await injectTestProjects({
    ...inlineConfig,
    plugins: listInlinePlugins(owner),
    extends: inlineConfig.configFile ?? true,
    root: owner.config.root,
    test: {
      ...inlineConfig.test,
      ...entry,
      name: { ...entry.name, label },
      ...(owner.config.browser.enabled && { browser: { enabled: false } }),
    },
  }).finally(() => {
    vitest.config.project = filter
  })
  if (!own) throw new Error('suitecase: Vitest did not add the project of the suites.')
  if (isLeftOut) vitest.projects = vitest.projects.filter((project) => project !== own)
  return own
}

/** The projects of a configuration as the user has them. Without any, the configuration itself is the one. */
export function listOwnProjects({ test, configFile }: ViteUserConfig & { configFile?: string | false }) {
  if (test?.projects?.length) return []
  // Vitest takes a configuration for one of its own projects by the name of its file.
  const isNamed =
    typeof configFile === 'string' && /^vite(?:st)?(?:\.[\w-]+)?\.config\./.test(basename(configFile))
  return [isNamed ? configFile : { extends: true as const, test: { name: 'tests' } }]
}

/** False where a project only measures, or only judges types. */
export function runsTests({ config: { benchmark } }: TestProject, { config }: Vitest): boolean {
  return !benchmark.enabled && !(config.typecheck.enabled && config.typecheck.only)
}

/** The plugins written where a project is declared inline; those of a configuration file come with the file. */
export function listInlinePlugins({ vite }: TestProject): Plugin[] {
  return [vite.config.inlineConfig.plugins]
    .flat(Infinity as 1)
    .filter((plugin) => plugin && 'name' in plugin && !plugin.name.startsWith('vitest:')) as Plugin[]
}
