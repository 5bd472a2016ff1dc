import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const manifestName = '.written-by-suitecase'

// Only names we can have written: the list is a file, and files can be tampered with.
const ours = /^(?:suites\/[\w.-]+\.json|index\.html|performance\.json|failures\.json|report\.har)$/

/** Remembers on disk which files of a report directory are ours, so that a later run removes those and no others. */
export type Manifest = {
  /** Notes a file (relative, with forward slashes) before it is written. */
  add: (name: string) => void
  /** Removes the files noted by this or an earlier run that `keep` does not list. */
  removeOthers: (keep: ReadonlySet<string>) => void
}

/** Opens the list of written files of a report directory, which need not exist yet. */
export function openManifest(directory: string): Manifest {
  const path = join(directory, manifestName)
  const known = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const names = new Set(known.filter((name) => ours.test(name)))
  return {
    add(name) {
      if (names.has(name)) return
      mkdirSync(directory, { recursive: true })
      appendFileSync(path, `${name}\n`)
      names.add(name)
    },
    removeOthers(keep) {
      const stale = [...names].filter((name) => !keep.has(name))
      if (stale.length === 0) return
      for (const name of stale) {
        rmSync(join(directory, name), { force: true })
        names.delete(name)
      }
      writeFileSync(path, [...names].map((name) => `${name}\n`).join(''))
    },
  }
}
