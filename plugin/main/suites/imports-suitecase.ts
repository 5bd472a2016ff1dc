import { readFile } from 'node:fs/promises'

/** True for a test file that imports this package: it may hold suites in TypeScript, of which nothing is known before it runs. */
export async function mayHoldSuites(path: string): Promise<boolean> {
  // A file that cannot be read fails by itself, when it is run.
  const text = await readFile(path, 'utf8').catch(() => '')
  return importsPackage(text)
}

/** True for the text of a module that imports this package. */
export function importsPackage(text: string): boolean {
  return /(?:from|import)\s*\(?\s*["']suitecase["']/.test(text)
}
