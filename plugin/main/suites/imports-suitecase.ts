/** True for the text of a module that imports this package. */
export function importsPackage(text: string): boolean {
  return /(?:from|import)\s*\(?\s*["']suitecase["']/.test(text)
}
