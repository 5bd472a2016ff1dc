import type { Json } from '../../json.ts'
import { allowWaiting } from './wait-for-calls.ts'

/** The globals of expressions, including user-defined functions. A variable of the same name wins. */
export const documentedGlobals: Set<string> = new Set(
  `Array BigInt Boolean Date Error Infinity Intl JSON Map Math NaN Number Object RangeError RegExp Set String Symbol
  SyntaxError TypeError URL URLSearchParams atob btoa crypto decodeBase64 decodeURI decodeURIComponent encodeBase64 encodeURI
  encodeURIComponent isFinite isNaN parseFloat parseInt undefined`.split(/\s+/u),
)

/** A user-defined function that expressions can call: JSON in, JSON out, perhaps later. */
export type ExtensionFunction = (passed: Json[]) => Json | undefined | Promise<Json | undefined>

const functions = new Map<string, ExtensionFunction>()

/** The user-defined functions by name. */
export const extensionFunctions: ReadonlyMap<string, ExtensionFunction> = functions

/** Replaces the user-defined functions. For checks before a run, only their names matter. */
export function setUserFunctions(given: Readonly<Record<string, ExtensionFunction>>): void {
  if (Object.keys(given).length > 0) allowWaiting()
  for (const name of functions.keys()) documentedGlobals.delete(name)
  functions.clear()
  for (const [name, call] of Object.entries(given)) {
    functions.set(name, call)
    documentedGlobals.add(name)
  }
}
