import { realpathSync } from 'node:fs'
import { openSuites, type OpenSuites } from '../commands/open-suites.ts'
import type { SuiteProject } from '../main/setup/suite-project.ts'
import type { SuiteFiles } from '../main/suites/suite-files.ts'

/** The suites of a folder as its configuration and files are now, with what an editor has not saved. */
export class CurrentSuites {
  #folder: string
  #suites: Promise<OpenSuites> | undefined
  #isStale = false
  #drafts = new Map<string, string>()

  constructor(folder: string) {
    // Where links lead, as Vite names it.
    this.#folder = realpathSync(folder)
  }

  /** Rejects where the configuration is wrong, until it is read again. */
  open(): Promise<OpenSuites> {
    if (!this.#suites || this.#isStale) this.#suites = this.#reopen(this.#suites)
    this.#isStale = false
    return this.#suites
  }

  async #reopen(before: Promise<OpenSuites> | undefined): Promise<OpenSuites> {
    await before?.then(({ close }) => close()).catch(() => undefined)
    const suites = await openSuites(this.#folder)
    for (const [path, text] of this.#drafts) await useDraft(suites, path, text)
    return suites
  }

  /** Reads everything again when it is next asked for: with one file others may have changed, the configuration too. */
  async readAgain(): Promise<void> {
    this.#isStale = true
    // Many files that are saved at once are read together.
    await this.#suites?.catch(() => undefined)
  }

  /** Takes an unsaved text in place of a file's own; undefined gives the file back. */
  async useDraft(path: string, text: string | undefined): Promise<void> {
    if (text === undefined) this.#drafts.delete(path)
    else this.#drafts.set(path, text)
    await useDraft(await this.open(), path, text)
  }

  /** The project whose suite a file is; the first one for a file that is new. */
  async findProject(path: string): Promise<{ project: SuiteProject; files: SuiteFiles }> {
    const { projects } = await this.open()
    const all = projects.flatMap((project) => (project.files ? [{ project, files: project.files }] : []))
    for (const one of all) if ((await one.files.index()).has(path)) return one
    const [first] = all
    if (!first) throw new Error('There are no suite files here.')
    return first
  }

  /** True for a file that the option `include` names. */
  async isSuite(path: string): Promise<boolean> {
    // What is wrong with the configuration is told for files that are suites by their names.
    const found = await this.findProject(path).catch(() => undefined)
    return found !== undefined && (await found.files.index()).has(path)
  }

  /** Ends what was opened. */
  async close(): Promise<void> {
    await (await this.#suites?.catch(() => undefined))?.close()
  }
}

async function useDraft({ projects }: OpenSuites, path: string, text: string | undefined): Promise<void> {
  for (const { files } of projects) await files?.useDraft(path, text)
}
