import { dirname } from 'node:path'

/** Matches the files of this package wherever it is linked from: like those in `node_modules`, workers import them without Vite. */
export const PACKAGE_FILES: RegExp = matchFolder(dirname(import.meta.dirname))

function matchFolder(path: string): RegExp {
  const escaped = path.replaceAll('\\', '/').replaceAll(/[.*+?^${}()|[\]]/g, String.raw`\$&`)
  return new RegExp(`^${escaped}/`)
}
