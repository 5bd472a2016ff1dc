import { documentedGlobals } from './sandbox/extension-functions.ts'
import type { Expression } from './syntax/expression.ts'
import type { FreeName } from './syntax/free-names.ts'
import type { Template } from './template.ts'

/** A name that a template reads, for checks before a run and for finding the steps that must come first. */
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
export function findReferences(template: Template): Reference[] {
  const references: Reference[] = []
  for (const part of template.parts) {
    const offset = part.range[0] + 2
    if (part.kind === 'expression')
      references.push(...findExpressionReferences(part.expression, part.codeOffset))
    else if (part.kind === 'env') references.push({ root: part.name, path: [], kind: 'env', offset })
    else if (part.kind === 'faker')
      references.push({ root: part.path.join('.'), path: [], kind: 'faker', offset })
    else if (part.kind === 'reference')
      references.push({ root: part.root, path: part.path, kind: 'reference', offset: part.codeOffset })
  }
  return references
}

/** Lists what an expression, such as a condition, reads; `from` is where it starts in its text. */
export function findExpressionReferences(expression: Expression, from = 0): Reference[] {
  const references: Reference[] = []
  for (const { name, path, offset, gap } of expression.freeNames) {
    const at = from + offset
    const more = gap && { gap }
    const [first, ...rest] = path
    if (name === '$env' && first !== undefined)
      references.push({ root: String(first), path: rest, kind: 'env', offset: at })
    else if (name === 'variables' && first !== undefined) {
      references.push({ root: String(first), path: rest, kind: 'expression', offset: at, ...more })
    } else if (!documentedGlobals.has(name))
      references.push({ root: name, path, kind: 'expression', offset: at, ...more })
  }
  return references
}
