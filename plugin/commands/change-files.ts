import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readTextIfThere } from '../../src/read-file.ts'

/** What is to become of one file; without a text it is left alone. */
export type Change = { name: string; verb: 'added' | 'edited' | 'kept'; text?: string; why?: string }

/** Decides from the text of a file, undefined where there is none, what is to become of it. */
export function planChange(
  folder: string,
  name: string,
  decide: (before: string | undefined) => { text?: string; why?: string },
): Change {
  const before = readTextIfThere(join(folder, name))
  const decided = decide(before)
  const verb = decided.text === undefined ? 'kept' : before === undefined ? 'added' : 'edited'
  return { name, verb, ...decided }
}

/** Does to files what was planned, unless it is a `dryRun`, and says so on one line each. Throws where one cannot be written. */
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
