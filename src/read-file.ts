import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'

/** Bytes that a file may have, and the option that says so. */
export type FileLimit = { limit: number; option: string }

/** Reads a regular file; a pipe or device is refused instead of waited for. */
export async function readRegularFile(path: string, { limit, option }: FileLimit): Promise<Buffer> {
  const found = await stat(path)
  if (!found.isFile()) throw new Error('it is not a regular file')
  const bytes = found.size > limit ? undefined : await readFile(path)
  // A file can be longer than it says, as those of /proc are.
  if (bytes && bytes.length <= limit) return bytes
  throw new Error(`it is larger than ${limit} bytes. The option \`${option}\` raises the limit`)
}

/** The text of a file; undefined for one that cannot be read, such as one that was removed meanwhile. */
export function readTextIfThere(path: string | URL): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
