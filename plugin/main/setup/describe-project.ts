import type { Plugin } from 'vitest/config'
import type { TestProject, Vitest } from 'vitest/node'
import { PACKAGE_FILES } from '../../contract/package-files.ts'
import { refuse } from '../../contract/refuse.ts'
import { POOL } from '../suite-pool-worker.ts'

const PROJECT_NAME = 'suites'

/** Name of the project that holds the plugin of a root configuration with `projects`. */
const CARRIER = 'suitecase:carrier'

type WrittenTest = { project?: string | string[]; projects?: unknown }

function declaresProjects(test: WrittenTest | undefined): boolean {
  return Array.isArray(test?.projects) && test.projects.length > 0
}

/** Declares the carrier beside the projects of a configuration: Vitest calls only the plugins of projects. */
export function declareCarrier(test: WrittenTest | undefined): { projects: object[] } | undefined {
  if (!declaresProjects(test)) return undefined
  const declared = test?.projects as ({ test?: { name?: unknown } } | string)[]
  if (declared.some((project) => typeof project === 'object' && project.test?.name === CARRIER))
    return undefined
  // Repeated, since what plugins add to the options is not there yet when projects come to share a server.
  const server = { deps: { external: [PACKAGE_FILES] } }
  return { projects: [{ extends: true, test: { name: CARRIER, include: [], server } }] }
}

/** True for the carrier project, and for those that Vitest derives from it. */
export function isCarrier({ name }: TestProject): boolean {
  return name.includes(CARRIER)
}

/** True for the project with the root's plugin: one that shares its server or, if none does, the carrier. */
export function isRootOwner({ projects, vite }: Vitest, owner: TestProject): boolean {
  return owner.vite === vite || (isCarrier(owner) && !projects.some((project) => project.vite === vite))
}

/** True for a project with its own server made from the root configuration file, if that file has the plugin too. */
export function isReloadedRoot(vitest: Vitest, { vite }: TestProject, api: object): boolean {
  const { configFile, inlineConfig } = vite.config
  // Plugins of an inline project. Those of a configuration file are not among them.
  const written = [inlineConfig.plugins].flat(Infinity as 1) as (Plugin | undefined)[]
  return (
    configFile !== undefined &&
    configFile === vitest.vite.config.configFile &&
    !written.some((plugin) => plugin?.api === api)
  )
}

/** False for a project that only runs benchmarks or only checks types. */
export function runsTests({ config: { benchmark, typecheck } }: TestProject): boolean {
  return !benchmark.enabled && !(typecheck.enabled && typecheck.only)
}

/** Names a project of suites: `suites`, or `api (suites)` in the workspace project `api`. Throws if that is taken. */
export function nameProject({ projects }: Vitest, owner: TestProject, isRoot: boolean): string {
  const name = isRoot ? PROJECT_NAME : `${owner.name} (${PROJECT_NAME})`
  if (projects.some((project) => project.name === name))
    refuse(
      `suitecase: there is already a project \`${name}\`: call \`suites()\` once in each project, and name no project of yours like that.`,
    )
  return name
}

/** Makes the project in which suites run: the user's project with a single worker of ours, after all other tests. */
export function createSuiteProject(
  owner: TestProject,
  own: Pick<TestProject['config'], 'name' | 'include' | 'exclude' | 'poolRunner'>,
  isRoot: boolean,
): TestProject {
  const { config, vitest } = owner
  const orders = vitest.projects.map((project) => project.config.sequence.groupOrder)
  // Internal to Vitest: makes a project from another one.
  const spawn = Reflect.get(owner.constructor, '_spawnSibling') as (
    parent: TestProject,
    config: TestProject['config'],
  ) => TestProject
  return spawn(owner, {
    ...config,
    ...own,
    color: 'cyan',
    // Packages contain suites too. A user's `exclude` replaces Vitest's default, which leaves packages out.
    exclude: [...new Set(['**/node_modules/**', ...config.exclude, ...own.exclude])],
    includeSource: [],
    tags: [...config.tags],
    environment: 'node',
    pool: POOL,
    // Makes Vitest hand all files to one worker at once.
    isolate: false,
    maxWorkers: 1,
    sequence: {
      ...config.sequence,
      groupOrder: Math.max(0, ...orders) + 1,
    },
    browser: { ...config.browser, enabled: false },
    benchmark: { ...config.benchmark, enabled: false },
    typecheck: { ...config.typecheck, enabled: false },
    // The root's global setup already runs once for all projects.
    ...(isRoot && { globalSetup: [] }),
  })
}

/** Pattern that matches the carrier, and what Vitest derives from it for browsers or benchmarks. */
const PASS = `${CARRIER}*`

/**
 * The `--project` filter of a root configuration. Vitest applies it before plugins can add projects. So the project
 * that holds the plugin is let through first and removed afterwards.
 */
export class ProjectFilter {
  #kept: string[] | undefined

  /** Lets the project with the plugin pass while the options are read: the carrier, or the only project there is. */
  keep(test: WrittenTest | undefined): void {
    const written = [test?.project ?? []].flat()
    if (!test || written.includes(PASS)) return
    if (declaresProjects(test)) {
      if (written.some((pattern) => !pattern.startsWith('!'))) test.project = [...written, PASS]
    } else if (written.some((pattern) => /^suites|\*|^!/i.test(pattern))) {
      this.#kept = written
      test.project = []
    }
  }

  apply(vitest: Vitest): void {
    vitest.config.project = this.#kept ?? vitest.config.project.filter((pattern) => pattern !== PASS)
    vitest.projects = vitest.projects.filter(
      (project) => !isCarrier(project) && (!this.#kept || vitest.matchesProjectFilter(project.name)),
    )
  }
}

/** Whether a project of suites runs. In a workspace: with its owner, unless a `!pattern` excludes it. */
export function isMeant(vitest: Vitest, name: string, isRoot: boolean): boolean {
  const filter = vitest.config.project
  vitest.config.project = isRoot ? filter : filter.filter((pattern) => pattern.startsWith('!'))
  try {
    return vitest.matchesProjectFilter(name)
  } finally {
    vitest.config.project = filter
  }
}
