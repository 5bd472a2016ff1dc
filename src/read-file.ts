import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { tryTo } from './errors.ts'

/** The most bytes a file may have, and the option that sets this limit. */
export type FileLimit = { limit: number; option: string }

/** Reads a regular file. Throws for one beyond the limit, and for a pipe or device, which might block. */
export async function readRegularFile(path: string, { limit, option }: FileLimit): Promise<Buffer> {
  const found = await stat(path)
  if (!found.isFile()) throw new Error('it is not a regular file')
  const bytes = found.size > limit ? undefined : await readFile(path)
  // A file can be longer than its reported size, as in /proc.
  if (bytes && bytes.length <= limit) return bytes
  throw new Error(`it is larger than ${limit} bytes. The option \`${option}\` raises the limit`)
}

/** The text of a file, without a byte order mark; undefined if it cannot be read, for instance because it was just removed. */
export function readTextIfThere(path: string | URL): string | undefined {
  return tryTo(() => readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
}

/** What to do about a file that is there and cannot be read; undefined if it is not there. */
export function adviseUnread(code: string | undefined): string | undefined {
  if (code === 'EACCES' || code === 'EPERM') return 'Give this user permission to read it.'
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'Too many files and sockets are open: raise the limit (`ulimit -n`) or lower `concurrency`.'
  return undefined
}
