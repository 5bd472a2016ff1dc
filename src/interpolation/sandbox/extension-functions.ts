import { parseJson, stringifyJson, type Json } from '../../json.ts'

/** The globals of expressions, including user-defined functions. A variable of the same name wins. */
export const documentedGlobals: Set<string> = new Set(
  `Array BigInt Boolean Date Error Infinity Intl JSON Map Math NaN Number Object RangeError RegExp Set String Symbol
  SyntaxError TypeError URL URLSearchParams atob btoa crypto decodeBase64 decodeURI decodeURIComponent encodeBase64 encodeURI
  encodeURIComponent isFinite isNaN parseFloat parseInt undefined`.split(/\s+/u),
)

/** A user-defined function that expressions can call: JSON in, JSON out. */
export type ExtensionFunction = (passed: Json[]) => Json | undefined

const functions = new Map<string, ExtensionFunction>()

/** The user-defined functions by name. */
export const extensionFunctions: ReadonlyMap<string, ExtensionFunction> = functions

/** What functions gave in an evaluation, by their names and arguments. Once it `isOver`, they are not called again. */
export type Calls = { results: Map<string, string>; isOver: boolean }

let current: Calls | undefined

/** Runs evaluations whose calls of user-defined functions are kept, or answered from those kept before. */
export function keepCalls<Result>(calls: Calls, run: () => Result): Result {
  const before = current
  current = calls
  try {
    return run()
  } finally {
    current = before
  }
}

/** Calls a user-defined function. Arguments and result are JSON; an empty text is undefined. */
export function callExtension(name: string, passed: string): string {
  const key = `${name}${passed}`
  const known = current?.results.get(key)
  if (current?.isOver && known !== undefined) return known
  if (current?.isOver) throw new Error('was not called')
  const result = functions.get(name)?.(parseJson(passed) as Json[])
  const text = result === undefined ? '' : stringifyJson(result)
  if (known === undefined) current?.results.set(key, text)
  return text
}

/** Replaces the user-defined functions. For checks before a run, only their names matter. */
export function setUserFunctions(given: Readonly<Record<string, ExtensionFunction>>): void {
  for (const name of functions.keys()) documentedGlobals.delete(name)
  functions.clear()
  for (const [name, call] of Object.entries(given)) {
    functions.set(name, call)
    documentedGlobals.add(name)
  }
}
