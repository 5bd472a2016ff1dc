import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readTextIfThere } from '../../src/read-file.ts'

/** What happens to one file: it gets this text, or stays as it is. */
export type Change = { name: string; text?: string; why?: string }

/** Adds a file. One that exists stays, with the advice what to add to it, unless it has the `mark` of that already. */
export function addFile(
  folder: string,
  name: string,
  text: string,
  told?: { mark: string; advice: string },
): Change {
  const before = readTextIfThere(join(folder, name))
  if (before === undefined) return { name, text }
  return { name, why: told && !before.includes(told.mark) ? told.advice : 'it exists' }
}

/** Makes the changes, or none in a `dryRun`. Returns one line of text for each. Throws when a file cannot be written. */
export function makeChanges(folder: string, changes: readonly Change[], dryRun = false): string {
  const lines = changes.map(({ name, text, why }) => {
    const path = join(folder, name)
    const verb = text === undefined ? 'kept' : existsSync(path) ? 'written' : 'added'
    if (text !== undefined && !dryRun) writeText(path, name, text)
    return `${verb.padEnd(8)}${name}${why ? `: ${why}` : ''}`
  })
  return lines.join('\n')
}

function writeText(path: string, name: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  } catch (error) {
    throw new Error(`${name} could not be written: ${(error as Error).message}`, { cause: error })
  }
}
