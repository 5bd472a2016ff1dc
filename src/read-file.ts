import { constants, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Bytes that a file may have, and the option that says so. */
export type FileLimit = { limit: number; option: string }

/** Reads a regular file. It is opened without blocking, so that a pipe or device is refused instead of waited for. */
export async function readRegularFile(path: string, { limit, option }: FileLimit): Promise<Buffer> {
  // Where a flag does not exist it counts as none.
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants
  const handle = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error('it is not a regular file')
    // A file can be longer than it says, as those of /proc are, or grow while it is read.
    let bytes = Buffer.alloc(Math.min(stats.size, limit) + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length)
      length += bytesRead
      if (length > limit)
        throw new Error(`it is larger than ${limit} bytes. The option \`${option}\` raises the limit`)
      if (bytesRead === 0) return bytes.subarray(0, length)
      if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(length)])
    }
  } finally {
    await handle.close()
  }
}

/** The text of a file; undefined for one that cannot be read, such as one that was removed meanwhile. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
