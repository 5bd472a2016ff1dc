import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder of this package, with `/` as separator. */
export const PACKAGE_FOLDER: string = `${dirname(import.meta.dirname).replaceAll('\\', '/')}/`

/** Removes the lines of this package from a stack: they tell a user nothing. Node writes a blank in a path as `%20`. */
export function dropOwnFrames(stack: string): string {
  const places = [PACKAGE_FOLDER, pathToFileURL(PACKAGE_FOLDER).href]
  const lines = stack.split('\n')
  return lines.filter((line) => !places.some((place) => line.includes(place))).join('\n')
}

/** Matches the files of this package, wherever it is linked from. Like those in `node_modules`, workers import them without Vite. */
export const PACKAGE_FILES: RegExp = new RegExp(
  `^${PACKAGE_FOLDER.replaceAll(/[.*+?^${}()|[\]]/g, String.raw`\$&`)}`,
)

/** Folder in which the worker's thread keeps its compiled code. */
export const COMPILED = 'suitecase-compiled'
