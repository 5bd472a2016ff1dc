import { parseJson, stringifyJson } from '../../../src/json.ts'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { version } from '../../../src/version.ts'
import { readRegularFile } from '../../../src/read-file.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'

type Kept = { key: string; files: string[]; plan: SuitePlan }

type Made = { plan: SuitePlan; since: number }

/** Caches plans between runs in `node_modules/.cache/suitecase`: parsing YAML is most of the loading time. */
export class PlanCache {
  #folder: string | undefined
  #base: string

  /** Without a root nothing is cached. */
  constructor(root: string | undefined) {
    this.#folder = root && findCache(root)
    // The time alone would not do: some package managers give the files of all versions the same time.
    this.#base = `${version} ${statSync(new URL(import.meta.url)).mtimeMs}`
  }

  /** The cached plan of a suite, if neither `inputs` nor the other files that it names have changed since. */
  async read(path: string, inputs: unknown): Promise<SuitePlan | undefined> {
    if (this.#folder === undefined) return undefined
    try {
      const file = nameFile(this.#folder, path)
      const { key, files, plan } = parseJson(readFileSync(file, 'utf8')) as unknown as Kept
      return key === (await this.#key(path, inputs, files)) ? plan : undefined
    } catch {
      // Nothing is cached, or it cannot be read: the suite is loaded from its text.
      return undefined
    }
  }

  /** Caches a plan for the next run, unless one of its files has changed since loading began. */
  async keep(path: string, inputs: unknown, { plan, since }: Made): Promise<void> {
    const folder = this.#folder
    if (folder === undefined) return
    const { files } = plan
    const kept: Kept = { key: await this.#key(path, inputs, files), files, plan }
    const file = nameFile(folder, path)
    const draft = `${file}.${randomUUID()}`
    try {
      if (files.some((each) => wasEdited(each, since))) return
      mkdirSync(folder, { recursive: true })
      writeFileSync(draft, stringifyJson(kept))
      renameSync(draft, file)
    } catch {
      // If the folder cannot be written, loading only takes longer.
      this.#folder = undefined
      await rm(draft, { force: true }).catch(() => {})
    }
  }

  async #key(path: string, inputs: unknown, files: readonly string[]): Promise<string> {
    const digests = files.map(async (file) => {
      const bytes = await readRegularFile(file, { limit: Infinity, option: '' }).catch(String)
      return digest(bytes)
    })
    return digest([this.#base, path, stringifyJson(inputs), ...(await Promise.all(digests))].join('\0'))
  }
}

function nameFile(folder: string, path: string): string {
  return join(folder, `${digest(path)}.json`)
}

/** Whether a file was edited or removed after a time. The clock of a file system may be a little late. */
function wasEdited(path: string, since: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Infinity) > since - 20
}

function digest(text: string | Uint8Array): string {
  return createHash('sha1').update(text).digest('hex')
}

/** The cache folder of the nearest package, where Vite and Vitest have theirs. Undefined if there is none. */
export function findCache(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, 'node_modules/.cache/suitecase')
    if (folder === dirname(folder)) return undefined
  }
}
