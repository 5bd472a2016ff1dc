import { documentedGlobals } from './sandbox/extension-functions.ts'
import type { Expression } from './syntax/expression.ts'
import type { FreeName } from './syntax/free-names.ts'
import type { Template } from './template.ts'

/** A name that a template reads, used for checks before a run and for finding the steps that must come first. */
export type Reference = {
  /** Variable or node id; the variable's name for `$env`, the dotted path for `$faker`; `variables` when all are read. */
  root: string
  path: readonly (string | number)[]
  kind: 'reference' | 'expression' | 'env' | 'faker'
  /** UTF-16 offset in the template's text. */
  offset: number
  gap?: FreeName['gap']
}

/** Lists what a template reads, in the order written; documented globals such as `Math` are not listed. */
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
  return freeNames.flatMap(({ name, path, offset, gap }): Reference[] => {
    const place = { offset: from + offset, ...(gap && { gap }) }
    const [first, ...rest] = path
    if (first !== undefined && (name === 'variables' || name === '$env')) {
      const kind = name === '$env' ? 'env' : 'expression'
      return [{ root: String(first), path: rest, kind, ...place }]
    }
    return documentedGlobals.has(name) ? [] : [{ root: name, path, kind: 'expression', ...place }]
  })
}
