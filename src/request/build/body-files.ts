import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { escapeControl } from '../../escape-control.ts'
import { readMessage } from '../../errors.ts'
import type { Json } from '../../json.ts'
import { readRegularFile } from '../../read-file.ts'
import { RequestProblem, describeValue } from '../request-problem.ts'
import type { BuildContext } from './request-input.ts'

export type BodyFiles = {
  /** Folder of the suite; file names are relative to it. */
  folder: string
  /** The request as written. File names in it come from its author, all others from values. */
  written: Json
  folders?: readonly string[] | undefined
  /** The largest size of a file in bytes. */
  limit: number
}

/** Reads a file for a body. Throws if its name comes from a value and is outside `folder` and `folders`. */
export async function readBodyFile(name: string, files: BodyFiles): Promise<Uint8Array> {
  const { folder, written, folders = [], limit } = files
  const path = resolve(folder, name)
  if (!isWritten(name, written)) await requireInside(path, [folder, ...folders])
  return readRegularFile(path, { limit, option: 'limits.body' })
}

function isWritten(name: string, written: Json | undefined): boolean {
  if (typeof written !== 'object' || written === null) return name === written
  return Object.values(written).some((value) => isWritten(name, value))
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Throws if a path is outside the folders, as written or after symbolic links are resolved. */
async function requireInside(path: string, folders: readonly string[]): Promise<void> {
  // As written first: to resolve `\\host\share`, Windows would log in to that host.
  if (folders.some((folder) => isInside(folder, path))) {
    const real = await realpath(path)
    for (const folder of folders) if (isInside(await realpath(folder).catch(() => folder), real)) return
  }
  throw new Error(
    'its name comes from a value, and it is outside the folder of the suite. Write the name without a template, or allow its folder with the option `files`',
  )
}

/** Reads a file for a request; an error becomes a RequestProblem that names the file. */
export async function readPart(path: string, context: BuildContext): Promise<Uint8Array> {
  try {
    return await context.readFile(path)
  } catch (error) {
    const reason = escapeControl(readMessage(error))
    throw new RequestProblem(`Could not read the file ${describeValue(path)} for the request: ${reason}`)
  }
}
