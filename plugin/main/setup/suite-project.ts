import { basename, resolve } from 'node:path'
import { glob } from 'tinyglobby'
import type { ViteUserConfig } from 'vitest/config'
import type { PoolOptions, PoolWorker, TestProject, Vitest, VitestPluginContext } from 'vitest/node'
import { INDEX_MODULE, PLAN_QUERY } from '../../contract/parcel.ts'
import { POOL, SuitePoolWorker } from '../suite-pool-worker.ts'
import { findReporter } from '../report/find-reporter.ts'
import { noteDeath } from '../report/fail-crashed-tests.ts'
import { importsPackage, linkTyped, loadIndex, loadPlan } from '../suites/link-typed.ts'
import { packSuite } from '../suites/pack-suite.ts'
import { findCache } from '../suites/plan-cache.ts'
import { declareTags } from './declare-tags.ts'
import {
  chooseName,
  describeProject,
  listInlinePlugins,
  listOwnProjects,
  runsTests,
} from './describe-project.ts'
import { configureProject, injectProject } from './describe-project.ts'
import { findEnvironment } from './find-environment.ts'
import { installReporters } from './install-reporters.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import { refuse } from '../../contract/refuse.ts'
import { PACKAGE_FILES } from '../../contract/package-files.ts'
import { learnPlans } from '../secrets/keep-secrets.ts'
import { drawLongFrames, hideInFrames } from '../secrets/redact-code-frames.ts'
import { secretsOf } from '../secrets/run-secrets.ts'
import { requireApp, requireSuites } from './require-suites.ts'
import { createSequencer } from './sequencer.ts'
import { SuiteFiles } from '../suites/suite-files.ts'
import { rerunNaming, rerunReaders, watchRun } from '../watch-run.ts'
import { readEnvFiles, type WorkerOptions } from '../../contract/worker-options.ts'

/** Decides on Vitest's cache of modules: false keeps a module out of it. */
type CacheKeyGenerator = Parameters<VitestPluginContext['defineCacheKeyGenerator']>[0]

/** ms for which the worker's thread may stand still. */
const DEFAULT_BLOCKED = 30_000

/** The plugins that serve suites, by the root's server (a restart has a new one), and by configuration file and name of the project of suites. */
const serving = new WeakMap<object, Map<string, SuiteProject>>()

/** The Vitest project in which suites run, and all that the main process does for them. */
export class SuiteProject {
  readonly options: ResolvedOptions
  files: SuiteFiles | undefined
  #suites = new Set<string>()
  #name = ''
  #configFile: string | false | undefined
  #vitest: Vitest | undefined
  #isInline = false
  #opening: Promise<void> | undefined
  #given: WorkerOptions | undefined

  constructor(options: ResolvedOptions) {
    this.options = options
  }

  /** Adds the project of suites to a configuration that is being read. */
  describe(config: ViteUserConfig & { configFile?: string | false }): NonNullable<ViteUserConfig['test']> {
    this.#name = chooseName(config)
    this.#configFile = config.configFile
    const { browser } = config.test ?? {}
    const test = {
      ...describeProject(this.#name, this.options.include, this.#createPoolWorker),
      // Vitest would make further projects of this one. Said where there is no browser, it would cost the shared server.
      ...(browser && { browser: { enabled: false } }),
    }
    return {
      server: { deps: { external: [PACKAGE_FILES] } },
      projects: [...listOwnProjects(config), { extends: true, test }],
    }
  }

  /** Itself, or the one for the same suites where servers of further projects have loaded the configuration file again. */
  get served(): SuiteProject {
    return this.#servedBy(this.#vitest)
  }

  #servedBy(vitest: Vitest | undefined): SuiteProject {
    const known = vitest && !this.#isInline ? serving.get(vitest.vite) : undefined
    return known?.get(this.#key) ?? this
  }

  get #key(): string {
    return `${this.#configFile} ${this.#name}`
  }

  /** Sets up a project with the plugin: that of suites, or one whose suites in TypeScript have their options and exports. */
  async install(context: VitestPluginContext): Promise<void> {
    const { vitest, project } = context
    context.defineCacheKeyGenerator(this.#keepUncached)
    this.#vitest = vitest
    this.#isInline =
      project !== vitest.getRootProject() && listInlinePlugins(project).some(({ api }) => api === this)
    if (!runsTests(project, vitest)) {
      if (project.config.pool === POOL) vitest.projects = vitest.projects.filter((each) => each !== project)
      return
    }
    const known = serving.get(vitest.vite) ?? new Map<string, SuiteProject>()
    serving.set(vitest.vite, known)
    if (!this.#isInline && !known.has(this.#key)) known.set(this.#key, this)
    const { served } = this
    await (served.#opening ??= served.#open(context))
    if (served.#given) project.provide('suitecase', served.#given)
  }

  #isOwn({ name, vite }: TestProject): boolean {
    const isNamed = name === this.#name || name.endsWith(` (${this.#name})`)
    return isNamed && (vite.config.configFile || false) === (this.#configFile || false)
  }

  /** Modules of suites, and test files that link them, depend on more than their own text. */
  #keepUncached: CacheKeyGenerator = ({ id, sourceCode }) =>
    id.endsWith(PLAN_QUERY) || id.includes(INDEX_MODULE) || this.served.owns(id) || importsPackage(sourceCode)
      ? false
      : undefined

  /** Prepares everything that the suites need, also where a filter leaves out their project: suites in TypeScript may read them. */
  async #open(context: VitestPluginContext): Promise<void> {
    const { vitest, project } = context
    const entry = describeProject(this.#name, this.options.include, this.#createPoolWorker)
    const own = this.#isInline
      ? await injectProject(context, entry)
      : vitest.projects.find((each) => this.#isOwn(each))
    if (!own && vitest.config.project.length === 0)
      refuse(
        `suitecase: the plugin of the project \`${project.name}\` is not found where the project is declared: write \`suites()\` itself into its \`plugins\`, not a promise of it.`,
      )
    const isRoot = (this.#configFile || false) === (vitest.vite.config.configFile || false)
    const base = own ?? (isRoot ? vitest.getRootProject() : project)
    secretsOf(vitest).rules.push(this.options.redact)
    // Vitest counts test files without parallelism one by one, and so do suites.
    if (Reflect.get(base.config, 'fileParallelism') === false)
      Object.assign(this.options, { concurrency: 1, appConcurrency: 1 })
    const exclude = [...base.config.exclude, ...this.options.exclude]
    if (own) configureProject(vitest, own, { ...entry, include: this.options.include, exclude })
    const { root, dir, env } = base.config
    const environment = findEnvironment(root, {
      variable: process.env['SUITECASE_ENV'],
      option: this.options.environment,
      mode: base.vite.config.mode,
    })
    if (environment !== undefined) this.options.environmentFile = environment
    if (this.options.extend !== undefined) this.options.extend = resolve(root, this.options.extend)
    const settings = {
      absolute: true,
      cwd: dir || root,
      dot: true,
      expandDirectories: false,
      ignore: exclude,
    }
    const places = { root, shownFrom: vitest.config.root, env: { ...readEnvFiles(base), ...env } }
    const files = new SuiteFiles(places, this.options, async () => {
      const found = await glob(this.options.include, settings)
      this.#suites = new Set(found)
      return found
    })
    this.files = files
    await requireApp(base, this.options)
    const { include, exclude: _exclude, report, ...options } = this.options
    this.#given = {
      ...options,
      project: base.name,
      root,
      shownFrom: vitest.config.root,
      env: readEnvFiles(base),
      key: secretsOf(vitest).key,
      verbose: findReporter(vitest, 'verbose') !== undefined,
    }
    if (own) await declareTags(own, files)
    own?.provide('suitecase', this.#given)
    this.#watch(vitest, own, files)
    const learning = learnPlans(vitest, { files, redact: this.options.redact })
    const reporters = own
      ? [requireSuites(vitest, own, { files, include }), watchRun(vitest, own, files)]
      : []
    installReporters(base, report, [...reporters, learning])
    drawLongFrames(vitest, (path) => this.owns(path))
    hideInFrames(vitest, { redact: this.options.redact, owns: (path) => this.owns(path) })
    // Vitest would count the workers of suites, which share theirs, as isolated ones and advise to share them.
    vitest.config.experimental.diagnostics.isolate = false
    vitest.config.sequence.sequencer = createSequencer(vitest.config.sequence.sequencer, files)
  }

  /** Only the root's server watches: the servers of a workspace's projects tell their plugins of no edit. */
  #watch(vitest: Vitest, own: TestProject | undefined, files: SuiteFiles): void {
    vitest.vite.watcher.on('all', async (event, name) => {
      const path = name.replaceAll('\\', '/')
      const before = (await files.index()).get(path)?.nodeId
      const broken = await files.forget(path)
      forgetIndex(vitest)
      const after = (await files.index()).get(path)?.nodeId
      if (own && after !== undefined) await declareTags(own, files)
      if (event === 'unlink') rerunReaders(vitest, path)
      for (const suite of broken) vitest.vite.watcher.emit('change', suite)
      const ids = before === after ? [] : [before, after].filter((id) => id !== undefined)
      const names = event === 'add' ? [...ids, basename(path)] : ids
      await rerunNaming(vitest, { path, names }, files)
    })
  }

  /** True for a suite file of this project. */
  owns(id: string): boolean {
    return this.#suites.has(id) || (/\.suite\.ya?ml$/.test(id) && this.files !== undefined)
  }

  #createPoolWorker = (options: PoolOptions): PoolWorker => {
    const { project } = options
    const served = this.#servedBy(project.vitest)
    return new SuitePoolWorker(options, {
      cache: findCache(project.config.root),
      blocked: served.options.limits.blocked ?? DEFAULT_BLOCKED,
      onDeath: (death) => noteDeath(project.vitest, death),
      pack: (path, run) =>
        packSuite(path, { run, project, files: served.#openFiles(), options: served.options }),
    })
  }

  /** A module of ours: the file of each node id, a suite's plan for suites in TypeScript, or what stands for a suite where nothing is run. */
  async load(id: string) {
    if (id === `\0${INDEX_MODULE}`) return loadIndex(this.#openFiles())
    if (id.endsWith(PLAN_QUERY)) return loadPlan(this.#openFiles(), id.slice(0, -PLAN_QUERY.length))
    if (!this.owns(id)) return undefined
    const { loadCollected } = await import('../suites/collect-module.ts')
    return loadCollected(this.#openFiles(), id, this.options)
  }

  /** A module with suites in TypeScript, with all that they may read; undefined for any other. */
  async linkTyped(code: string, id: string): Promise<{ code: string; map: null } | undefined> {
    return this.files && linkTyped({ code, id }, this.files, this.options)
  }

  #openFiles(): SuiteFiles {
    if (this.files) return this.files
    throw new Error(
      'suitecase: the plugin was not set up by Vitest; it works only in a Vitest configuration.',
    )
  }
}

/** Of all servers: test files may have another one than suites. */
function forgetIndex(vitest: Vitest): void {
  const servers = new Set(vitest.projects.map(({ vite }) => vite))
  for (const { environments } of servers)
    for (const { moduleGraph } of Object.values(environments)) {
      const module = moduleGraph.getModuleById(`\0${INDEX_MODULE}`)
      if (module) moduleGraph.invalidateModule(module)
    }
}
