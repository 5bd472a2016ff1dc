import { existsSync, realpathSync } from 'node:fs'
import { stringifyJson } from '../../../src/json.ts'
import { resolvePath } from '../../../src/resolve-path.ts'
import { listSteps } from '../../../src/suite/plan/plan.ts'
import type { PoolOptions, TestProject, Vitest, VitestPluginContext } from 'vitest/node'
import { INDEX_MODULE, PLAN_QUERY, usesApp, type ReadPlan } from '../../contract/parcel.ts'
import { POOL, SuitePoolWorker } from '../suite-pool-worker.ts'
import { isSuiteFile } from '../report/read-test-module.ts'
import { usesReporter } from '../report/uses-reporter.ts'
import { importsPackage, UNKNOWN_QUERY } from '../suites/link-typed.ts'
import {
  createSuiteProject,
  isCarrier,
  isMeant,
  isReloadedRoot,
  isRootOwner,
  nameProject,
  ProjectFilter,
  runsTests,
} from './describe-project.ts'
import { findEnvironment, readEnvFiles } from './find-environment.ts'
import { installReporters } from './install-reporters.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import { refuse } from '../../contract/refuse.ts'
import { rememberStart } from './remember-start.ts'
import { learnPlans } from '../secrets/keep-secrets.ts'
import { drawLongFrames, hideInFrames } from '../secrets/redact-code-frames.ts'
import { secretsOf } from '../secrets/run-secrets.ts'
import { requireApp, requireSuites } from './require-suites.ts'
import { createSequencer } from './sequencer.ts'
import { SuiteFiles } from '../suites/suite-files.ts'
import { listGraphs, watchSuites, type SuiteWatch } from '../watch-run.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'

/** The Vitest project in which suites run, and everything that the main process does for them. */
export class SuiteProject {
  readonly options: ResolvedOptions
  files: SuiteFiles | undefined
  #refresh: (only?: string) => Promise<void> = async () => undefined
  /** The `--project` filter, used if the plugin is in the root configuration. */
  readonly filter: ProjectFilter = new ProjectFilter()
  /** The server of the user's project that this one was made for. */
  #server: object | undefined
  #suites = new Set<string>()
  #forWorkers: WorkerOptions | undefined

  /** The plugins of root configurations, by Vitest instance. */
  static #roots = new WeakMap<Vitest, SuiteProject>()
  /** The Vitest whose root configuration has a plugin that does the work of this one. */
  #led: Vitest | undefined

  constructor(options: ResolvedOptions) {
    this.options = options
  }

  /** The plugin that does the work: this one, or the root's if Vite loaded that file again for a project. */
  get served(): SuiteProject {
    return (this.#led && SuiteProject.#roots.get(this.#led)) ?? this
  }

  /** Adds the project of suites, unless it is there. Called per project with the plugin, all in one tick. */
  async install(context: VitestPluginContext): Promise<void> {
    const { vitest, project: owner } = context
    context.defineCacheKeyGenerator(this.#keepUncached)
    const isRoot = isRootOwner(vitest, owner)
    const carrier = vitest.projects.find((project) => isCarrier(project) && project.vite === vitest.vite)
    const isCarried = isRoot && carrier !== undefined && carrier !== owner
    if (isRoot && !isCarried) this.filter.apply(vitest)
    if (!runsTests(owner)) return
    rememberStart(vitest.config.root)
    if (!isRoot && isReloadedRoot(vitest, owner, this)) this.#led = vitest
    else if (!isCarried) await this.#install(vitest, owner, isRoot)
    await Promise.resolve()
    if (this.#led !== undefined && this.served === this)
      refuse(
        `suitecase: the plugin of the project \`${owner.name}\` was not found where the project is declared: put \`suites()\` itself into its \`plugins\`, not a promise of it.`,
      )
    // Suites in TypeScript run in the user's own projects, which need the options too.
    const forWorkers = this.served.#forWorkers
    if (forWorkers) owner.provide('suitecase', forWorkers)
  }

  /** Releases a closed Vitest. Node never unloads a configuration module, so this would keep it alive. */
  release(): void {
    this.#refresh = async () => undefined
    this.files = this.#server = this.#led = this.#forWorkers = undefined
  }

  /** Keeps modules out of Vitest's cache that depend on other text too: those made of or linked to suites. */
  #keepUncached = ({ id, sourceCode }: { id: string; sourceCode: string }): false | undefined =>
    id.endsWith(PLAN_QUERY) || id.includes(INDEX_MODULE) || this.owns(id) || importsPackage(sourceCode)
      ? false
      : undefined

  async #install(vitest: Vitest, owner: TestProject, isRoot: boolean): Promise<void> {
    const { options } = this
    // Called again for each browser, but browsers share a server. A restart of Vitest has a new one.
    if (this.#server === owner.vite) return
    if (this.#server && vitest.projects.some(({ vite }) => vite === this.#server))
      refuse(
        `suitecase: the project \`${owner.name}\` uses the plugin instance of another project: call \`suites()\` in each project.`,
      )
    this.#server = owner.vite
    if (isRoot) SuiteProject.#roots.set(vitest, this)
    const name = nameProject(vitest, owner, isRoot)
    const createPoolWorker = (pool: PoolOptions): SuitePoolWorker =>
      new SuitePoolWorker(pool, { project, files, options })
    const { include, exclude } = options
    const poolRunner = { name: POOL, createPoolWorker }
    const project = createSuiteProject(owner, { name, include, exclude, poolRunner }, isRoot)
    // Made even if it does not run, since suites in TypeScript read suite files through it.
    if (isMeant(vitest, name, isRoot)) vitest.projects.push(project)
    // Without file parallelism Vitest runs test files one by one, so suites do too.
    if (Reflect.get(owner.config, 'fileParallelism') === false)
      Object.assign(options, { concurrency: 1, appConcurrency: 1 })
    const { root } = project.config
    const environment = findEnvironment(root, options.environment, project.vite.config.mode)
    if (environment !== undefined) options.environmentFile = environment
    if (options.extend !== undefined) options.extend = resolvePath(root, options.extend)
    options.outputDir = resolvePath(vitest.config.root, options.outputDir)
    const env = readEnvFiles(project)
    const places = { root, shownFrom: vitest.config.root, env: { ...env, ...project.config.env } }
    const files = new SuiteFiles(places, options, () => this.#list(project))
    this.files = files
    const watch = watchSuites(project, files)
    this.#refresh = async (only) => {
      if (!files.refresh(only)) return
      forgetIndex(vitest)
      await declareTags(project, files)
    }
    secretsOf(vitest).rules.push(options.redact)
    const drawSeed = (): number => options.seed ?? Math.floor(Math.random() * 2 ** 31)
    const forWorkers = (this.#forWorkers = {
      ...options,
      seed: drawSeed(),
      root,
      shownFrom: vitest.config.root,
      env,
      key: secretsOf(vitest).key,
      verbose: usesReporter(vitest, 'verbose'),
    })
    project.provide('suitecase', forWorkers)
    installReporters(project, options.report, [
      requireSuites(project, files, options.include),
      learnPlans(vitest, files, options.redact),
      watch,
    ])
    const owns = (path: string): boolean => this.owns(path)
    drawLongFrames(vitest, owns)
    hideInFrames(vitest, options.redact, owns)
    // Suites are left out of the coverage, as Vitest leaves out other test files.
    vitest.config.coverage.exclude.push(...options.include)
    // Vitest would take suites, which share one worker, for isolated files and advise to share workers.
    vitest.config.experimental.diagnostics.isolate = false
    vitest.config.sequence.sequencer = createSequencer(vitest.config.sequence.sequencer, files, () => {
      // Otherwise each run in watch mode would create the same data again.
      forWorkers.seed = drawSeed()
      return this.#refresh()
    })
    files.app = await requireApp(project, options)
    await declareTags(project, files)
    const other = [...this.#suites].find((path) => !isSuiteFile(path))
    if (other !== undefined)
      refuse(
        `suitecase: the option \`include\` matches \`${files.show(other)}\`. Names of suite files must end in \`.yaml\` or \`.yml\`: rename the file, or correct the globs.`,
      )
    await watch.start()
    this.#watch(project, files, watch)
  }

  /** Watches files through the root's server: those of a workspace's projects report no edits to plugins. */
  #watch(project: TestProject, files: SuiteFiles, watch: SuiteWatch): void {
    const { vitest } = project
    const reports = `${this.options.outputDir}/suites/`
    vitest.vite.watcher.on('all', async (event, name) => {
      const path = name.replaceAll('\\', '/')
      // A run writes a report for each suite. These are no edits.
      if (path.startsWith(reports) && path.includes('.json')) return
      // After other edits Vitest invalidates the file itself. The code of a deleted one would run on.
      if (event === 'unlink') vitest.invalidateFile(path)
      const known = event === 'unlink' ? [] : watch.listTests(path)
      files.forget(path)
      forgetIndex(vitest)
      if (this.#suites.has(path) !== existsSync(path)) await this.#list(project)
      if (this.#suites.has(path)) await declareTags(project, files)
      await watch.rerun(path, { isNew: event === 'add', known })
    })
  }

  async #list(project: TestProject): Promise<string[]> {
    const { testFiles } = await project.globTestFiles()
    this.#suites = new Set(testFiles)
    return testFiles
  }

  /** True for a suite file of this project, and for any file named like a suite. */
  owns(id: string): boolean {
    return this.#suites.has(id) || (/\.suite\.ya?ml$/.test(id) && this.files !== undefined)
  }

  /** Resolves a suite with a `?` in its path, where Vite would cut it. The id may lack the root. */
  resolve(id: string): string | undefined {
    return id.includes('?')
      ? [id, `${this.files?.root}${id}`].find((path) => this.#suites.has(path))
      : undefined
  }

  /** Loads the modules made of suites: the index, a suite's plan, a suite's stand-in. Undefined for any other. */
  async load(id: string) {
    const isIndex = id === `\0${INDEX_MODULE}`
    const isPlan = id.endsWith(PLAN_QUERY)
    if (id.endsWith(UNKNOWN_QUERY)) throw new Error('suitecase: nothing is known about this file.')
    const { files } = this
    if (!files || (!isIndex && !isPlan && !this.owns(id))) return undefined
    const moduleType = 'js' as const
    if (isIndex) {
      const paths = Array.from(await files.index(), ([path, { nodeId }]) => [nodeId, path] as const)
      return { code: `export default ${JSON.stringify(Object.fromEntries(paths))}\n`, moduleType }
    }
    const real = isPlan ? id.slice(0, -PLAN_QUERY.length) : id
    // Vite resolves links. A suite behind one would count as another suite with the same node id.
    const isReal = (suite: string): boolean => existsSync(suite) && resolvePath(realpathSync(suite)) === real
    const path = this.#suites.has(real) ? real : ([...this.#suites].find(isReal) ?? real)
    await this.#refresh(path)
    // A suite in TypeScript may pass what is missing here. What nobody passes fails the step that reads it.
    const loaded = await files.link(path, isPlan ? 'literal' : this.options.unresolved)
    const { plan, needs } = loaded
    if (isPlan) {
      const text = stringifyJson({ plan, needs: [...needs] } satisfies ReadPlan)
      return { code: `export default { text: ${JSON.stringify(text)} }\n`, moduleType }
    }
    const imports = [...needs.values(), ...plan.files.map((file) => `${file}?raw`)]
    if (files.app !== undefined && usesApp(plan)) imports.push(files.app)
    if (this.options.extend !== undefined) imports.push(this.options.extend)
    const { createCollectModule } = await import('../suites/collect-module.ts')
    const { code, map } = createCollectModule(path, loaded, { imports, options: this.options })
    return { code, map: JSON.stringify(map), moduleType }
  }
}

/** Declares the tags of suites, since Vitest refuses tags that are not declared. */
async function declareTags({ config }: TestProject, files: SuiteFiles): Promise<void> {
  const plans = await files.listPlans(({ hasTags }) => hasTags)
  const names = plans.flatMap((plan) => plan.tags.concat(...listSteps(plan).map(({ tags }) => tags)))
  const known = new Set(config.tags.map(({ name }) => name))
  const added = [...new Set(names)].filter((name) => !known.has(name))
  config.tags.push(...added.map((name) => ({ name })))
}

function forgetIndex(vitest: Vitest): void {
  for (const graph of listGraphs(vitest)) {
    const module = graph.getModuleById(`\0${INDEX_MODULE}`)
    if (module) graph.invalidateModule(module)
  }
}
