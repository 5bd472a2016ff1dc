import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SuiteError } from '../src/errors.ts'
import type { ResolvedOptions } from './options.ts'
import type { TestProject, Vitest, VitestPluginContext } from 'vitest/node'
import { createBoard, type ExportBoard } from './export-board.ts'
import { PLAN_QUERY, readMessage, type Message } from './messages.ts'
import { isOwnModule, keyCache } from './cache-key.ts'
import { installReporters } from './install-reporters.ts'
import { PACKAGE_FILES } from './package-files.ts'
import { createSequencer } from './sequencer.ts'
import { redactError } from './redact-error.ts'
import { secretsOf } from './run-secrets.ts'
import { copyWritten, shareServer } from './share-server.ts'
import { usesApp } from './uses-app.ts'
import { describeWorkerOptions, readEnvFiles } from './worker-options.ts'
import { SuiteFiles, type LoadedSuite } from './suite-files.ts'
import { ProjectFilter } from './project-filter.ts'

/** A module as Vite takes it; that of a suite has its source map beside the code. */
type LoadedModule = { code: string; moduleType: 'js' }

/** Name of the project that the plugin adds. */
const PROJECT_NAME = 'suites'

/** The Vitest project in which suites run, and all that the main process does for them. */
export class SuiteProject {
  readonly options: ResolvedOptions
  readonly board: ExportBoard
  files: SuiteFiles | undefined
  #project: TestProject | undefined
  #filter = new ProjectFilter()
  #suites = new Set<string>()
  #answers = new Map<string, Promise<unknown>>()
  #written: object | undefined
  /** Key of the messages of workers, and of what else they seal. */
  #key = ''

  /** The project being added just now: a config file that Vite loads again for it gets a plugin that serves this same project. */
  static installing: SuiteProject | undefined

  constructor(options: ResolvedOptions) {
    this.options = options
    this.board = createBoard(this)
  }

  /** Keeps the user's `test` options as written, before Vitest fills in its defaults. */
  remember(test: object | undefined): void {
    this.#filter.keep(test)
    const { projects: _projects, ...options } = (test ?? {}) as { projects?: unknown }
    this.#written ??= copyWritten(options)
  }

  /** Vitest sets up its projects side by side; theirs of suites are added one after the other. */
  static #turn: Promise<unknown> = Promise.resolve()

  /** Adds the project to the user's; a second call for the same Vitest does nothing. */
  async install(context: VitestPluginContext): Promise<void> {
    // Test files read these modules too: `defineSuite` links suites.
    context.defineCacheKeyGenerator(({ id }) => (isOwnModule(id) ? false : undefined))
    if (SuiteProject.installing === this) return
    const turn = SuiteProject.#turn.then(() => this.#install(context))
    SuiteProject.#turn = turn.catch(() => undefined)
    await turn
  }

  async #install({ vitest, project: owner, injectTestProjects }: VitestPluginContext): Promise<void> {
    if (this.#project) return
    this.#filter.restore(vitest)
    shareServer(vitest, owner, this.#written)
    SuiteProject.installing = this
    const [project] = await injectTestProjects(this.#describeProject(vitest, owner)).finally(() => {
      SuiteProject.installing = undefined
    })
    this.#filter.apply(vitest)
    // A `--project` filter can leave it out.
    if (!project) return
    this.#project = project
    // Lists are merged with the user's: their tests must not run a second time in here.
    project.config.include = this.options.include
    project.config.exclude = [...owner.config.exclude, ...this.options.exclude]
    this.files = new SuiteFiles(project.config.root, this.options, () => this.#list())
    await this.#declareTags()
    const secrets = secretsOf(vitest)
    secrets.rules.push(this.options.redact)
    this.#key = secrets.key
    this.#provideOptions(project, owner)
    installReporters(vitest, this, () => this.#answers.clear())
    keyCache(vitest, project, this)
    // Vitest would count the workers of suites, which share theirs, as isolated ones and advise to share them.
    vitest.config.experimental.diagnostics.isolate = false
    vitest.config.sequence.sequencer = createSequencer(vitest.config.sequence.sequencer, this)
  }

  #describeProject(
    vitest: Vitest,
    owner: TestProject,
  ): Parameters<VitestPluginContext['injectTestProjects']>[0] {
    const orders = vitest.projects.map((project) => project.config.sequence.groupOrder)
    const isTaken = vitest.projects.some(({ name }) => name === PROJECT_NAME)
    const isRoot = owner.vite === vitest.vite
    return {
      extends: isRoot ? true : (owner.vite.config.configFile ?? true),
      ...(!isRoot && { root: owner.config.root }),
      test: {
        name: { label: isTaken ? `${PROJECT_NAME} (${owner.name})` : PROJECT_NAME, color: 'cyan' },
        include: this.options.include,
        environment: 'node',
        isolate: false,
        fileParallelism: true,
        pool: this.options.pool,
        maxWorkers: this.options.maxWorkers,
        sequence: { groupOrder: Math.max(0, ...orders) + 1, concurrent: false, shuffle: false },
        typecheck: { enabled: false },
        // What plugins add to the user's options is not there yet when projects share a server.
        server: { deps: { external: [PACKAGE_FILES] } },
      },
    }
  }

  /** To the suites, and to the tests beside them, which may define suites of their own. */
  #provideOptions(project: TestProject, owner: TestProject): void {
    const options = describeWorkerOptions(this.options, {
      root: project.config.root,
      env: readEnvFiles(project),
      key: this.#key,
    })
    owner.provide('suitecase', options)
    project.provide('suitecase', options)
  }

  /** Vitest wants every tag declared: those of the suites are, as they stand in the files. */
  async #declareTags(): Promise<void> {
    const config = this.#project?.config
    if (!config || !this.files) return
    const known = new Set(config.tags?.map(({ name }) => name))
    for (const [path, { hasTags }] of await this.files.index()) {
      if (!hasTags) continue
      // A suite that cannot be loaded says so when its test file is run.
      const loaded = await this.files.load(path).catch(() => undefined)
      for (const name of loaded?.plan.tags ?? []) {
        if (known.has(name)) continue
        known.add(name)
        config.tags.push({ name })
      }
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
    const app =
      usesApp(loaded.plan) && this.options.app ? resolve(this.#files().root, this.options.app) : undefined
    return { ...loaded, plans, ...(app !== undefined && { app }) }
  }

  #files(): SuiteFiles {
    if (!this.files)
      throw new Error(
        'suitecase: the plugin was not set up by Vitest; it works only in a Vitest configuration.',
      )
    return this.files
  }

  /** Answers a worker's message; the answer travels as a module. Vite may load a module twice: the message counts once. */
  async answer(id: string): Promise<LoadedModule> {
    const answering = this.#answers.get(id) ?? this.#answer(readMessage(id, this.#key))
    this.#answers.set(id, answering)
    return {
      code: `export default JSON.parse(${JSON.stringify(JSON.stringify(await answering))})`,
      moduleType: 'js',
    }
  }

  async #answer(message: Message): Promise<unknown> {
    let answer: unknown = null
    if (message.kind === 'claim') answer = await this.board.claim(message)
    else if (message.kind === 'wanted')
      answer = (await this.board.progress.findWanted(message.nodeId)) ?? null
    else if (message.kind === 'publish') this.board.publish(message.nodeId, message.published, message.more)
    else if (message.kind === 'find') {
      const file = await this.files?.find(message.reference, message.folder)
      answer = file === undefined ? null : `${file}${PLAN_QUERY}`
    }
    return answer
  }

  /** Forgets an edited file, and lists the suites anew when one came or went. */
  async forget(path: string): Promise<void> {
    await this.files?.forget(path)
    if (this.#suites.has(path) !== (await exists(path))) await this.#list()
    if (this.#suites.has(path)) await this.#declareTags()
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
