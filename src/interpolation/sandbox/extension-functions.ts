import type { Json } from '../../json.ts'

/** What expressions see besides their variables; functions of the user's own come to it. A variable of the same name wins. */
export const documentedGlobals: Set<string> = new Set(
  `Array BigInt Boolean Date Error Infinity Intl JSON Map Math NaN Number Object RangeError RegExp Set String Symbol
  SyntaxError TypeError atob btoa crypto decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN
  parseFloat parseInt undefined`.split(/\s+/u),
)

/** A function of the user's own that expressions can call: JSON in, JSON out. */
export type ExtensionFunction = (passed: Json[]) => Json | undefined

const functions = new Map<string, ExtensionFunction>()

/** The functions of the user's own that expressions can call. */
export const extensionFunctions: ReadonlyMap<string, ExtensionFunction> = functions

/** Makes functions known to expressions, instead of those known before. Where nothing is run the names will do. */
export function giveFunctions(given: Readonly<Record<string, ExtensionFunction>>): void {
  for (const name of functions.keys()) documentedGlobals.delete(name)
  functions.clear()
  for (const [name, call] of Object.entries(given)) {
    functions.set(name, call)
    documentedGlobals.add(name)
  }
}

/** True for the name of such a function. */
export function isExtensionFunction(name: string): boolean {
  return functions.has(name)
}
