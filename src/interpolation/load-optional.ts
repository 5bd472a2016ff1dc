import { createRequire } from 'node:module'

/** Loads an optional package, installed beside this one or in the current project; undefined if neither. */
export function loadOptional(specifier: string): unknown {
  const path = findOptional(specifier)
  return path === undefined ? undefined : createRequire(import.meta.url)(path)
}

/** True if an optional package is installed; does not load it. */
export function isInstalled(specifier: string): boolean {
  return findOptional(specifier) !== undefined
}

function findOptional(specifier: string): string | undefined {
  for (const from of [import.meta.url, `${process.cwd()}/package.json`])
    try {
      return createRequire(from).resolve(specifier)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error
    }
  return undefined
}
