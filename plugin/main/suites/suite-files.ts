import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SuiteError, tryTo, type LocatedProblem, type Problem } from '../../../src/errors.ts'
import { extensionFunctions } from '../../../src/interpolation/sandbox/extension-functions.ts'
import type { Json } from '../../../src/json.ts'
import { readTextIfThere } from '../../../src/read-file.ts'
import { learnAuth } from '../../../src/report/learn-step.ts'
import { rememberObjects } from '../../../src/remember.ts'
import { createSuiteRedactor } from '../../../src/secrets/suite-redactor.ts'
import type { SourceFile } from '../../../src/source.ts'
import { createSuiteError } from '../../../src/suite/locate-problems.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import { summariseSuite, type SuiteSummary } from '../../../src/suite/suite-index.ts'
import { linkSuite, type LinkedSuite } from '../../contract/linking/link-suite.ts'
import { findFile, type LoadedSuite, type SuiteLookup } from '../../contract/linking/suite-lookup.ts'
import { redactError } from '../../contract/redact-error.ts'
import { pickLoadSettings } from '../../contract/worker-options.ts'
import { openPlanCache, type PlanCache } from './plan-cache.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import { relativePath, resolvePath } from '../../../src/resolve-path.ts'
import { usesApp } from '../../contract/parcel.ts'

type Places = {
  root: string
  /** The folder that Vitest runs in. Shown paths are relative to it. */
  shownFrom: string
  /** Environment variables that suites see in addition to those of the process. */
  env?: Readonly<Record<string, string | undefined>>
}

/** How many suites are loaded before the worker asks for them. */
const AHEAD = 32

/** The suite files of one Vitest project: found once, and read again only when they change. */
export class SuiteFiles implements SuiteLookup {
  readonly root: string
  /** Unsaved text of editors, by path. */
  drafts: ReadonlyMap<string, { text: string }> = new Map()
  app: string | undefined
  /** Suite files of the next run, in order. */
  ahead: readonly string[] = []
  #places: Places
  #options: ResolvedOptions
  #listFiles: () => Promise<string[]>
  #cache: PlanCache
  #summaries = new Map<string, SuiteSummary>()
  #nodeIds = new Map<string, string[]>()
  #indexing: Promise<ReadonlyMap<string, SuiteSummary>> | undefined
  #loaded = new Map<string, Promise<LoadedSuite>>()
  /** The files that went into each suite or, if it did not load, those whose edit may fix it. */
  #parts = new Map<string, readonly string[]>()
  /** The suites that each suite needs, and the application, as of when it was last linked. */
  #needs = new Map<string, readonly string[]>()
  #readSince = Date.now()

  constructor(places: Places, options: ResolvedOptions, listFiles: () => Promise<string[]>) {
    this.root = places.root
    this.#places = places
    this.#options = options
    this.#listFiles = listFiles
    this.#cache = openPlanCache(holdSecret(options) ? undefined : places.root)
  }

  /** Forgets what is known about a file, and the suites that it is part of, after an edit. */
  forget(path: string): void {
    this.#indexing = undefined
    this.#summaries.delete(path)
    this.#loaded.delete(path)
    for (const [suite, files] of this.#parts) if (files.includes(path)) this.#loaded.delete(suite)
  }

  /** Forgets files, or `only` one, whose edits Vitest's watcher did not see. Returns whether there were any. */
  refresh(only?: string): boolean {
    // Some file systems store times in whole seconds.
    const since = this.#readSince - 1000
    if (only === undefined) this.#readSince = Date.now()
    const read = only === undefined ? [...this.#summaries.keys(), ...this.#parts.values()].flat() : [only]
    const edited = [...new Set(read)].filter(
      (file) => (tryTo(() => statSync(file).ctimeMs) ?? since) >= since,
    )
    for (const file of edited) this.forget(file)
    return edited.length > 0
  }

  /** The suites that depend on each file, as far as is known from when they were last loaded and linked. */
  readers(): ReadonlyMap<string, readonly { suite: string }[]> {
    const reads = [...this.#parts, ...this.#needs].flatMap(([suite, files]) =>
      files.map((file) => ({ suite, file })),
    )
    return Map.groupBy(reads, ({ file }) => file)
  }

  /** Links the suites that have never been linked, such as those that no run has included yet. */
  async linkAll(): Promise<void> {
    for (const path of (await this.index()).keys())
      if (!this.#needs.has(path)) await this.link(path).catch(() => undefined)
  }

  show(path: string): string {
    return relativePath(this.#places.shownFrom, path)
  }

  /** A summary of every suite file, made once and again after `forget`. */
  index(): Promise<ReadonlyMap<string, SuiteSummary>> {
    return (this.#indexing ??= this.#index())
  }

  async #index(): Promise<ReadonlyMap<string, SuiteSummary>> {
    const files = await this.#listFiles()
    const known = this.#summaries
    this.#summaries = new Map(
      files.map((path) => [path, known.get(path) ?? summariseSuite(path, this.readText(path))]),
    )
    const nodeIdOf = (path: string): string => (this.#summaries.get(path) as SuiteSummary).nodeId
    this.#nodeIds = Map.groupBy(this.#summaries.keys(), nodeIdOf)
    return this.#summaries
  }

  /** The text of a file, or an editor's unsaved text. Empty if the file is gone. */
  readText(path: string): string {
    return this.drafts.get(path)?.text ?? readTextIfThere(path) ?? ''
  }

  async listPassed(nodeId: string, path: string): Promise<Set<string>> {
    const passed = new Set<string>()
    for (const [file, { mentions, files }] of this.#listWithCalled(await this.index())) {
      const isNamed = (name: string): boolean => resolvePath(dirname(file), name) === path
      if (file === path || !(mentions.includes(nodeId) || files.some(isNamed))) continue
      const caller = await this.load(file).catch(() => undefined)
      const calls = caller?.plan.needs.filter(({ suite }) => suite === nodeId || isNamed(suite))
      const names = calls?.flatMap(({ inputs = [] }) => inputs.map(({ name }) => name))
      for (const name of names ?? this.readText(file).split(/[^\w-]+/)) passed.add(name)
    }
    return passed
  }

  /** The summaries, also of YAML files that suites name and that run only where they are called. */
  #listWithCalled = rememberObjects((index: ReadonlyMap<string, SuiteSummary>) => {
    const all = new Map(index)
    // Goes on with what it adds.
    for (const [path, { files }] of all) {
      for (const file of files.map((name) => resolvePath(dirname(path), name)))
        if (!all.has(file)) all.set(file, summariseSuite(file, this.readText(file)))
    }
    return all
  })

  async nodeIds(): Promise<ReadonlyMap<string, readonly string[]>> {
    await this.index()
    return this.#nodeIds
  }

  /** Loads one suite and checks it on its own. Rejects with a `SuiteError`. */
  load(path: string): Promise<LoadedSuite> {
    const known = this.#loaded.get(path)
    if (known) return known
    const loading = this.#read(path)
    this.#loaded.set(path, loading)
    const { extend = [] } = this.#options
    const note = ({ files = [] }: Partial<SuiteError>): void =>
      void this.#parts.set(path, [extend, files].flat())
    loading.then(({ plan }) => note(plan), note)
    return loading
  }

  /** Loads a run's first suites while their worker starts. Their mistakes are reported when they run. */
  loadAhead(): void {
    for (const path of this.ahead.slice(0, AHEAD)) this.load(path).catch(() => undefined)
  }

  async #read(path: string): Promise<LoadedSuite> {
    const since = Date.now()
    const draft = this.drafts.get(path)
    const bytes = draft === undefined ? this.#readBytes(path) : Buffer.from(draft.text)
    const source: SourceFile = { path: this.show(path), text: bytes.toString('utf8').replace(/^\uFEFF/, '') }
    // Taken now, since environment variables may change while the suite is loaded.
    const settings = pickLoadSettings(this.#options, this.#places.env)
    const inputs = [source.text, this.#places.shownFrom, settings]
    const kept = draft === undefined ? await this.#cache.read(path, inputs) : undefined
    if (kept) return { plan: kept, source }
    // Imported on demand: with all plans in the cache, a run needs neither the YAML parser nor the schema.
    const { loadSuite } = await import('../../../src/suite/load-suite.ts')
    const { extend } = this.#options
    if (extend !== undefined)
      await (await import('../../contract/read-extension.ts')).readExtension(extend, this.show(extend))
    if (!isUtf8(bytes)) {
      const wrong = {
        code: 'yaml-syntax',
        message: 'The file is not UTF-8.',
        hint: 'Save it as UTF-8.',
      } as const
      throw refuseFile(source, wrong)
    }
    const plan = await loadSuite(source, { folder: dirname(path), ...settings })
    if (draft === undefined) void this.#cache.keep(path, inputs, { plan, since })
    return { plan, source }
  }

  /** The names of user-defined functions, once a suite has been read. */
  get functions(): readonly string[] {
    return [...extensionFunctions.keys()]
  }

  #readBytes(path: string): Buffer {
    try {
      return readFileSync(path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const message = `The file cannot be read (${code}).`
      const hint = 'Is it still there, and may this user read it?'
      throw refuseFile({ path: this.show(path), text: '' }, { code: 'unknown-reference', message, hint })
    }
  }

  /** The plans of all suites that load, or of the chosen ones. Others report their mistakes when they run. */
  async listPlans(isChosen: (summary: SuiteSummary) => boolean = () => true): Promise<SuitePlan[]> {
    const plans: SuitePlan[] = []
    for (const [path, summary] of await this.index()) {
      const loaded = isChosen(summary) ? await this.load(path).catch(() => undefined) : undefined
      if (loaded) plans.push(loaded.plan)
    }
    return plans
  }

  /** Loads a suite and checks it against the others. Rejects with a `SuiteError`, without the secrets of the file. */
  async link(path: string, unresolved = this.#options.unresolved): Promise<LinkedSuite> {
    try {
      const options = { ...this.#options, unresolved, env: this.#places.env ?? {} }
      const linked = await linkSuite(this, path, options)
      const app = this.app !== undefined && usesApp(linked.plan) ? [this.app] : []
      this.#needs.set(path, [...linked.needs.values(), ...app])
      return linked
    } catch (error) {
      const { mentions = [], files = [] } = (await this.index()).get(path) ?? {}
      const named = mentions.flatMap((name) => this.#nodeIds.get(name) ?? [])
      const paths = files.map((name) => resolvePath(dirname(path), name))
      this.#needs.set(path, [...new Set([...(this.#needs.get(path) ?? []), ...named, ...paths])])
      if (!(error instanceof SuiteError)) throw error
      throw redactError(error, { ...this.#options, ...this.#places, path })
    }
  }

  /** The errors that keep a suite from running, or the warnings if there are none, without its secrets. */
  async check(path: string): Promise<readonly LocatedProblem[]> {
    try {
      const { plan, source } = await this.link(path)
      const problems = plan.warnings.map(({ problem }) => problem)
      const told = createSuiteError(source, problems)
      return redactError(told, { ...this.#options, ...this.#places, path }).problems
    } catch (error) {
      if (error instanceof SuiteError) return error.problems
      throw error
    }
  }

  /** The files of called suites that the option `include` leaves out. */
  async listCalled(path: string): Promise<string[]> {
    const included = await this.index()
    const loaded = await this.load(path).catch(() => undefined)
    const calls = loaded?.plan.needs.filter(({ isCall }) => isCall) ?? []
    const called = await Promise.all(calls.map(({ suite }) => findFile(this, suite, dirname(path))))
    return called.filter((file) => file !== undefined && !included.has(file) && existsSync(file)) as string[]
  }
}

function refuseFile(source: SourceFile, problem: Pick<Problem, 'code' | 'message' | 'hint'>): SuiteError {
  const start = Math.max(0, source.text.indexOf('\uFFFD'))
  return createSuiteError(source, [{ severity: 'error', range: [start, start], ...problem }])
}

/** True if the settings in plans hold a secret. Plans have only the names of variables with plain values. */
function holdSecret({ defaults, redact, templates }: ResolvedOptions): boolean {
  if (defaults === undefined && templates === undefined) return false
  const redactor = createSuiteRedactor({ redact: [] }, redact)
  redactor.learn([templates, defaults] as Json[])
  learnAuth(redactor, defaults?.auth as Json | undefined)
  return redactor.known.size > 0
}
