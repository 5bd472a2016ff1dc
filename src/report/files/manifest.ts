import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const manifestName = '.written-by-suitecase'

// Only names we can have written: the list is a file, and files can be tampered with.
const ours = /^(?:suites\/[\w.-]+\.json|index\.html|performance\.json|failures\.json|report\.har)$/

/** Remembers on disk which files of a report directory are ours, so that a later run removes those and no others. */
export type Manifest = {
  /** Notes a file (relative, with forward slashes) before it is written. */
  add: (name: string) => void
  /** Removes the files noted by this or an earlier run that `keep` does not list. */
  removeOthers: (keep: ReadonlySet<string>) => Promise<void>
}

/** Opens the list of written files of a report directory, which need not exist yet. */
export async function openManifest(directory: string): Promise<Manifest> {
  const path = join(directory, manifestName)
  const names = new Set((await readIfThere(path)).split('\n').filter((name) => ours.test(name)))

  function add(name: string): void {
    if (names.has(name)) return
    mkdirSync(directory, { recursive: true })
    appendFileSync(path, `${name}\n`)
    names.add(name)
  }

  async function removeOthers(keep: ReadonlySet<string>): Promise<void> {
    const stale = [...names].filter((name) => !keep.has(name))
    if (stale.length === 0) return
    for (const name of stale) {
      rmSync(join(directory, name), { force: true })
      names.delete(name)
    }
    await writeFile(path, [...names].map((name) => `${name}\n`).join(''))
  }

  return { add, removeOthers }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
