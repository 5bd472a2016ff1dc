import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { stringifyJson } from '../../../src/json.ts'
import type { PoolOptions, PoolWorker, TestProject, Vitest, VitestPluginContext } from 'vitest/node'
import { INDEX_MODULE, PLAN_QUERY, usesApp, type ReadPlan } from '../../contract/parcel.ts'
import { SuitePoolWorker } from '../suite-pool-worker.ts'
import { findReporter } from '../report/find-reporter.ts'
import { noteDeath } from '../report/fail-crashed-tests.ts'
import { importsPackage, linkTyped } from '../suites/link-typed.ts'
import { packSuite } from '../suites/pack-suite.ts'
import { findCache } from '../suites/plan-cache.ts'
import { declareTags } from './declare-tags.ts'
import {
  describeProject,
  defineCacheKey,
  describeWorker,
  isReloadedRoot,
  isRootOwner,
  runsTests,
  copyWritten,
  dropCarrier,
  shareServer,
  type CacheKeyGenerator,
} from './describe-project.ts'
import { findEnvironment } from './find-environment.ts'
import { installReporters } from './install-reporters.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import { refuse } from '../../contract/refuse.ts'
import { ProjectFilter } from './project-filter.ts'
import { learnPlans } from '../secrets/keep-secrets.ts'
import { drawLongFrames, hideInFrames } from '../secrets/redact-code-frames.ts'
import { secretsOf } from '../secrets/run-secrets.ts'
import { requireApp, requireSuites } from './require-suites.ts'
import { createSequencer } from './sequencer.ts'
import { SuiteFiles } from '../suites/suite-files.ts'
import { rerunNaming, rerunReaders, watchRun } from '../watch-run.ts'
import { readEnvFiles, type WorkerOptions } from '../../contract/worker-options.ts'

/** ms for which the worker's thread may stand still. */
const DEFAULT_BLOCKED = 30_000

/** The Vitest project in which suites run, and all that the main process does for them. */
export class SuiteProject {
  readonly options: ResolvedOptions
  files: SuiteFiles | undefined
  #project: TestProject | undefined
  #filter = new ProjectFilter()
  #suites = new Set<string>()
  #written: object | undefined
  /** The user wants test files one after the other. */
  #isSerial = false

  /** The project being added just now: a config file that Vite loads again for it gets a plugin that serves this same project. */
  static installing: SuiteProject | undefined

  constructor(options: ResolvedOptions) {
    this.options = options
  }

  /** Keeps the user's `test` options as written, before Vitest fills in its defaults. */
  remember(test: ({ fileParallelism?: boolean } & Parameters<ProjectFilter['keep']>[0]) | undefined): void {
    this.#filter.keep(test)
    this.#written ??= copyWritten(test)
    this.#isSerial ||= test?.fileParallelism === false
  }

  /** The plugin of the root configuration, by the Vitest it serves. */
  static #roots = new WeakMap<Vitest, SuiteProject>()
  #vitest: Vitest | undefined

  /** Itself, or the plugin of the root configuration where Vite has loaded that file once more for one of its projects. */
  get served(): SuiteProject {
    return (this.#vitest && SuiteProject.#roots.get(this.#vitest)) ?? this
  }

  /** Vitest sets up its projects side by side; projects of suites are added one at a time. */
  static #turn: Promise<unknown> = Promise.resolve()

  /** Adds the project to the user's; a second call for the same Vitest adds nothing. */
  async install(context: VitestPluginContext): Promise<void> {
    context.defineCacheKeyGenerator(this.#keepUncached)
    if (SuiteProject.installing === this) return
    if (!runsTests(context.project)) return dropCarrier(context.vitest)
    if (isReloadedRoot(context.vitest, context.project, this)) return this.#follow(context)
    const turn = SuiteProject.#turn.then(() => this.#install(context))
    SuiteProject.#turn = turn.catch(() => undefined)
    await turn
    this.#provide(context)
  }

  /** Modules of suites, and test files that link them, depend on more than their own text. */
  #keepUncached: CacheKeyGenerator = ({ id, sourceCode }) =>
    id.endsWith(PLAN_QUERY) || id.includes(INDEX_MODULE) || this.owns(id) || importsPackage(sourceCode)
      ? false
      : undefined

  /** Leaves everything to the plugin of the root configuration, which Vitest asks in the same breath. */
  async #follow(context: VitestPluginContext): Promise<void> {
    this.#vitest = context.vitest
    await Promise.resolve()
    await SuiteProject.#turn
    if (this.served === this)
      refuse(
        `suitecase: the plugin of the project \`${context.project.name}\` is not found where the project is declared: write \`suites()\` itself into its \`plugins\`, not a promise of it.`,
      )
    this.served.#provide(context)
  }

  async #install({ vitest, project: owner, injectTestProjects }: VitestPluginContext): Promise<void> {
    if (this.#project) return
    if (isRootOwner(vitest, owner)) SuiteProject.#roots.set(vitest, this)
    shareServer(vitest, owner, this.#written)
    SuiteProject.installing = this
    const { include } = this.options
    const description = describeProject(vitest, owner, { include, createPoolWorker: this.#createPoolWorker })
    const [project] = await this.#filter
      .suspend(vitest, () => injectTestProjects(description))
      .finally(() => {
        SuiteProject.installing = undefined
      })
    if (!project) throw new Error('suitecase: Vitest did not add the project of the suites.')
    defineCacheKey(vitest, project, this.#keepUncached)
    this.#filter.apply(vitest, { added: project, owner })
    dropCarrier(vitest)
    // Vitest counts test files without parallelism one by one, and so do suites.
    if (this.#isSerial) Object.assign(this.options, { concurrency: 1, appConcurrency: 1 })
    const files = await this.#open(vitest, project, owner)
    // Only the root's server watches: the servers of a workspace's projects tell their plugins of no edit.
    vitest.vite.watcher.on('all', async (event, name) => {
      const path = name.replaceAll('\\', '/')
      const before = (await files.index()).get(path)?.nodeId
      const broken = await this.#forget(vitest, path)
      if (event === 'unlink') rerunReaders(vitest, path)
      for (const suite of broken) vitest.vite.watcher.emit('change', suite)
      const after = (await files.index()).get(path)?.nodeId
      await rerunNaming(vitest, { path, isNew: event === 'add', nodeIds: [before, after] }, files)
    })
    const required = requireSuites(vitest, project, { files, include })
    const learning = learnPlans(vitest, { files, redact: this.options.redact })
    installReporters(project, this.options.report, [required, learning, watchRun(vitest, project, files)])
    drawLongFrames(vitest, (path) => this.owns(path))
    hideInFrames(vitest, { redact: this.options.redact, owns: (path) => this.owns(path) })
    // Vitest would count the workers of suites, which share theirs, as isolated ones and advise to share them.
    vitest.config.experimental.diagnostics.isolate = false
    vitest.config.sequence.sequencer = createSequencer(vitest.config.sequence.sequencer, files)
  }

  async #open(vitest: Vitest, project: TestProject, owner: TestProject): Promise<SuiteFiles> {
    this.#project = project
    secretsOf(vitest).rules.push(this.options.redact)
    const { pool, ...worker } = describeWorker(this.#createPoolWorker)
    // Options of the command line are those of every project, and lists are merged with the user's.
    Object.assign(project.config, worker, { pool: pool.name, poolRunner: pool })
    project.config.include = this.options.include
    project.config.includeSource = []
    project.config.typecheck.enabled = false
    // Packages have suites of their own, this one too: an `exclude` of the user's takes the place of Vitest's, which leaves them out.
    project.config.exclude = ['**/node_modules/**', ...owner.config.exclude, ...this.options.exclude]
    const { root } = project.config
    const shownFrom = vitest.config.root
    const environment = findEnvironment(root, {
      variable: process.env['SUITECASE_ENV'],
      option: this.options.environment,
      mode: project.vite.config.mode,
    })
    if (environment !== undefined) this.options.environmentFile = environment
    if (this.options.extend !== undefined) this.options.extend = resolve(root, this.options.extend)
    const env = { ...readEnvFiles(project), ...project.config.env }
    this.files = new SuiteFiles({ root, shownFrom, env }, this.options, () => this.#list())
    await requireApp(project, this.options)
    await declareTags(project, this.files)
    project.provide('suitecase', this.#describeOptions(vitest, project))
    return this.files
  }

  /** Suites in TypeScript belong to the projects whose configuration has the plugin. */
  #provide({ vitest, project }: VitestPluginContext): void {
    if (!this.#project) return
    project.provide('suitecase', this.#describeOptions(vitest, this.#project))
  }

  #describeOptions(vitest: Vitest, project: TestProject): WorkerOptions {
    const { include: _include, exclude: _exclude, report: _report, ...options } = this.options
    return {
      ...options,
      project: project.name,
      root: project.config.root,
      shownFrom: vitest.config.root,
      env: readEnvFiles(project),
      key: secretsOf(vitest).key,
      verbose: findReporter(vitest, 'verbose') !== undefined,
    }
  }

  async #list(): Promise<string[]> {
    const { testFiles } = (await this.#project?.globTestFiles()) ?? { testFiles: [] }
    this.#suites = new Set(testFiles)
    return testFiles
  }

  /** True for a suite file of this project. */
  owns(id: string): boolean {
    return this.#suites.has(id) || (/\.suite\.ya?ml$/.test(id) && this.files !== undefined)
  }

  #createPoolWorker = (options: PoolOptions): PoolWorker => {
    const { project } = options
    return new SuitePoolWorker(options, {
      cache: findCache(project.config.root),
      blocked: this.options.limits.blocked ?? DEFAULT_BLOCKED,
      onDeath: (death) => noteDeath(project.vitest, death),
      pack: (path, run) =>
        packSuite(path, { run, project, files: this.files as SuiteFiles, options: this.options }),
    })
  }

  /** The module that stands for a suite where nothing is run. */
  async loadCollected(path: string) {
    const { plan, source, needs } = await this.#openFiles().link(path)
    const { redact, app } = this.options
    const imports = [...needs.values(), ...plan.files.map((file) => `${file}?raw`)]
    if (app && usesApp(plan)) imports.push(resolve(this.#openFiles().root, app.path))
    const { createCollectModule } = await import('../suites/collect-module.ts')
    const module = createCollectModule({ path, plan, source: source.text, imports, redact })
    return { ...module, moduleType: 'js' as const }
  }

  /** The module that carries a suite's plan, for suites in TypeScript. */
  async loadPlan(path: string) {
    const { plan, needs } = await this.#openFiles().link(path)
    const text = stringifyJson({ plan, needs: [...needs] } satisfies ReadPlan)
    return { code: `export default { text: ${JSON.stringify(text)} }\n`, moduleType: 'js' as const }
  }

  /** The module that carries the file of each node id. */
  async loadIndex() {
    const index = await this.#openFiles().index()
    const files = Object.fromEntries([...index].map(([path, { nodeId }]) => [nodeId, path]))
    return { code: `export default ${JSON.stringify(files)}\n`, moduleType: 'js' as const }
  }

  /** A module with suites in TypeScript, with all that they may read; undefined for any other. */
  async linkTyped(code: string, id: string): Promise<{ code: string; map: null } | undefined> {
    const { files, options } = this
    if (!files) return undefined
    const { extend, environmentFile: environment } = options
    const app = options.app && resolve(files.root, options.app.path)
    const linked = await linkTyped(code, id, { files, app, extend, environment })
    // The lines that are there stay where they are.
    return linked === undefined ? undefined : { code: linked, map: null }
  }

  #openFiles(): SuiteFiles {
    if (this.files) return this.files
    throw new Error(
      'suitecase: the plugin was not set up by Vitest; it works only in a Vitest configuration.',
    )
  }

  /** Of all servers: test files may have another one than suites. */
  #forgetIndex(vitest: Vitest): void {
    const servers = new Set(vitest.projects.map(({ vite }) => vite))
    for (const { environments } of servers)
      for (const { moduleGraph } of Object.values(environments)) {
        const module = moduleGraph.getModuleById(`\0${INDEX_MODULE}`)
        if (module) moduleGraph.invalidateModule(module)
      }
  }

  /** Forgets an edited file, and lists the suites anew when one came or went. Gives the suites that it kept from loading. */
  async #forget(vitest: Vitest, path: string): Promise<string[]> {
    const broken = (await this.files?.forget(path)) ?? []
    this.#forgetIndex(vitest)
    if (this.#suites.has(path) !== existsSync(path)) await this.#list()
    if (this.#suites.has(path) && this.#project && this.files) await declareTags(this.#project, this.files)
    return broken
  }
}
