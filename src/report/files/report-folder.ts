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
const ours = /^(?:suites\/[\w.-]+\.json|index\.html|performance\.json|failures\.json|report\.har)$/

/** Opens a report directory, which need not exist. */
export function openFolder(directory: string) {
  const list = join(directory, listName)
  const known = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []
  const names = new Set(known.filter((name) => ours.test(name)))
  /** Suite results of an earlier run, which have another name until `removeOthers`. */
  let earlier: ReadonlySet<string> = new Set()
  return {
    /**
     * Takes away what an earlier run wrote. Its suite results are only renamed: the new ones are written over
     * them, since ext4 takes up to a millisecond to find room for a new file after many were removed.
     */
    clear(): void {
      earlier = new Set([...names].filter((name) => name.startsWith('suites/')))
      for (const name of names) {
        const path = join(directory, name)
        if (earlier.has(name) && isOnlyOurs(path))
          retryWhileLocked(() => renameSync(path, nameOfEarlier(path)))
        else remove(path)
      }
      names.clear()
    },
    /** Writes a file like `writeAtomically`; its name is relative, with forward slashes. */
    write(name: string, pieces: Iterable<string>): void {
      if (!names.has(name)) {
        refuseForeign(directory, name)
        mkdirSync(directory, { recursive: true })
        appendFileSync(list, `${name}\n`)
        names.add(name)
      }
      const path = join(directory, name)
      writeAtomically(path, pieces, earlier.has(name) ? nameOfEarlier(path) : undefined)
    },
    /** Removes files written by this or an earlier run that are not in `keep`. */
    removeOthers(keep: readonly string[]): void {
      const stale = names.difference(new Set(keep))
      if (stale.size + earlier.size === 0) return
      for (const name of earlier) remove(nameOfEarlier(join(directory, name)))
      for (const name of stale) {
        remove(join(directory, name))
        names.delete(name)
      }
      earlier = new Set()
      writeFileSync(list, [...names].map((name) => `${name}\n`).join(''))
    },
  }
}

/** Removes a file that may be gone. */
function remove(path: string): void {
  retryWhileLocked(() => rmSync(path, { force: true }))
}

/** Another name for a result of an earlier run. */
function nameOfEarlier(path: string): string {
  return `${path}.suitecase-old`
}

// Found at the start of each of our files.
const marks = /<title>Test report<|^\{\s*"(?:node_id|version": 1,\s*"(?:status|failures))"|"name":"suitecase"/

/** Throws instead of replacing a file that is not ours, such as the page of a web application. Does not rely on our list: archives often leave out hidden files. */
function refuseForeign(directory: string, name: string): void {
  const path = join(directory, name)
  // Destructuring also ends the generator, which closes its file.
  const [start] = existsSync(path) ? readPieces(path) : []
  if (start !== undefined && !marks.test(start))
    throw new Error(`the \`${name}\` there is not a report. Choose another folder, or remove that file.`)
}

const flushAt = 1_048_576

/**
 * Writes a file piece by piece under a temporary name in the same directory, then renames it, so that whoever opens it finds the
 * old or the new file, never half of one. The temporary file is `earlier`, if that can be written over. On errors, removes it and
 * rethrows. Synchronous, because there are many small files, for which the thread pool costs more than writing.
 */
export function writeAtomically(path: string, pieces: Iterable<string>, earlier?: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const isUsed = earlier !== undefined && isOnlyOurs(earlier)
  const draft = isUsed ? earlier : `${path}.${randomUUID()}.tmp`
  try {
    const file = retryWhileLocked(() => openSync(draft, isUsed ? 'r+' : 'wx'))
    writePieces(file, pieces)
    retryWhileLocked(() => renameSync(draft, path))
  } catch (error) {
    rmSync(draft, { force: true })
    // The random name would make each message differ.
    const told = error as Error
    told.message = told.message.replaceAll(draft, () => path)
    throw told
  }
}

/** True for a writable file without other hard links, one of which could be a copy that somebody keeps. */
function isOnlyOurs(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    const stats = lstatSync(path)
    return stats.isFile() && stats.nlink === 1
  } catch {
    return false
  }
}

/** Retries for a second what Windows refuses while another program, such as a virus scanner, has the file open. */
function retryWhileLocked<Result>(change: () => Result): Result {
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
    // The old content may be longer. If the file were emptied first, it would be written to the disk at once.
    ftruncateSync(file, size)
  } finally {
    closeSync(file)
  }
}
