import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { escapeControl } from '../../escape-control.ts'
import type { Json } from '../../json.ts'
import { BuildProblem, describeValue } from '../build-problem.ts'
import type { BuildContext } from './request-input.ts'
import { defaultLimits } from '../exchange.ts'

/** Which files a request may send. */
export type BodyFiles = {
  /** Folder of the suite; names are relative to it. */
  folder: string
  /** The request as its author wrote it: a name that stands in it is the author's choice, any other one came from a value. */
  written: Json
  /** Further folders that a name from a value may lead into. */
  folders?: readonly string[]
  /** Bytes of a file. */
  limit?: number | undefined
}

/** Reads a file for a body. A name that came from a value stays below the suite's folder, or below one of `folders`. */
export async function readBodyFile(name: string, files: BodyFiles): Promise<Uint8Array> {
  const { folder, written, folders = [], limit = defaultLimits.body } = files
  const path = resolve(folder, name)
  if (!isWritten(name, written)) await requireInside(path, [folder, ...folders])
  return readRegularFile(path, limit)
}

function isWritten(name: string, written: Json | undefined): boolean {
  if (typeof written !== 'object' || written === null) return name === written
  return Object.values(written).some((value) => isWritten(name, value))
}

/** Links are followed first, so that none leads out. */
async function requireInside(path: string, folders: readonly string[]): Promise<void> {
  const real = await realpath(path)
  for (const folder of folders) {
    const way = relative(await realpath(folder).catch(() => folder), real)
    if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return
  }
  throw new Error(
    'it came from a value and is outside the folder of the suite. Write the name without a template, or allow its folder with the option `files`',
  )
}

/** Opens without blocking, so that a pipe or device is refused instead of waited for. */
async function readRegularFile(path: string, limit: number): Promise<Uint8Array> {
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
      if (length > limit) {
        throw new Error(`it is larger than ${limit} bytes. The option \`limits.body\` raises the limit`)
      }
      if (bytesRead === 0) return bytes.subarray(0, length)
      if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(length)])
    }
  } finally {
    await handle.close()
  }
}

/** Reads a file of a request; what hinders it becomes a BuildProblem that names the file. */
export async function readPart(
  path: string,
  { readFile }: Pick<BuildContext, 'readFile'>,
): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    const reason = error instanceof Error ? escapeControl(error.message) : String(error)
    throw new BuildProblem(
      'BODY_FILE',
      `Could not read the file ${describeValue(path)} for the request: ${reason}`,
    )
  }
}
