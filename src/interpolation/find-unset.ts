import { rememberTexts } from '../remember.ts'
import { findExpressionReferences } from './references.ts'
import { documentedGlobals } from './sandbox/extension-functions.ts'
import { parseExpression } from './syntax/expression.ts'
import { findFreeNames } from './syntax/free-names.ts'
import { listNodes, parseJavaScript, readMemberPath, type SyntaxNode } from './syntax/javascript.ts'
import { findGap, readName, readVariable, type Names } from './variables/scope.ts'

/** Says which name of an expression has no value and is not asked for, as `!(response_time_ms > limit)` holds without a `limit`; else undefined. */
export function findUnset(expression: string, names: Names): string | undefined {
  const references = findExpressionReferences(parseExpression(expression))
  const offsets = listOptionalReads(expression)
  const asked = new Set(
    references.flatMap(({ root, offset, gap }) => (gap === 'asked' || offsets.has(offset) ? root : [])),
  )
  for (const { root, path, kind } of references) {
    if (asked.has(root)) continue
    const [name, keys] = kind === 'env' ? ['$env', [root]] : [root, path]
    const gap = findGap(names, name, keys)
    // A member may be missing, as in a response, but what another suite exports is a name of its own.
    const isWhole =
      kind === 'env' || (readVariable(names, name) === undefined && Object.hasOwn(names.exports, name))
    const own = isWhole ? keys.slice(0, 1) : []
    if (gap === undefined && readName(names, name, own) !== undefined) continue
    if (gap !== undefined) return `\`${[name, ...keys].join('.')}\` has no value: ${gap}`
    return `\`${[name, ...own].join('.')}\` has no value`
  }
  return undefined
}

/** True for what reads no name, such as `-1`. */
function isFixed(node: SyntaxNode): boolean {
  return findFreeNames(node).every(({ name }) => name === 'undefined')
}

/** True for a fixed value that can replace another one. `|| false` makes a comparison no less dependent on its names. */
function isDefault(node: SyntaxNode): boolean {
  return isFixed(node) && !/^(?:false|null|undefined)$/.test(String(node['raw'] ?? node['name']))
}

/** Offsets of names that may be missing: taken as conditions, compared with literals, given to own functions. */
const listOptionalReads = rememberTexts(1000, (expression): ReadonlySet<number> => {
  const asked = listNodes(parseJavaScript(expression).node).flatMap(listAskedOperands)
  const roots = asked.map((node) => readMemberPath(node).root)
  return new Set(roots.flatMap(({ type, start }) => (type === 'Identifier' ? start : [])))
})

function listAskedOperands(node: SyntaxNode): SyntaxNode[] {
  const { type, operator, left, right, argument, test, callee, arguments: given } = node
  const sides = [left, right] as SyntaxNode[]
  if (test) return [test as SyntaxNode]
  if (operator === '!') return [argument as SyntaxNode]
  if (operator === '||' && isDefault(right as SyntaxNode)) return listNodes(left as SyntaxNode)
  if (type === 'LogicalExpression') return sides
  if (type === 'BinaryExpression') return sides.some(isFixed) && /^[!=]=/.test(String(operator)) ? sides : []
  if (type !== 'CallExpression') return []
  const { root, path } = readMemberPath(callee as SyntaxNode)
  // `['a', 'b'].includes(x)` and `/a|b/.test(x)` compare with literals. A missing function cannot be called.
  const isLiteral = /^(?:Literal|Array)/.test(root.type)
  const isOwn = path.length === 0 && !documentedGlobals.has(String(root['name']))
  return isLiteral || isOwn ? [callee as SyntaxNode, ...(given as SyntaxNode[])] : []
}
