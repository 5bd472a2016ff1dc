import { constants, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

/** Bytes that a file may have, and the option that says so. */
export type FileLimit = { limit: number; option: string }

/** Reads a regular file. It is opened without blocking, so that a pipe or device is refused instead of waited for. */
export async function readRegularFile(path: string, { limit, option }: FileLimit): Promise<Buffer> {
  // Where a flag does not exist it counts as none.
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants
  const handle = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is not a regular file')
    // A file can be longer than it says, as those of /proc are, or grow while it is read.
    const bytes = await buffer(handle.createReadStream({ end: limit, autoClose: false }))
    if (bytes.length <= limit) return bytes
    throw new Error(`it is larger than ${limit} bytes. The option \`${option}\` raises the limit`)
  } finally {
    await handle.close()
  }
}

/** The text of a file; undefined for one that cannot be read, such as one that was removed meanwhile. */
export function readTextIfThere(path: string | URL): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
