import { existsSync, readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tryTo } from './errors.ts'

/** The largest size of a file in bytes, and the name of the option that sets it. */
export type FileLimit = { limit: number; option: string }

/** Reads a regular file. Throws for one beyond the limit, and for a pipe or device, which might block. */
export async function readRegularFile(path: string, { limit, option }: FileLimit): Promise<Buffer> {
  const found = await stat(path)
  if (!found.isFile()) throw new Error('it is not a regular file')
  const bytes = found.size > limit ? undefined : await readFile(path)
  // Files in /proc, for example, are longer than the size they report.
  if (bytes && bytes.length <= limit) return bytes
  throw new Error(`it is larger than ${limit} bytes. The option \`${option}\` raises the limit`)
}

/** Returns the text of a file without its byte order mark, or undefined if it cannot be read. */
export function readTextIfThere(path: string | URL): string | undefined {
  return tryTo(() => readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
}

/** Paths of the file in this folder and in those above it, nearest first. */
export function findAbove(folder: string, name: string): string[] {
  const further = dirname(folder) === folder ? [] : findAbove(dirname(folder), name)
  return [join(folder, name), ...further].filter((path) => existsSync(path))
}
