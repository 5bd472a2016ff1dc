import { findTypo, suggestName } from '../text/suggest.ts'
import { findExpressionReferences } from './references.ts'
import { parseExpression } from './syntax/expression.ts'
import { listNames, lookup, type Scope, type Names } from './variables/scope.ts'
import type { DynamicPart } from './template.ts'
import { isJsonObject, readOwn } from '../json.ts'

/** What the author of an unresolved `{{…}}` probably meant, as it would be written. */
export function suggestReference(part: DynamicPart, scope: Scope): string | undefined {
  if (part.kind === 'reference') return findNearestReference(scope, part.root, part.path)
  if (part.kind === 'faker') return undefined
  const known = new Set(listNames(scope))
  const unknown = findExpressionReferences(part.expression).find(
    ({ root, kind }) => kind === 'expression' && !known.has(root),
  )
  return unknown && suggestName(unknown.root, [...known])
}

/** What an unknown reference probably meant: a root like it, or where the root exists, a key like the missing one. */
function findNearestReference(
  names: Names,
  root: string,
  path: readonly (string | number)[],
): string | undefined {
  if (lookup(names, root, []) === undefined) return suggestName(root, listNames(names))
  const end = findEnd(names, root, path)
  const nearest = end && suggestName(end.key, end.known)
  return nearest === undefined ? undefined : `${end?.owner}.${nearest}`
}

/** The first key of a path that an object does not have, and the keys it has. */
function findEnd(
  names: Names,
  root: string,
  path: readonly (string | number)[],
): { owner: string; key: string; known: string[] } | undefined {
  let value = lookup(names, root, [])
  for (const [depth, key] of path.entries()) {
    if (typeof value !== 'object' || value === null) return undefined
    const next = readOwn(value, String(key))
    if (next === undefined && isJsonObject(value))
      return { owner: [root, ...path.slice(0, depth)].join('.'), key: String(key), known: Object.keys(value) }
    value = next
  }
  return undefined
}

/** What in a condition asks whether there is a value at all, or says what holds without one. */
export const asksForNothing = /\?\?|\?\.|\|\||\b(?:typeof|undefined|null)\b/

/** Says what a condition reads that is not there although something has all but its name: `!==` holds for that, and `===` never does. */
export function findMisspelt(condition: string, names: Names): string | undefined {
  if (asksForNothing.test(condition)) return undefined
  for (const { root, path } of findExpressionReferences(parseExpression(condition))) {
    const end = findEnd(names, root, path)
    const typo = end && findMeant(end.key, end.known)
    if (typo !== undefined)
      return `reads \`${end?.owner}.${end?.key}\`, which is not there (did you mean \`${typo}\`?)`
  }
  return undefined
}

/** The known name that a condition means: of short names also one that has a letter more or less, but not the first (`nam`, not `age` for `page`). */
export function findMeant(name: string, known: readonly string[]): string | undefined {
  const isNear = (one: string): boolean =>
    one[0] === name[0] && one.length !== name.length && Math.max(one.length, name.length) > 3
  return findTypo(name, known) ?? findTypo(name, known.filter(isNear), 3)
}
