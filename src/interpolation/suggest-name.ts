import { suggestName } from '../text/suggest.ts'
import { findNearestReference } from './variables/nearest-reference.ts'
import { findExpressionReferences } from './references.ts'
import { listNames, type Scope } from './variables/scope.ts'
import type { DynamicPart } from './template.ts'

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
