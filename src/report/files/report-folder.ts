import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** A report directory. It remembers on disk which files in it are ours, so that a later run removes those and no others. */
export type ReportFolder = {
  /** Writes a file (its name is relative, with forward slashes) as `writeAtomically` does. */
  write: (name: string, pieces: Iterable<string>) => void
  /** Removes the files that this or an earlier run wrote and `keep` does not list. */
  removeOthers: (keep: readonly string[]) => void
}

const listName = '.written-by-suitecase'

// Only names we can have written: the list is a file, and files can be tampered with.
const ours = /^(?:suites\/[\w.-]+\.json|index\.html|performance\.json|failures\.json|report\.har)$/

/** Opens a report directory, which need not exist yet. */
export function openFolder(directory: string): ReportFolder {
  const list = join(directory, listName)
  const known = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []
  const names = new Set(known.filter((name) => ours.test(name)))
  return {
    write(name, pieces) {
      if (!names.has(name)) {
        mkdirSync(directory, { recursive: true })
        appendFileSync(list, `${name}\n`)
        names.add(name)
      }
      writeAtomically(join(directory, name), pieces)
    },
    removeOthers(keep) {
      const stale = names.difference(new Set(keep))
      if (stale.size === 0) return
      for (const name of stale) {
        rmSync(join(directory, name), { force: true })
        names.delete(name)
      }
      writeFileSync(list, [...names].map((name) => `${name}\n`).join(''))
    },
  }
}

const flushAt = 1_048_576

/**
 * Writes a file piece by piece under a temporary name beside its place and renames it at the end, so that a reader sees the old
 * or the new file, never half of one. The temporary file is removed when anything fails, and the failure thrown on.
 * Synchronously: there are many small files, and the way of each through the thread pool costs more than its writing.
 */
export function writeAtomically(path: string, pieces: Iterable<string>): void {
  const temporary = `${path}.${randomUUID()}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  try {
    writePieces(temporary, pieces)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, 'wx')
  try {
    let waiting = ''
    for (const piece of pieces) {
      waiting += piece
      if (waiting.length < flushAt) continue
      writeFileSync(file, waiting)
      waiting = ''
    }
    writeFileSync(file, waiting)
  } finally {
    closeSync(file)
  }
}
