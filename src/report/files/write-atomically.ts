import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

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
