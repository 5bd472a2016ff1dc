import { documentedGlobals } from './sandbox/extension-functions.ts'
import type { Expression } from './syntax/expression.ts'
import type { FreeName } from './syntax/free-names.ts'
import type { Template } from './template.ts'

/** A name that a template reads. Used for checks before a run, and to find the steps that must run first. */
export type Reference = {
  /** Variable or node id; for `$env` its variable, for `$faker` the dotted path; `variables` means all. */
  root: string
  path: readonly (string | number)[]
  kind: 'reference' | 'expression' | 'env' | 'faker'
  /** UTF-16 offset in the template's text. */
  offset: number
} & Pick<FreeName, 'gap' | 'isCompared'>

/** Lists the names that a template reads, as ordered there, without documented globals such as `Math`. */
export function findReferences(parts: Template): Reference[] {
  return parts.flatMap((part): Reference[] => {
    if (part.kind === 'literal') return []
    if (part.kind === 'expression') return findExpressionReferences(part.expression, part.codeOffset)
    const { path, codeOffset: offset } = part
    if (part.kind === 'faker') return [{ root: path.join('.'), path: [], kind: 'faker', offset }]
    if (part.root === '$env') return [{ root: String(path[0]), path: [], kind: 'env', offset }]
    return [{ root: part.root, path, kind: 'reference', offset }]
  })
}

/** Lists what an expression, such as a condition, reads; `from` is its offset in the text around it. */
export function findExpressionReferences({ freeNames }: Expression, from = 0): Reference[] {
  return freeNames.flatMap(({ name, path, offset, ...how }): Reference[] => {
    const place = { offset: from + offset, ...how }
    const [first, ...rest] = path
    if (first !== undefined && (name === 'variables' || name === '$env')) {
      const kind = name === '$env' ? 'env' : 'expression'
      return [{ root: String(first), path: rest, kind, ...place }]
    }
    return documentedGlobals.has(name) ? [] : [{ root: name, path, kind: 'expression', ...place }]
  })
}
