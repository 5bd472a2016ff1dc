import { stat } from 'node:fs/promises'
import type { TestProject, Vitest, VitestPluginContext } from 'vitest/node'
import { isOwnModule, keyCache } from './cache-key.ts'
import { dropCarrier } from './carrier-project.ts'
import { declareTags } from './declare-tags.ts'
import { describeProject, isReloadedRoot, isRootOwner } from './describe-project.ts'
import { createBoard, type ExportBoard } from './export-board.ts'
import { installReporters } from './install-reporters.ts'
import { importsPackage } from './may-hold-suites.ts'
import { MessageDesk } from './message-desk.ts'
import type { ResolvedOptions } from './options.ts'
import { ProjectFilter } from './project-filter.ts'
import { hideInFrames } from './hide-in-frames.ts'
import { secretsOf } from './run-secrets.ts'
import { requireSuites } from './require-suites.ts'
import { createSequencer } from './sequencer.ts'
import { copyWritten, shareServer } from './share-server.ts'
import { SuiteFiles } from './suite-files.ts'
import { SuiteModules } from './suite-modules.ts'
import { WatchReaders } from './watch-readers.ts'
import { describeWorkerOptions, readEnvFiles, type WorkerOptions } from './worker-options.ts'

/** The Vitest project in which suites run, and all that the main process does for them. */
export class SuiteProject {
  readonly options: ResolvedOptions
  readonly board: ExportBoard
  /** Answers the messages of workers. */
  readonly desk: MessageDesk
  files: SuiteFiles | undefined
  modules: SuiteModules | undefined
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
    this.modules = new SuiteModules(this.files, this.options, this.readers)
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

  /** What is made of the suites; throws outside of Vitest. */
  openModules(): SuiteModules {
    if (!this.modules)
      throw new Error(
        'suitecase: the plugin was not set up by Vitest; it works only in a Vitest configuration.',
      )
    return this.modules
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
