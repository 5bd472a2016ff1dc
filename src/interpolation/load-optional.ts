import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Loads an optional package: one installed beside this package, else one of the project in the current directory.
 * `undefined` when there is none; an error inside the package is thrown as it is.
 */
export function loadOptional(specifier: string): unknown {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    const require = createRequire(from)
    const path = findModule(require, specifier)
    if (path !== undefined) return require(path)
  }
  return undefined
}

function findModule(require: NodeJS.Require, specifier: string): string | undefined {
  try {
    return require.resolve(specifier)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
