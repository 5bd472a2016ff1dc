import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What is to become of one file; without a text it is left alone. */
export type Change = { name: string; text?: string; isNew?: boolean; why: string }

/** Adds a file unless it is there. */
export function planFile(
  folder: string,
  name: string,
  { text, advice }: { text: string; advice: string },
): Change {
  return existsSync(join(folder, name)) ? { name, why: advice } : { name, text, isNew: true, why: '' }
}

/** What became of a file, on one line. */
export function describeChange({ name, text, isNew, why }: Change): string {
  const verb = text === undefined ? 'kept' : isNew ? 'added' : 'edited'
  return `${verb.padEnd(8)}${name}${why && `: ${why}`}`
}

/** Does to a file what was planned. Rejects when it cannot be written. */
export async function writeChange(folder: string, { name, text, isNew }: Change): Promise<void> {
  if (text === undefined) return
  const path = join(folder, name)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: isNew ? 'wx' : 'w' })
  } catch (error) {
    throw new Error(`${name} could not be written: ${(error as Error).message}`, { cause: error })
  }
}
