import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { SuiteError, type Problem } from '../../../src/errors.ts'
import { readTextIfThere } from '../../../src/read-file.ts'
import type { SourceFile } from '../../../src/source.ts'
import { createSuiteError } from '../../../src/suite/locate-problems.ts'
import { summariseSuite, type SuiteSummary } from '../../../src/suite/suite-index.ts'
import { linkSuite, type LinkedSuite } from '../../contract/linking/link-suite.ts'
import type { LoadedSuite } from '../../contract/linking/suite-lookup.ts'
import { redactError } from '../../contract/redact-error.ts'
import { pickLoadSettings } from '../../contract/load-settings.ts'
import { listEnvironments, nameEnvironment } from '../setup/find-environment.ts'
import { PlanCache } from './plan-cache.ts'
import type { ResolvedOptions } from '../../contract/options.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The suite files of one Vitest project: found once, read again only when they change. */
export class SuiteFiles {
  readonly root: string
  #shownFrom: string
  #options: ResolvedOptions
  #summaries = new Map<string, SuiteSummary>()
  #nodeIds = new Map<string, string[]>()
  #indexing: Promise<ReadonlyMap<string, SuiteSummary>> | undefined
  #loaded = new Map<string, Promise<LoadedSuite>>()
  #listFiles: () => Promise<string[]>
  #cache: PlanCache
  /** Texts that an editor has not saved, by path. */
  #drafts = new Map<string, string>()
  /** Environment variables that suites see beside those of the process. */
  #env: Environment

  /** `root` is the project's; paths are shown relative to `shownFrom`, the folder Vitest runs in. */
  constructor(
    { root, shownFrom, env = {} }: { root: string; shownFrom: string; env?: Environment },
    options: ResolvedOptions,
    listFiles: () => Promise<string[]>,
  ) {
    this.root = root
    this.#shownFrom = shownFrom
    this.#options = options
    this.#listFiles = listFiles
    this.#env = env
    const settings = pickLoadSettings(options, { ...env, ...process.env })
    this.#cache = new PlanCache(root, [shownFrom, options.limits, settings])
  }

  /** Forgets what is known of a file (and of suites that read it), after an edit. Gives the suites that it kept from loading. */
  async forget(path: string): Promise<string[]> {
    this.#indexing = undefined
    this.#summaries.delete(path)
    this.#loaded.delete(path)
    const broken: string[] = []
    for (const [file, loading] of this.#loaded) {
      const loaded = await loading.catch((error: unknown) => error)
      const hasFailed = loaded instanceof Error
      const files = hasFailed ? this.#filesBehind(loaded) : (loaded as LoadedSuite).plan.files
      if (!files.includes(path)) continue
      this.#loaded.delete(file)
      if (hasFailed) broken.push(file)
    }
    return broken
  }

  /** Files whose edit may mend a suite that did not load. */
  #filesBehind(error: Error): readonly string[] {
    const read = error instanceof SuiteError ? error.files : []
    const { extend } = this.#options
    return extend === undefined ? read : [...read, extend]
  }

  /** Takes an unsaved text in place of a file's own; undefined gives the file back. */
  async useDraft(path: string, text: string | undefined): Promise<void> {
    if (text === undefined) this.#drafts.delete(path)
    else this.#drafts.set(path, text)
    await this.forget(path)
  }

  /** Path as messages and results show it, with `/`. */
  show(path: string): string {
    return relative(this.#shownFrom, path).replaceAll('\\', '/')
  }

  /** What a quick look at every suite file tells; looked at once, and again after `forget`. */
  index(): Promise<ReadonlyMap<string, SuiteSummary>> {
    this.#indexing ??= this.#index()
    return this.#indexing
  }

  async #index(): Promise<ReadonlyMap<string, SuiteSummary>> {
    const files = new Set(await this.#listFiles())
    for (const path of files)
      if (!this.#summaries.has(path)) this.#summaries.set(path, summariseSuite(path, this.readText(path)))
    for (const path of this.#summaries.keys()) if (!files.has(path)) this.#summaries.delete(path)
    this.#nodeIds = Map.groupBy(
      this.#summaries.keys(),
      (path) => (this.#summaries.get(path) as SuiteSummary).nodeId,
    )
    return this.#summaries
  }

  /** The text of a file, or what an editor has in its place; empty for one that is gone. */
  readText(path: string): string {
    return this.#drafts.get(path) ?? readTextIfThere(path) ?? ''
  }

  /** The files of each node id: one, unless two suites have the same. */
  async nodeIds(): Promise<ReadonlyMap<string, readonly string[]>> {
    await this.index()
    return this.#nodeIds
  }

  /** Loads one suite, checking it on its own. Throws `SuiteError`. */
  load(path: string): Promise<LoadedSuite> {
    const loading = this.#loaded.get(path) ?? this.#read(path)
    this.#loaded.set(path, loading)
    return loading
  }

  async #read(path: string): Promise<LoadedSuite> {
    const draft = this.#drafts.get(path)
    const bytes = draft === undefined ? readFileSync(path) : Buffer.from(draft)
    const source: SourceFile = { path: this.show(path), text: bytes.toString('utf8').replace(/^\uFEFF/, '') }
    const kept = draft === undefined ? await this.#cache.read(path, source.text) : undefined
    if (kept) return { plan: kept, source }
    // A run whose plans are all kept needs neither YAML parser nor schema.
    const { loadSuite } = await import('../../../src/suite/load-suite.ts')
    const { extend } = this.#options
    if (extend !== undefined)
      await (await import('../../contract/read-extension.ts')).readExtension(extend, this.show(extend))
    if (!isUtf8(bytes)) throw createSuiteError(source, [describeEncoding(source.text)])
    const plan = await loadSuite(source, {
      folder: dirname(path),
      ...pickLoadSettings(this.#options, { ...this.#env, ...process.env }),
      listEnvironments: () => this.environments,
      fileSize: this.#options.limits.fileSize,
    })
    if (draft === undefined) void this.#cache.keep(path, source.text, plan)
    return { plan, source }
  }

  /** Names of the environments, if none is chosen. */
  get environments(): readonly string[] {
    if (this.#options.environmentFile !== undefined) return []
    return listEnvironments(join(this.root, 'environments')).map(nameEnvironment)
  }

  /** Loads a suite and checks it against the others. Throws a `SuiteError` without what is secret in the file. */
  link(path: string): Promise<LinkedSuite> {
    return linkSuite(this, path, { ...this.#options, env: this.#env }).catch((error: unknown) => {
      throw error instanceof SuiteError ? redactError(error, { redact: this.#options.redact, path }) : error
    })
  }
}

function describeEncoding(text: string): Problem {
  const start = Math.max(0, text.indexOf('\uFFFD'))
  return {
    code: 'yaml-syntax',
    severity: 'error',
    message: 'The file is not UTF-8.',
    hint: 'Save it as UTF-8.',
    range: [start, start + 1],
  }
}
