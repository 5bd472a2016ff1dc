import type { Plugin } from 'vitest/config'
import type { PoolRunnerInitializer, TestProject, Vitest } from 'vitest/node'
import type { ResolvedOptions } from '../../contract/options.ts'
import { PACKAGE_FILES } from '../../contract/package-files.ts'
import { POOL } from '../suite-pool-worker.ts'

/** Name of the project that the plugin adds when it is in the root configuration. */
const PROJECT_NAME = 'suites'

/** Name of the project that carries the plugin of a root configuration with `projects`. */
export const CARRIER = 'suitecase:carrier'

/** What of Vitest's `test` options the plugin looks at before they are resolved. */
export type WrittenTest = { project?: string | string[]; projects?: unknown; fileParallelism?: boolean }

/** True for options that declare projects. */
export function declaresProjects(test: WrittenTest | undefined): boolean {
  return Array.isArray(test?.projects) && test.projects.length > 0
}

/**
 * A project without tests beside those that a configuration declares: Vitest asks the plugins of projects only, and those
 * of the root only where a project shares its server. Undefined without `projects`, or where another plugin has declared it.
 */
export function declareCarrier(test: WrittenTest | undefined): { projects: object[] } | undefined {
  if (!declaresProjects(test)) return undefined
  const declared = test?.projects as ({ test?: { name?: unknown } } | string)[]
  if (declared.some((project) => typeof project === 'object' && project.test?.name === CARRIER))
    return undefined
  // What plugins add to the user's options is not there yet when projects share a server.
  const server = { deps: { external: [PACKAGE_FILES] } }
  return { projects: [{ extends: true, test: { name: CARRIER, include: [], server } }] }
}

/** True for that project, and for those that Vitest makes of it. */
export function isCarrier({ name }: TestProject): boolean {
  return name.includes(CARRIER)
}

/** True for what has the plugin of the root configuration: a project that shares its server, or, where none does, the one that carries it. */
export function isRootOwner({ projects, vite }: Vitest, owner: TestProject): boolean {
  return owner.vite === vite || (isCarrier(owner) && !projects.some((project) => project.vite === vite))
}

/** True for a project that has a server of its own from the root configuration's file, where that has the plugin too. */
export function isReloadedRoot(vitest: Vitest, { vite }: TestProject, api: object): boolean {
  const { configFile, inlineConfig } = vite.config
  // Those written where a project is declared inline; those of a configuration file come with the file.
  const written = [inlineConfig.plugins].flat(Infinity as 1) as (Plugin | undefined)[]
  return (
    configFile !== undefined &&
    configFile === vitest.vite.config.configFile &&
    !written.some((plugin) => plugin?.api === api)
  )
}

/** False where a project only measures, or only judges types. */
export function runsTests({ config: { benchmark, typecheck } }: TestProject): boolean {
  return !benchmark.enabled && !(typecheck.enabled && typecheck.only)
}

/** Names of projects of suites, by the server of the root: a restart has a new one. */
const given = new WeakMap<object, string[]>()

/** The name of a project of suites: `suites`, of a second plugin `suites (2)`; in a workspace the name of the user's project with `(suites)` behind it, as Vitest names browsers. */
export function nameProject({ projects, vite }: Vitest, owner: TestProject, isRoot: boolean): string {
  const wanted = isRoot ? PROJECT_NAME : `${owner.name} (${PROJECT_NAME})`
  const taken = [...(given.get(vite) ?? []), ...projects.map((project) => project.name)]
  let name = wanted
  for (let count = 2; taken.includes(name); count++) name = `${wanted} (${count})`
  given.set(vite, [...taken, name])
  return name
}

/** What makes a project beside another one, internal to Vitest. */
const SPAWN = '_spawnSibling'

/**
 * Makes the project in which suites run: that of the user with one worker of ours, after all other tests. Like the
 * variants that Vitest makes for benchmarks, it has the same resolved options and the same server.
 */
export function createSuiteProject(
  { projects }: Vitest,
  owner: TestProject,
  {
    name,
    isRoot,
    options: { include, exclude },
    createPoolWorker,
  }: { name: string; isRoot: boolean; options: ResolvedOptions } & Pick<
    PoolRunnerInitializer,
    'createPoolWorker'
  >,
): TestProject {
  const { config } = owner
  const orders = projects.map((project) => project.config.sequence.groupOrder)
  const spawn = Reflect.get(owner.constructor, SPAWN) as (
    parent: TestProject,
    config: TestProject['config'],
  ) => TestProject
  return spawn(owner, {
    ...config,
    name,
    color: 'cyan',
    include,
    // Packages have suites of their own, this one too: an `exclude` of the user's takes the place of Vitest's, which leaves them out.
    exclude: [...new Set(['**/node_modules/**', ...config.exclude, ...exclude])],
    includeSource: [],
    tags: [...config.tags],
    environment: 'node',
    pool: POOL,
    poolRunner: { name: POOL, createPoolWorker },
    // So Vitest hands all files to one worker at once.
    isolate: false,
    maxWorkers: 1,
    sequence: {
      ...config.sequence,
      groupOrder: Math.max(0, ...orders) + 1,
      concurrent: false,
      shuffle: false,
    },
    browser: { ...config.browser, enabled: false },
    benchmark: { ...config.benchmark, enabled: false },
    typecheck: { ...config.typecheck, enabled: false },
    // That of the root is run once for all projects.
    ...(isRoot && { globalSetup: [] }),
  })
}
