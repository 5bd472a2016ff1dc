import { findTypo, suggestName } from '../text/suggest.ts'
import { findExpressionReferences } from './references.ts'
import { parseExpression } from './syntax/expression.ts'
import { listNames, lookup, type Scope, type Names } from './variables/scope.ts'
import type { DynamicPart } from './template.ts'
import { isJsonObject, readOwn } from '../json.ts'

/** What the author of an unresolved `{{…}}` probably meant, as it would be written. */
export function suggestReference(part: DynamicPart, scope: Scope): string | undefined {
  if (part.kind === 'reference') return findNearestReference(scope, part.root, part.path)
  if (part.kind === 'env') {
    const nearest = suggestName(part.name, Object.keys(scope.env))
    return nearest === undefined ? undefined : `$env.${nearest}`
  }
  if (part.kind === 'faker') return undefined
  const known = new Set(listNames(scope))
  const unknown = findExpressionReferences(part.expression).find(
    ({ root, kind }) => kind === 'expression' && !known.has(root),
  )
  return unknown && suggestName(unknown.root, [...known])
}

/** What an unknown reference probably meant: a root like it, or where the root exists, a key like the missing one. */
export function findNearestReference(
  names: Names,
  root: string,
  path: readonly (string | number)[],
): string | undefined {
  let known = root
  let value = lookup(names, root, [])
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

/** What in a condition asks whether there is a value at all, or says what holds without one. */
export const asksForNothing = /\?\?|\?\.|\|\||\b(?:typeof|undefined|null)\b/

/** Says what a condition reads that is not there although something has all but its name: `!==` holds for that. */
export function findMisspelt(condition: string, names: Names): string | undefined {
  if (asksForNothing.test(condition)) return undefined
  for (const { root, path } of findExpressionReferences(parseExpression(condition))) {
    let value = lookup(names, root, [])
    for (const [depth, key] of path.entries()) {
      if (typeof value !== 'object' || value === null) break
      const known = isJsonObject(value) && !Object.hasOwn(value, String(key)) ? Object.keys(value) : []
      const typo = findTypo(String(key), known)
      if (typo !== undefined)
        return `reads \`${[root, ...path.slice(0, depth + 1)].join('.')}\`, which is not there (did you mean \`${typo}\`?)`
      value = readOwn(value, String(key))
    }
  }
  return undefined
}
