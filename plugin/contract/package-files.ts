import { dirname } from 'node:path'

/** The folder that this package is in, with `/`. */
export const PACKAGE_FOLDER: string = `${dirname(import.meta.dirname).replaceAll('\\', '/')}/`

/** Matches the files of this package wherever it is linked from: like those in `node_modules`, workers import them without Vite. */
export const PACKAGE_FILES: RegExp = new RegExp(
  `^${PACKAGE_FOLDER.replaceAll(/[.*+?^${}()|[\]]/g, String.raw`\$&`)}`,
)
