import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder with the code of this package, with `/` as separator. */
export const PACKAGE_FOLDER: string = `${dirname(import.meta.dirname).replaceAll('\\', '/')}/`

/** Removes this package's lines from a stack: they tell a user nothing. In file URLs a blank is `%20`. */
export function dropOwnFrames(stack: string): string {
  const places = [PACKAGE_FOLDER, pathToFileURL(PACKAGE_FOLDER).href]
  const lines = stack.split('\n')
  return lines.filter((line) => !places.some((place) => line.includes(place))).join('\n')
}

/** Matches this package's files, even if linked. Workers import them without Vite, as from `node_modules`. */
export const PACKAGE_FILES: RegExp = new RegExp(
  `^${PACKAGE_FOLDER.replaceAll(/[.*+?^${}()|[\]]/g, String.raw`\$&`)}`,
)
