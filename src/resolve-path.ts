import { relative, resolve, sep } from 'node:path'

/** The absolute path of a file as Vitest writes it, so that the two can be compared: on Windows with `/`, and a drive in upper case. */
export function resolvePath(...parts: readonly string[]): string {
  const path = resolve(...parts).replaceAll(sep, '/')
  return path.replace(/^[a-z]:/, (drive) => drive.toUpperCase())
}

/** The path of a file from a folder, as it is shown and compared: with `/`, on Windows, too. */
export function relativePath(from: string, path: string): string {
  return relative(from, path).replaceAll('\\', '/')
}
