import { isNumber, type Json, type JsonObject } from '../json.ts'
import { defineKey } from '../safe-json.ts'
import { mask } from './secret-names.ts'
import { searchFor, type SecretSearch } from './secret-search.ts'

/** Finds places where one of the secrets occurs. */
export type LeakFinder = ReturnType<typeof createLeakFinder>

/** Fields whose keys and numbers come from the suite or the server; all others are our own. */
const foreign =
  /^(?:body|headers|params|expected|actual|iteration|(?:captured|available)_variables|variables_captured)$/

/** Values that reports contain by themselves. A secret that equals one of them does not leak through it. */
const ours =
  /^(?:success|failure|skipped|not_run|none|then|else|mocked|unhandled|passed_through|warning|acceptable|critical|high|medium|low|OK|\d{4}-\d\d-\d\dT[\d:.]+Z)$/

/** Creates a finder for what a search knows: secrets in every spelling, and the first 12 characters of longer ones. */
export function createLeakFinder(search: SecretSearch) {
  const isIn = (text: string): boolean => search.find(text).length > 0
  const found = new Set<string>()
  return {
    isIn,
    /** The secret that a text contains. */
    findSecret(text: string): string {
      // A secret often leaks in many places, so those found before are tried first.
      const secret =
        [...found, ...search.known.keys()].find(
          (one) => searchFor([search.known.get(one) ?? one]).find(text).length > 0,
        ) ?? ''
      found.add(secret)
      return secret
    },
    /** Copies a value with `replace(text, path)` for every string and key that contains a secret, and a mask for such numbers. */
    replaceInJson<Value extends Json>(root: Value, replace: (text: string, path: string) => string): Value {
      // The recursion is bounded: results are at most 500 levels deep.
      const copy = (value: Json, path: string, isForeign: boolean): Json => {
        if (typeof value === 'string')
          return isIn(value) && (isForeign || !ours.test(value)) ? replace(value, path) : value
        if (isNumber(value)) {
          if (!isForeign || !isIn(String(value))) return value
          replace(String(value), path)
          return mask
        }
        if (typeof value !== 'object' || value === null) return value
        if (Array.isArray(value))
          return value.map((item, index) => copy(item, `${path}[${index}]`, isForeign))
        const copied: JsonObject = {}
        for (const [key, member] of Object.entries(value)) {
          const leaks = isForeign && isIn(key)
          const name = leaks ? replace(key, `${path} (a key)`) : key
          // A key that leaks must not be printed in a path.
          const shown = leaks ? mask : key
          const place = path ? `${path}.${shown}` : shown
          defineKey(copied, name, copy(member, place, isForeign || foreign.test(key)))
        }
        return copied
      }
      return copy(root, '', false) as Value
    },
  }
}
