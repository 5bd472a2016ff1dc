import type { Plugin } from 'vitest/config'
import type { PoolRunnerInitializer, TestProject, Vitest, VitestPluginContext } from 'vitest/node'
import type { ResolvedOptions } from '../../contract/options.ts'
import { POOL } from '../suite-pool-worker.ts'
import { PACKAGE_FILES } from '../../contract/package-files.ts'

/** Name of the project that the plugin adds when it is in the root configuration. */
const PROJECT_NAME = 'suites'

/** True when the plugin is in the root configuration and not in that of a project of a workspace. */
export function isRootOwner(vitest: Vitest, owner: TestProject): boolean {
  return owner.vite === vitest.vite
}

/** False where a project only measures, or only judges types. */
export function runsTests({ config: { benchmark, typecheck } }: TestProject): boolean {
  return !benchmark.enabled && !(typecheck.enabled && typecheck.only)
}

/** True for a project that has a server of its own from the root configuration's file, where that has the plugin too. */
export function isReloadedRoot(vitest: Vitest, owner: TestProject, api: object): boolean {
  const { configFile } = vitest.vite.config
  return (
    !isRootOwner(vitest, owner) &&
    configFile !== undefined &&
    owner.vite.config.configFile === configFile &&
    !listPlugins(owner).some((plugin) => plugin.api === api)
  )
}

/** The plugins written where a project is declared inline; those of a configuration file come with the file. */
function listPlugins({ vite }: TestProject): Plugin[] {
  return [vite.config.inlineConfig.plugins]
    .flat(Infinity as 1)
    .filter((plugin) => plugin && 'name' in plugin && !plugin.name.startsWith('vitest:')) as Plugin[]
}

/** How many projects are called `suites`, with or without a number, by the server: a restart has a new one. */
const counts = new WeakMap<object, number>()

/** `suites` (of a second plugin `suites (2)`), or in a project of a workspace that project's name with `(suites)` behind it, as Vitest names browsers. */
export function nameProject(vitest: Vitest, owner: TestProject): string {
  if (!isRootOwner(vitest, owner)) return `${owner.name} (${PROJECT_NAME})`
  const isTaken = vitest.projects.some(({ name }) => name === PROJECT_NAME)
  const count = (counts.get(vitest.vite) ?? (isTaken ? 1 : 0)) + 1
  counts.set(vitest.vite, count)
  return count === 1 ? PROJECT_NAME : `${PROJECT_NAME} (${count})`
}

/** What the project of suites is, whatever the configuration or the command line says of workers. */
export function describeWorker(createPoolWorker: PoolRunnerInitializer['createPoolWorker']) {
  return {
    environment: 'node',
    // So Vitest hands all files to one worker at once.
    isolate: false,
    fileParallelism: true,
    maxWorkers: 1,
    pool: { name: POOL, createPoolWorker },
  } as const
}

/** The project in which suites run: the user's configuration with one worker of ours, after all other tests. */
export function describeProject(
  vitest: Vitest,
  owner: TestProject,
  {
    include,
    createPoolWorker,
  }: Pick<ResolvedOptions, 'include'> & Pick<PoolRunnerInitializer, 'createPoolWorker'>,
): Parameters<VitestPluginContext['injectTestProjects']>[0] {
  const orders = vitest.projects.map((project) => project.config.sequence.groupOrder)
  const { inlineConfig } = owner.vite.config
  const isRoot = isRootOwner(vitest, owner)
  return {
    ...(isRoot
      ? { extends: true }
      : {
          ...inlineConfig,
          plugins: listPlugins(owner),
          extends: inlineConfig.configFile ?? true,
          root: owner.config.root,
        }),
    test: {
      ...(!isRoot && inlineConfig.test),
      name: { label: nameProject(vitest, owner), color: 'cyan' },
      include,
      ...describeWorker(createPoolWorker),
      sequence: { groupOrder: Math.max(0, ...orders) + 1, concurrent: false, shuffle: false },
      // Vitest would make further projects of this one for them. Said where there are none, it would cost the shared server.
      ...(owner.config.browser.enabled && { browser: { enabled: false } }),
      benchmark: { enabled: false },
      // What plugins add to the user's options is not there yet when projects share a server.
      server: { deps: { external: [PACKAGE_FILES] } },
    },
  }
}

/** Where Vitest keeps the `test` options as written. */
const WRITTEN = '_rawTestConfig'

/**
 * Lets the new project use the Vite server that is there: a server of its own costs a tenth of a second. Vitest does
 * so only for configurations that declare `projects`, for which it keeps the options as written; without this
 * property it starts a server, and everything else is the same.
 */
export function shareServer(vitest: Vitest, owner: TestProject, written: object | undefined): void {
  if (isRootOwner(vitest, owner))
    Object.assign(vitest.config, { [WRITTEN]: Reflect.get(vitest.config, WRITTEN) ?? written })
}

/** Decides on Vitest's cache of modules: false keeps a module out of it. */
export type CacheKeyGenerator = Parameters<VitestPluginContext['defineCacheKeyGenerator']>[0]

/** Does for a project that shares the server of another what the context of a plugin does for that one: Vitest asks its plugins once for each server. */
export function defineCacheKey(vitest: Vitest, { config }: TestProject, generator: CacheKeyGenerator): void {
  const { _modules: modules } = vitest.cache as unknown as {
    _modules: { defineCacheKeyGenerator(config: object, generator: CacheKeyGenerator): void }
  }
  modules.defineCacheKeyGenerator(config, generator)
}

/** The user's `test` options as written; Vitest fills its defaults into the object itself. */
export function copyWritten(test: object | undefined): object {
  const { projects: _projects, ...options } = (test ?? {}) as { projects?: unknown }
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      Array.isArray(value) ? [...(value as unknown[])] : value,
    ]),
  )
}

const CARRIER = 'suitecase:carrier'

/**
 * A project without tests that carries the plugin of a configuration with `projects`: Vitest asks the plugins of
 * projects only, and those of the root only where a project shares its server. Undefined without `projects`.
 */
export function createCarrier(test: { projects?: unknown } | undefined): { projects: object[] } | undefined {
  const { projects } = test ?? {}
  if (!Array.isArray(projects) || projects.length === 0) return undefined
  return { projects: [{ extends: true, test: { name: CARRIER, include: [] } }] }
}

/** Takes the carrier away, once the suites have a project. */
export function dropCarrier(vitest: Vitest): void {
  vitest.projects = vitest.projects.filter(({ name }) => !name.includes(CARRIER))
}
