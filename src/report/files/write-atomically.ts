import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
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
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await using file = await open(temporary, 'wx')
    let waiting: string[] = []
    let size = 0
    for await (const piece of pieces) {
      waiting.push(piece)
      size += piece.length
      if (size < flushAt) continue
      await file.writeFile(waiting.join(''))
      waiting = []
      size = 0
    }
    await file.writeFile(waiting.join(''))
    await file.close()
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
