import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

const flushAt = 1_048_576

/**
 * Writes a file piece by piece under a temporary name beside its place and renames it at the end, so that a reader sees the old
 * or the new file, never half of one. The temporary file is removed when anything fails, and the failure thrown on.
 */
export async function writeAtomically(
  path: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writePieces(temporary, pieces)
    renameSync(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writePieces(path: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  let file: FileHandle | undefined
  let waiting: string[] = []
  let size = 0
  try {
    for await (const piece of pieces) {
      waiting.push(piece)
      size += piece.length
      if (size < flushAt) continue
      file ??= await openNew(path)
      await file.writeFile(waiting.join(''))
      waiting = []
      size = 0
    }
    if (file) await file.writeFile(waiting.join(''))
    else writeSmall(path, waiting.join(''))
  } finally {
    await file?.close()
  }
}

function openNew(path: string): Promise<FileHandle> {
  mkdirSync(dirname(path), { recursive: true })
  return open(path, 'wx')
}

/** Synchronously: there are many small files, and the way of each through the thread pool costs more than its writing. */
function writeSmall(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { flag: 'wx' })
  }
}
