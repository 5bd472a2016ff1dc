import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const ourNames = /^(?:suites\/.+\.json|index\.html|performance\.json|failures\.json|report\.har)$/

// Found at the start of each of our files. A list of them would get lost, since archives often leave out hidden files.
const marks = /<title>Test report<|^\{\s*"(?:node_id|version": 1,\s*"(?:status|failures))"|"name":"suitecase"/

/** Writes a report like `writeAtomically`; its name is relative, with forward slashes. Throws instead of replacing a file that is not ours, such as the page of a web application. */
export function writeReport(directory: string, name: string, pieces: Iterable<string>): void {
  const path = join(directory, name)
  if (existsSync(path) && !isReport(path))
    throw new Error(`the \`${name}\` there is not a report. Choose another folder, or remove that file.`)
  writeAtomically(path, pieces)
}

/** Removes the reports of this and earlier runs that are not in `keep`. */
export function removeReports(directory: string, keep: ReadonlySet<string> = new Set()): void {
  for (const folder of ['suites/', '']) {
    const path = join(directory, folder)
    for (const file of existsSync(path) ? readdirSync(path) : []) {
      const isOld = ourNames.test(folder + file) && !keep.has(folder + file)
      if (isOld && isReport(join(path, file)))
        retryWhileLocked(() => rmSync(join(path, file), { force: true }))
    }
  }
}

function isReport(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(1024)
    readSync(file, start)
    return marks.test(start.toString())
  } finally {
    closeSync(file)
  }
}

/**
 * Writes a file piece by piece under a temporary name in the same directory, then renames it, so that whoever opens it finds the
 * old or the new file, never half of one. On errors, removes the temporary file and rethrows. Synchronous, because there are many
 * small files, for which the thread pool costs more than writing.
 */
export function writeAtomically(path: string, pieces: Iterable<string>): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    writePieces(openSync(draft, 'wx'), pieces)
    retryWhileLocked(() => renameSync(draft, path))
  } catch (error) {
    rmSync(draft, { force: true })
    // The random name would make each message differ.
    const told = error as Error
    told.message = told.message.replaceAll(draft, () => path)
    throw told
  }
}

const flushAt = 1_048_576

function writePieces(file: number, pieces: Iterable<string>): void {
  let waiting = ''
  try {
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

/** Retries for a second what Windows refuses while another program, such as a virus scanner, has the file open. */
function retryWhileLocked(change: () => void): void {
  for (let pause = 1; ; pause *= 2)
    try {
      return change()
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (pause > 512 || !['EACCES', 'EBUSY', 'EPERM'].includes(code)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
    }
}
