import { basename } from 'node:path'
import type { Plugin, ViteUserConfig } from 'vitest/config'
import type { PoolRunnerInitializer, TestProject, Vitest } from 'vitest/node'
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
    environment: 'node' as const,
    pool: { name: POOL, createPoolWorker },
    benchmark: { enabled: false },
  }
}

/** True for the options of a project of suites, while they are read. */
export function isOfSuites(test: ViteUserConfig['test']): boolean {
  return typeof test?.pool === 'object' && test.pool.name === POOL
}

/** What the project of suites is, whatever the configuration or the command line says of workers: Vitest hands all files to one worker at once. */
export const WORKER = { environment: 'node', isolate: false, fileParallelism: true, maxWorkers: 1 } as const

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
