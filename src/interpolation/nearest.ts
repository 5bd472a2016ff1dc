import leven from 'leven'
import { isJsonObject } from '../json.ts'
import { listNames, lookup } from './scope.ts'
import type { Names } from './scope.ts'

const maxCandidates = 2000
const maxLength = 100

/** The candidate most like a name, if one is within a third of its length; none for an exact match. */
export function findNearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined
  let nearest: string | undefined
  let least = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates.slice(0, maxCandidates)) {
    if (candidate.length > maxLength || candidate === name) continue
    const distance = leven(name.toLowerCase(), candidate.toLowerCase(), { maxDistance: least })
    if (distance < least && distance < candidate.length) {
      least = distance
      nearest = candidate
    }
  }
  return nearest
}

/** What an unknown reference probably meant: a root like it, or where the root exists, a key like the missing one. */
export function findNearestReference(
  names: Names,
  root: string,
  path: readonly (string | number)[],
): string | undefined {
  let known = root
  let value = lookup(names, root, [])
  if (value === undefined && Object.hasOwn(names.exports, root)) value = names.exports[root]
  if (value === undefined) return findNearest(root, listNames(names))
  for (const key of path) {
    if (!isJsonObject(value)) return undefined
    if (!Object.hasOwn(value, String(key))) {
      const nearest = findNearest(String(key), Object.keys(value))
      return nearest === undefined ? undefined : `${known}.${nearest}`
    }
    known = `${known}.${key}`
    value = value[String(key)]
  }
  return undefined
}
