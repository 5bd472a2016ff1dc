import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { TestProject, Vitest, VitestPluginContext } from 'vitest/node'
import { SuiteError } from '../src/errors.ts'
import { isOwnModule, keyCache } from './cache-key.ts'
import { dropCarrier } from './carrier-project.ts'
import { declareTags } from './declare-tags.ts'
import { describeProject, isReloadedRoot, isRootOwner } from './describe-project.ts'
import { createBoard, type ExportBoard } from './export-board.ts'
import { installReporters } from './install-reporters.ts'
import { linkTyped } from './link-typed.ts'
import { importsPackage } from './may-hold-suites.ts'
import { MessageDesk } from './message-desk.ts'
import { PLAN_QUERY } from './messages.ts'
import type { ResolvedOptions } from './options.ts'
import { ProjectFilter } from './project-filter.ts'
import { redactError } from './redact-error.ts'
import { hideInFrames } from './hide-in-frames.ts'
import { secretsOf } from './run-secrets.ts'
import { requireSuites } from './require-suites.ts'
import { createSequencer } from './sequencer.ts'
import { copyWritten, shareServer } from './share-server.ts'
import { SuiteFiles, type LoadedSuite } from './suite-files.ts'
import { usesApp } from './uses-app.ts'
import { WatchReaders } from './watch-readers.ts'
import { describeWorkerOptions, readEnvFiles, type WorkerOptions } from './worker-options.ts'

/** A module as Vite takes it; that of a suite has its source map beside the code. */
type LoadedModule = { code: string; moduleType: 'js' }

/** The Vitest project in which suites run, and all that the main process does for them. */
export class SuiteProject {
  readonly options: ResolvedOptions
  readonly board: ExportBoard
  /** Answers the messages of workers. */
  readonly desk: MessageDesk
  files: SuiteFiles | undefined
  /** Who reads what, for watch mode. */
  readonly readers = new WatchReaders()
  /** Key of the messages of workers. */
  key = ''
  #project: TestProject | undefined
  #filter = new ProjectFilter()
  #suites = new Set<string>()
  #written: object | undefined

  /** The project being added just now: a config file that Vite loads again for it gets a plugin that serves this same project. */
  static installing: SuiteProject | undefined

  constructor(options: ResolvedOptions) {
    this.options = options
    this.board = createBoard(this)
    this.desk = new MessageDesk(this)
  }

  /** Keeps the user's `test` options as written, before Vitest fills in its defaults. */
  remember(test: object | undefined): void {
    this.#filter.keep(test)
    this.#written ??= copyWritten(test)
  }

  /** The plugin of the root configuration, by the Vitest it serves. */
  static #roots = new WeakMap<Vitest, SuiteProject>()
  #vitest: Vitest | undefined

  /** Itself, or the plugin of the root configuration where Vite has loaded that file once more for one of its projects. */
  get served(): SuiteProject {
    return (this.#vitest && SuiteProject.#roots.get(this.#vitest)) ?? this
  }

  /** Vitest sets up its projects side by side; theirs of suites are added one after the other. */
  static #turn: Promise<unknown> = Promise.resolve()

  /** Adds the project to the user's; a second call for the same Vitest adds nothing. */
  async install(context: VitestPluginContext): Promise<void> {
    // Test files read these modules too: `defineSuite` links suites.
    context.defineCacheKeyGenerator(({ id, sourceCode }) =>
      isOwnModule(id) || importsPackage(sourceCode) ? false : undefined,
    )
    if (SuiteProject.installing === this) return
    if (isReloadedRoot(context.vitest, context.project)) return this.#follow(context)
    const turn = SuiteProject.#turn.then(() => this.#install(context))
    SuiteProject.#turn = turn.catch(() => undefined)
    await turn
    this.#provide(context)
  }

  /** Leaves everything to the plugin of the root configuration, which Vitest asks in the same breath. */
  async #follow(context: VitestPluginContext): Promise<void> {
    this.#vitest = context.vitest
    await Promise.resolve()
    await SuiteProject.#turn
    this.served.#provide(context)
  }

  async #install({ vitest, project: owner, injectTestProjects }: VitestPluginContext): Promise<void> {
    if (this.#project) return
    if (isRootOwner(vitest, owner)) SuiteProject.#roots.set(vitest, this)
    shareServer(vitest, owner, this.#written)
    SuiteProject.installing = this
    const description = describeProject(vitest, owner, this.options)
    const [project] = await this.#filter
      .suspend(vitest, () => injectTestProjects(description))
      .finally(() => {
        SuiteProject.installing = undefined
      })
    if (!project) throw new Error('suitecase: Vitest did not add the project of the suites.')
    this.#filter.apply(vitest, { added: project, owner })
    dropCarrier(vitest)
    const files = await this.#open(vitest, project, owner)
    const required = requireSuites(vitest, { project, files, options: this.options })
    installReporters(vitest, this, { onStart: () => this.desk.clear(), own: [required] })
    hideInFrames(vitest, { redact: this.options.redact, owns: (path) => this.owns(path) })
    keyCache(vitest, project, this)
    // Vitest would count the workers of suites, which share theirs, as isolated ones and advise to share them.
    vitest.config.experimental.diagnostics.isolate = false
    vitest.config.sequence.sequencer = createSequencer(vitest.config.sequence.sequencer, this)
  }

  async #open(vitest: Vitest, project: TestProject, owner: TestProject): Promise<SuiteFiles> {
    this.#project = project
    const secrets = secretsOf(vitest)
    secrets.rules.push(this.options.redact)
    this.key = secrets.key
    // Lists are merged with the user's: their tests must not run a second time in here.
    project.config.include = this.options.include
    project.config.exclude = [...owner.config.exclude, ...this.options.exclude]
    const { root } = project.config
    const shownFrom = vitest.config.root
    this.files = new SuiteFiles({ root, shownFrom }, this.options, () => this.#list())
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
    return describeWorkerOptions(this.options, {
      project: project.name,
      root: project.config.root,
      shownFrom: vitest.config.root,
      env: readEnvFiles(project),
      key: this.key,
    })
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

  /** The test module of a suite; throws `SuiteError` with all that is wrong with the file. */
  async loadTest(path: string, runtime: string): Promise<LoadedModule> {
    const { plan, source, plans, ...links } = await this.#link(path)
    const { transformSuite } = await import('./transform.ts')
    return {
      ...transformSuite({
        plan,
        path,
        source: source.text,
        runtime,
        plans,
        redact: this.options.redact,
        ...links,
      }),
      moduleType: 'js',
    }
  }

  /** The module that carries a suite's plan for others. */
  async loadPlan(path: string): Promise<LoadedModule> {
    const { transformPlan } = await import('./transform.ts')
    return { code: transformPlan(await this.#link(path)), moduleType: 'js' }
  }

  async #link(path: string): Promise<LoadedSuite & { plans: Map<string, string>; app?: string }> {
    const { needs, ...loaded } = await this.#files()
      .link(path)
      .catch((error: unknown) => {
        throw error instanceof SuiteError ? redactError(error, this.options.redact) : error
      })
    const plans = new Map([...needs].map(([nodeId, file]) => [nodeId, `${file}${PLAN_QUERY}`]))
    // A suite that tests something else is not re-run when the application is edited.
    const app = usesApp(loaded.plan) ? this.#app : undefined
    return { ...loaded, plans, ...(app !== undefined && { app }) }
  }

  /** A module with suites in TypeScript, with all that they may read; undefined for any other. */
  async linkTyped(code: string, id: string): Promise<{ code: string; map: null } | undefined> {
    const linked = this.files && (await linkTyped(code, id, { files: this.files, app: this.#app }))
    if (!linked) return undefined
    this.readers.note(id, linked.reads)
    // The lines that are there stay where they are.
    return { code: linked.code, map: null }
  }

  get #app(): string | undefined {
    const { app } = this.options
    return app === undefined ? undefined : resolve(this.#files().root, app)
  }

  #files(): SuiteFiles {
    if (!this.files)
      throw new Error(
        'suitecase: the plugin was not set up by Vitest; it works only in a Vitest configuration.',
      )
    return this.files
  }

  /** Forgets an edited file, and lists the suites anew when one came or went. */
  async forget(path: string): Promise<void> {
    await this.files?.forget(path)
    if (this.#suites.has(path) !== (await exists(path))) await this.#list()
    if (this.#suites.has(path) && this.#project && this.files) await declareTags(this.#project, this.files)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
