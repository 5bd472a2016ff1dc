import { dirname } from 'node:path'

/** The folder of this package, with `/` as separator. */
export const PACKAGE_FOLDER: string = `${dirname(import.meta.dirname).replaceAll('\\', '/')}/`

/** Removes the lines of this package from a stack: they tell a user nothing. */
export function dropOwnFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !line.includes(PACKAGE_FOLDER))
    .join('\n')
}

/** Matches the files of this package, wherever it is linked from. Like those in `node_modules`, workers import them without Vite. */
export const PACKAGE_FILES: RegExp = new RegExp(
  `^${PACKAGE_FOLDER.replaceAll(/[.*+?^${}()|[\]]/g, String.raw`\$&`)}`,
)

/** Folder in which the worker's thread keeps its compiled code. */
export const COMPILED = 'suitecase-compiled'
