import { isJsonObject, readOwn, type Json, type ValuePath } from '../json.ts'
import { formatFieldPath } from '../path/field-path.ts'
import { listNames, previewValue } from '../text/show-value.ts'
import { didYouMean, findTypo, suggestName } from '../text/suggest.ts'
import { findReferences } from './references.ts'
import { parseExpression } from './syntax/expression.ts'
import type { DynamicPart } from './template.ts'
import { listKnownNames, lookup, type Names } from './variables/scope.ts'

/** Suggests what a `{{…}}` without a value meant: a similar name or key, or which keys exist. */
export function hintReference(part: DynamicPart, names: Names): string {
  const known = listKnownNames(names)
  if (part.kind !== 'reference') {
    const roots = findReferences([part]).filter(({ kind }) => kind === 'expression')
    return didYouMean(roots.find(({ root }) => !known.includes(root))?.root ?? '', known)
  }
  if (lookup(names, part.root, []) === undefined) return didYouMean(part.root, known)
  const { root, path } = part
  const { depth, value } = follow(lookup(names, root, []) ?? null, path)
  const owner = [root, ...path.slice(0, depth)].join('.')
  if (typeof value === 'string') return `; \`${owner}\` is a text`
  if (!isJsonObject(value)) return ''
  const keys = Object.keys(value)
  const nearest = suggestName(String(path[depth]), keys)
  if (nearest !== undefined) return ` (did you mean \`${owner}.${nearest}\`?)`
  return keys.length > 0 && root !== '$env' ? `; \`${owner}\` has: ${listNames(keys)}` : ''
}

/** Follows a path as far as it exists; `depth` is the number of keys found. */
export function follow(root: Json, path: ValuePath): { depth: number; value: Json } {
  let value = root
  for (const [depth, key] of path.entries()) {
    const next = typeof value === 'object' && value !== null ? readOwn(value, String(key)) : undefined
    if (next === undefined) return { depth, value }
    value = next
  }
  return { depth: path.length, value }
}

/** The known name that was meant. Short names may also lack or add a letter (`nam`), but not the first. */
export function findMeant(name: string, known: readonly string[]): string | undefined {
  const isNear = (one: string): boolean =>
    one[0] === name[0] && one.length !== name.length && Math.max(one.length, name.length) > 3
  return findTypo(name, known) ?? findTypo(name, known.filter(isNear), 3)
}

/** Shows at most 5 values that a condition read: `body.total` is `3`, `limit` is `5`. Undefined if none. */
export function showReads(condition: string, names: Names): string | undefined {
  const shown = new Set<string>()
  for (const { name, path } of parseExpression(condition).freeNames) {
    // `variables` is shown only with a name after it, and environment variables are never shown.
    const start = path.slice(0, name === 'variables' ? 1 : 0)
    const root = name === '$env' ? undefined : lookup(names, name, start)
    if (root === undefined) continue
    // The value at the path or, if the path ends with a method, the object it is called on.
    const rest = path.slice(start.length)
    const { depth, value } = follow(root, rest)
    const isMissing =
      depth < rest.length && isJsonObject(value) && !((rest[depth] as string) in Object.prototype)
    const read = formatFieldPath(path.slice(0, start.length + depth + (isMissing ? 1 : 0)), name)
    shown.add(`\`${read}\` is \`${isMissing ? 'undefined' : previewValue(value)}\``)
  }
  return shown.size === 0 ? undefined : [...shown].slice(0, 5).join(', ')
}
