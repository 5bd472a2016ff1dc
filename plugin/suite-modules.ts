import { resolve } from 'node:path'
import { SuiteError } from '../src/errors.ts'
import { linkTyped } from './link-typed.ts'
import { PLAN_QUERY } from './messages.ts'
import type { ResolvedOptions } from './options.ts'
import { redactError } from './redact-error.ts'
import type { LoadedSuite, SuiteFiles } from './suite-files.ts'
import { usesApp } from './uses-app.ts'
import type { WatchReaders } from './watch-readers.ts'

/** A module as Vite takes it; that of a suite has its source map beside the code. */
type LoadedModule = { code: string; moduleType: 'js' }

/** The modules that Vite gets for the suites of a project. */
export class SuiteModules {
  #files: SuiteFiles
  #options: ResolvedOptions
  #readers: WatchReaders

  constructor(files: SuiteFiles, options: ResolvedOptions, readers: WatchReaders) {
    this.#files = files
    this.#options = options
    this.#readers = readers
  }

  /** The test module of a suite; throws `SuiteError` with all that is wrong with the file. */
  async loadTest(path: string, runtime: string): Promise<LoadedModule> {
    const { source, ...linked } = await this.#link(path)
    const { redact } = this.#options
    const { transformSuite } = await import('./transform.ts')
    return { ...transformSuite({ path, source: source.text, runtime, redact, ...linked }), moduleType: 'js' }
  }

  /** The module that carries a suite's plan for others. */
  async loadPlan(path: string): Promise<LoadedModule> {
    const { transformPlan } = await import('./transform.ts')
    return { code: transformPlan(await this.#link(path)), moduleType: 'js' }
  }

  async #link(path: string): Promise<LoadedSuite & { plans: Map<string, string>; app?: string }> {
    const { needs, ...loaded } = await this.#files.link(path).catch((error: unknown) => {
      throw error instanceof SuiteError ? redactError(error, { redact: this.#options.redact, path }) : error
    })
    const plans = new Map([...needs].map(([nodeId, file]) => [nodeId, `${file}${PLAN_QUERY}`]))
    // A suite that tests something else is not re-run when the application is edited.
    const app = usesApp(loaded.plan) ? this.#app : undefined
    return { ...loaded, plans, ...(app !== undefined && { app }) }
  }

  /** A module with suites in TypeScript, with all that they may read; undefined for any other. */
  async linkTyped(code: string, id: string): Promise<{ code: string; map: null } | undefined> {
    const linked = await linkTyped(code, id, { files: this.#files, app: this.#app })
    if (!linked) return undefined
    this.#readers.note(id, linked.reads)
    // The lines that are there stay where they are.
    return { code: linked.code, map: null }
  }

  get #app(): string | undefined {
    const { app } = this.#options
    return app === undefined ? undefined : resolve(this.#files.root, app)
  }
}
