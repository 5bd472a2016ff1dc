import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readTextIfThere } from '../../src/read-file.ts'

/** What happens to one file. Without `text` it is left alone. */
export type Change = { name: string; verb: 'added' | 'edited' | 'kept'; text?: string; why?: string }

/** Decides from the text of a file (undefined if there is none) what happens to it. Its line ends stay as they are. */
export function planChange(
  folder: string,
  name: string,
  decide: (before: string | undefined) => { text?: string; why?: string },
): Change {
  const before = readTextIfThere(join(folder, name))
  const decided = decide(before)
  if (decided.text !== undefined && before?.includes('\r\n'))
    decided.text = decided.text.replaceAll(/\r?\n/g, '\r\n')
  const verb = decided.text === undefined ? 'kept' : before === undefined ? 'added' : 'edited'
  return { name, verb, ...decided }
}

/** Makes the planned changes, or none in a `dryRun`. Returns one line of text for each. Throws when a file cannot be written. */
export function makeChanges(folder: string, changes: readonly Change[], dryRun = false): string {
  for (const { name, verb, text } of dryRun ? [] : changes) {
    if (text === undefined) continue
    const path = join(folder, name)
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { flag: verb === 'added' ? 'wx' : 'w' })
    } catch (error) {
      throw new Error(`${name} could not be written: ${(error as Error).message}`, { cause: error })
    }
  }
  return changes.map(({ name, verb, why }) => `${verb.padEnd(8)}${name}${why ? `: ${why}` : ''}`).join('\n')
}
