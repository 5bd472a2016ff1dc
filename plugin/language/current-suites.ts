import { openSuites, type OpenSuites } from '../commands/open-suites.ts'
import type { ResolvedOptions } from '../contract/options.ts'
import type { SuiteFiles } from '../main/suites/suite-files.ts'
import type { Document } from './document.ts'

/** The suites of the working directory as its configuration and files are now, including unsaved edits. */
export class CurrentSuites {
  /** The open documents by path. */
  readonly documents = new Map<string, Document>()
  #suites: Promise<OpenSuites> | undefined
  #isStale = false

  /** Opens the suites, unless they are open and up to date. Rejects while the configuration is wrong. */
  #open(): Promise<OpenSuites> {
    if (!this.#suites || this.#isStale) this.#suites = this.#reopen(this.#suites)
    this.#isStale = false
    return this.#suites
  }

  async #reopen(before: Promise<OpenSuites> | undefined): Promise<OpenSuites> {
    await before?.then(({ close }) => close()).catch(() => undefined)
    const suites = await openSuites()
    for (const { files } of suites.projects) {
      files.drafts = this.documents
      // Some of them may have been read from disk already, without their drafts.
      for (const path of this.documents.keys()) files.forget(path)
    }
    return suites
  }

  /** Marks everything as outdated, even the configuration: other files may have changed with this one. */
  async readAgain(): Promise<void> {
    this.#isStale = true
    // Waits for a reading under way, so that many files saved at once are read together.
    await this.#suites?.catch(() => undefined)
  }

  /** Reads a document again after an edit. */
  async forget(path: string): Promise<void> {
    const { projects } = await this.#open()
    for (const { files } of projects) files.forget(path)
  }

  /** The project of a suite file. For a new file it is the first project. */
  async findProject(path: string): Promise<{ options: ResolvedOptions; files: SuiteFiles }> {
    const { projects } = await this.#open()
    for (const one of projects) if ((await one.files.index()).has(path)) return one
    return projects[0] as OpenSuites['projects'][number]
  }

  /** True for a file that the option `include` matches. */
  async isSuite(path: string): Promise<boolean> {
    // A broken configuration is reported at files that are named like suites.
    const found = await this.findProject(path).catch(() => undefined)
    return found !== undefined && (await found.files.index()).has(path)
  }

  async close(): Promise<void> {
    await (await this.#suites?.catch(() => undefined))?.close()
  }
}
