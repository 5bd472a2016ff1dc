import { readFileSync } from 'node:fs'

/** The text of a file; undefined for one that cannot be read, such as one that was removed meanwhile. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
