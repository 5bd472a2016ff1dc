import { randomUUID } from 'node:crypto'
import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { readPieces } from './serialise-page.ts'

/** A report directory. It keeps a list of our files on disk, so that a later run removes only those. */
export type ReportFolder = ReturnType<typeof openFolder>

const listName = '.written-by-suitecase'

// Only names we may have written: the list is a file and could have been tampered with.
const ours = /^(?:suites\/[\w.-]+\.(?:json|tmp)|index\.html|performance\.json|failures\.json|report\.har)$/

/** Opens a report directory, which need not exist. */
export function openFolder(directory: string) {
  const list = join(directory, listName)
  const known = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []
  const names = new Set(known.filter((name) => ours.test(name)))
  /** Suite results of an earlier run, out of sight: new ones are written over them. */
  const spare: string[] = []

  function keepList(): void {
    writeFileSync(list, [...names].map((name) => `${name}\n`).join(''))
  }

  return {
    /**
     * Removes what an earlier run wrote. Its suite results are only renamed, and new ones are written over them: after many
     * files were removed, ext4 takes up to a millisecond to find room for each new one. `removeOthers` removes the rest.
     */
    clear(): void {
      for (const name of names) {
        names.delete(name)
        const path = join(directory, name)
        const hidden = `suites/${randomUUID()}.tmp`
        if (name.startsWith('suites/') && isOnlyOurs(path)) {
          insist(() => renameSync(path, join(directory, hidden)))
          spare.push(hidden)
        } else insist(() => rmSync(path, { force: true }))
      }
      for (const hidden of spare) names.add(hidden)
      if (known.length > 0) keepList()
    },
    /** Writes a file like `writeAtomically`; its name is relative, with forward slashes. */
    write(name: string, pieces: Iterable<string>): void {
      if (!names.has(name)) {
        keepForeign(directory, name)
        mkdirSync(directory, { recursive: true })
        appendFileSync(list, `${name}\n`)
        names.add(name)
      }
      const hidden = spare.pop()
      writeAtomically(join(directory, name), pieces, hidden && join(directory, hidden))
    },
    /** Removes files written by this or an earlier run that are not in `keep`. */
    removeOthers(keep: readonly string[]): void {
      const stale = names.difference(new Set(keep))
      if (stale.size === 0) return
      for (const name of stale) {
        insist(() => rmSync(join(directory, name), { force: true }))
        names.delete(name)
      }
      spare.length = 0
      keepList()
    },
  }
}

// In the beginning of each of our files.
const marks = /<title>Test report<|^\{\s*"(?:node_id|version": 1,\s*"(?:status|failures))"|"name":"suitecase"/

/** Refuses to replace a file that is not ours, such as the page of a web application. The list of our files may be missing: archives often leave out hidden files. */
function keepForeign(directory: string, name: string): void {
  const path = join(directory, name)
  // Taken apart like this, a generator also closes its file.
  const [start] = existsSync(path) ? readPieces(path) : []
  if (start !== undefined && !marks.test(start))
    throw new Error(`the \`${name}\` there is not a report. Choose another folder, or remove that file.`)
}

const flushAt = 1_048_576

/**
 * Writes a file piece by piece under a temporary name in the same directory, then renames it, so that readers see the old or the
 * new file, never half of one. `spare` is a file that is written over for that. On errors, removes the temporary file and
 * rethrows. Synchronous, because there are many small files, for which the thread pool costs more than writing.
 */
export function writeAtomically(path: string, pieces: Iterable<string>, spare?: string): void {
  const draft = spare ?? `${path}.${randomUUID()}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  try {
    writePieces(openSync(draft, spare === undefined ? 'wx' : 'r+'), pieces)
    insist(() => renameSync(draft, path))
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** True for a file that can be written and has no other name, which could be that of a copy that somebody keeps. */
function isOnlyOurs(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    const stats = lstatSync(path)
    return stats.isFile() && stats.nlink === 1
  } catch {
    return false
  }
}

/** Tries again for a second what Windows refuses while another program, such as a virus scanner, has the file open. */
function insist(change: () => void): void {
  for (let pause = 1; ; pause *= 2)
    try {
      return change()
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (pause > 512 || !['EACCES', 'EBUSY', 'EPERM'].includes(code)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
    }
}

function writePieces(file: number, pieces: Iterable<string>): void {
  let waiting = ''
  let size = 0
  const flush = (): void => {
    writeFileSync(file, waiting)
    size += Buffer.byteLength(waiting)
    waiting = ''
  }
  try {
    for (const piece of pieces) {
      waiting += piece
      if (waiting.length >= flushAt) flush()
    }
    flush()
    // What stood there may be longer. Emptied before, the file would be written to the disk at once.
    ftruncateSync(file, size)
  } finally {
    closeSync(file)
  }
}
