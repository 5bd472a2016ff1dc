import { parseJson, stringifyJson } from '../../../src/json.ts'
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { version } from '../../../src/version.ts'
import { findAbove, readRegularFile } from '../../../src/read-file.ts'
import { writeAtomically } from '../../../src/report/files/report-folder.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'

type Kept = { key: string; plan: SuitePlan }

export type PlanCache = ReturnType<typeof openPlanCache>

/** Caches plans between runs in `node_modules/.cache/suitecase`: parsing YAML is most of the loading time. Without a root nothing is cached. */
export function openPlanCache(root: string | undefined) {
  let folder = root && findCache(root)
  // The time alone would not do: some package managers give the files of all versions the same time.
  const base = `${version} ${statSync(new URL(import.meta.url)).mtimeMs}`

  async function computeKey(path: string, inputs: unknown, files: readonly string[]): Promise<string> {
    const digests = files.map(async (file) => {
      const bytes = await readRegularFile(file, { limit: Infinity, option: '' }).catch(String)
      return digest(bytes)
    })
    return digest([base, path, stringifyJson(inputs), ...(await Promise.all(digests))].join('\0'))
  }

  return {
    /** The cached plan of a suite, if neither `inputs` nor the other files that it names have changed since. */
    async read(path: string, inputs: unknown): Promise<SuitePlan | undefined> {
      if (folder === undefined) return undefined
      try {
        const kept: unknown = parseJson(readFileSync(nameFile(folder, path), 'utf8'))
        const { key, plan } = kept as Kept
        return key === (await computeKey(path, inputs, plan.files)) ? plan : undefined
      } catch {
        // Nothing is cached, or it cannot be read: the suite is loaded from its text.
        return undefined
      }
    },
    /** Caches a plan for the next run, unless one of its files has changed since loading began. */
    async keep(path: string, inputs: unknown, made: { plan: SuitePlan; since: number }): Promise<void> {
      const { plan, since } = made
      const file = folder && nameFile(folder, path)
      if (file === undefined) return
      const kept: Kept = { key: await computeKey(path, inputs, plan.files), plan }
      try {
        // The clock of a file system may be a little late.
        const isEdited = (path: string): boolean =>
          (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Infinity) > since - 20
        if (!plan.files.some(isEdited)) writeAtomically(file, [stringifyJson(kept)])
      } catch {
        // If the folder cannot be written, loading only takes longer.
        folder = undefined
      }
    },
  }
}

function nameFile(folder: string, path: string): string {
  return join(folder, `${digest(path)}.json`)
}

function digest(text: string | Uint8Array): string {
  return createHash('sha1').update(text).digest('hex')
}

/** The cache folder of the nearest package, where Vite and Vitest have theirs. Undefined if there is none. */
export function findCache(root: string): string | undefined {
  const [manifest] = findAbove(root, 'package.json')
  return manifest && join(dirname(manifest), 'node_modules/.cache/suitecase')
}
