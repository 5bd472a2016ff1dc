import { relative, resolve, sep } from 'node:path'

/** Resolves a path and spells it as Vitest does, so that both can be compared: on Windows `C:/a/b`. */
export function resolvePath(...parts: readonly string[]): string {
  const path = resolve(...parts).replaceAll(sep, '/')
  return path.replace(/^[a-z]:/, (drive) => drive.toUpperCase())
}

/** The path of a file from a folder, as it is shown and compared: with `/`, on Windows, too. */
export function relativePath(from: string, path: string): string {
  return relative(from, path).replaceAll('\\', '/')
}
