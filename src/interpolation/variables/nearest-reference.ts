import { isJsonObject } from '../../json.ts'
import { suggestName } from '../../text/suggest.ts'
import { listNames, lookup, type Names } from './scope.ts'

/** What an unknown reference probably meant: a root like it, or where the root exists, a key like the missing one. */
export function findNearestReference(
  names: Names,
  root: string,
  path: readonly (string | number)[],
): string | undefined {
  let known = root
  let value = lookup(names, root, [])
  if (value === undefined && Object.hasOwn(names.exports, root)) value = names.exports[root]
  if (value === undefined) return suggestName(root, listNames(names))
  for (const key of path) {
    if (!isJsonObject(value)) return undefined
    if (!Object.hasOwn(value, String(key))) {
      const nearest = suggestName(String(key), Object.keys(value))
      return nearest === undefined ? undefined : `${known}.${nearest}`
    }
    known = `${known}.${key}`
    value = value[String(key)]
  }
  return undefined
}
