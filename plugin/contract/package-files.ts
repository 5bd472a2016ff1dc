import { dirname } from 'node:path'

/** The folder that this package is in, with `/`. */
export const PACKAGE_FOLDER: string = `${dirname(import.meta.dirname).replaceAll('\\', '/')}/`

/** A stack without the lines of this package: where in it something was thrown says nothing to a user. */
export function dropOwnFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !line.includes(PACKAGE_FOLDER))
    .join('\n')
}

/** Matches the files of this package wherever it is linked from: like those in `node_modules`, workers import them without Vite. */
export const PACKAGE_FILES: RegExp = new RegExp(
  `^${PACKAGE_FOLDER.replaceAll(/[.*+?^${}()|[\]]/g, String.raw`\$&`)}`,
)

/** Folder in which the worker's thread keeps the code that it has compiled. */
export const COMPILED = 'suitecase-compiled'
