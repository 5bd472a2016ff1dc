import { isUtf8 } from 'node:buffer'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { tryTo } from '../../src/errors.ts'
import { writeAtomically } from '../../src/report/files/report-folder.ts'

/** A planned change of one file. Without `text` the file is left alone. */
export type Change = {
  name: string
  verb: 'added' | 'edited' | 'kept'
  text?: string
  why?: string
}

/** Plans what happens to a file. `decide` gets its text, or undefined if there is none. Keeps line ends. */
export function planChange(
  folder: string,
  name: string,
  decide: (before: string | undefined) => { text?: string; why?: string },
): Change {
  const before = tryTo(() => readFileSync(join(folder, name)))
  if (before && !isUtf8(before))
    return { name, verb: 'kept', why: 'it is not UTF-8: save it as UTF-8, and run this again' }
  const old = before?.toString('utf8').replace(/^\uFEFF/, '')
  const { text, ...more } = decide(old)
  if (text === undefined) return { name, verb: 'kept', ...more }
  if (before === undefined) return { name, verb: 'added', text, ...more }
  const hasWindowsEnds = /\r\n/.test(old ?? '') && !/(?<!\r)\n/.test(old ?? '')
  const ended = hasWindowsEnds ? text.replaceAll(/\r?\n/g, '\r\n') : text
  return { name, verb: 'edited', text: ended, ...more }
}

/** Makes the changes, unless `dryRun`. Returns a line for each. Throws if a file cannot be written. */
export function makeChanges(folder: string, changes: readonly Change[], dryRun = false): string {
  for (const { name, text } of dryRun ? [] : changes)
    try {
      const path = join(folder, name)
      // `AGENTS.md` may be a link to the file of another agent.
      if (text !== undefined) writeAtomically(tryTo(() => realpathSync(path)) ?? path, [text])
    } catch (error) {
      throw new Error(`${name} could not be written: ${(error as Error).message}`, { cause: error })
    }
  return changes.map(({ name, verb, why }) => `${verb.padEnd(8)}${name}${why ? `: ${why}` : ''}`).join('\n')
}
