import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Loads an optional package: one installed beside this package, else one of the project in the current directory.
 * `undefined` when there is none; an error inside the package is thrown as it is.
 */
export function loadOptional(specifier: string): unknown {
  for (const require of listRequires()) {
    const path = findModule(require, specifier)
    if (path !== undefined) return require(path)
  }
  return undefined
}

/** True if an optional package is there; it is not loaded. */
export function isInstalled(specifier: string): boolean {
  return listRequires().some((require) => findModule(require, specifier) !== undefined)
}

function listRequires(): NodeJS.Require[] {
  return [import.meta.url, join(process.cwd(), 'package.json')].map((from) => createRequire(from))
}

function findModule(require: NodeJS.Require, specifier: string): string | undefined {
  try {
    return require.resolve(specifier)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
