import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readTextIfThere } from '../../src/read-file.ts'

/** What happens to one file: it gets this text, at its end if that `isAppended`, or stays as it is. */
export type Change = { name: string; text?: string; isAppended?: boolean; why?: string }

/** Adds a file. One that exists stays as it is. */
export function addFile(folder: string, name: string, text: string): Change {
  return existsSync(join(folder, name)) ? { name, why: 'it exists' } : { name, text }
}

/** Adds a file, or a text at the end of one that exists and does not have the `mark` of it. */
export function appendFile(
  folder: string,
  name: string,
  { whole, text, mark, why }: { whole: string; text: string; mark: string; why: string },
): Change {
  const before = readTextIfThere(join(folder, name))
  if (before === undefined) return { name, text: whole }
  if (before.includes(mark)) return { name, why: `it has \`${mark}\`` }
  return { name, text: before.endsWith('\n') ? text : `\n${text}`, isAppended: true, why }
}

/** Makes the changes, or none in a `dryRun`. Returns one line of text for each. Throws when a file cannot be written. */
export function makeChanges(folder: string, changes: readonly Change[], dryRun = false): string {
  const lines = changes.map((change) => {
    const { name, text, why } = change
    const verb = text === undefined ? 'kept' : existsSync(join(folder, name)) ? 'edited' : 'added'
    if (!dryRun) writeChange(folder, change)
    return `${verb.padEnd(8)}${name}${why ? `: ${why}` : ''}`
  })
  return lines.join('\n')
}

function writeChange(folder: string, { name, text, isAppended }: Change): void {
  if (text === undefined) return
  const path = join(folder, name)
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { flag: isAppended ? 'a' : 'w' })
  } catch (error) {
    throw new Error(`${name} could not be written: ${(error as Error).message}`, { cause: error })
  }
}
