import { tryTo } from '../errors.ts'
import { rememberTexts } from '../remember.ts'
import { findExpressionReferences } from './references.ts'
import { documentedGlobals } from './sandbox/extension-functions.ts'
import { parseExpression } from './syntax/expression.ts'
import { findFreeNames } from './syntax/free-names.ts'
import {
  listChildren,
  listNodes,
  parseJavaScript,
  readMemberPath,
  type SyntaxNode,
} from './syntax/javascript.ts'
import { findGap, readName, readVariable, type Names, type Scope } from './variables/scope.ts'

/**
 * Explains which name that an expression reads has no value, as `!(response_time_ms > limit)` would hold
 * without a `limit`. Undefined if all names have a value, or the expression allows for those that have none.
 */
export function findUnset(expression: string, names: Names & Pick<Scope, 'engine'>): string | undefined {
  const references = findExpressionReferences(parseExpression(expression))
  const offsets = listOptionalReads(expression)
  const asked = new Set(
    references.flatMap(({ root, offset, gap }) => (gap === 'asked' || offsets.has(offset) ? root : [])),
  )
  const holds = ({ start, end }: SyntaxNode): boolean =>
    tryTo(() => names.engine.evaluate(`!!(${expression.slice(start, end)})`, names)) === true
  let skipped: SyntaxNode[] | undefined
  for (const { root, path, kind, offset } of references) {
    if (asked.has(root)) continue
    const [name, keys] = kind === 'env' ? ['$env', [root]] : [root, path]
    const gap = findGap(names, name, keys)
    // A member may be missing, as in a response, but what another suite exports is a name of its own.
    const isWhole =
      kind === 'env' || (readVariable(names, name) === undefined && Object.hasOwn(names.exports, name))
    const own = isWhole ? keys.slice(0, 1) : []
    if (gap === undefined && readName(names, name, own) !== undefined) continue
    skipped ??= listSkipped(parseJavaScript(expression).node, holds)
    if (skipped.some(({ start, end }) => start <= offset && offset < end)) continue
    if (gap !== undefined) return `\`${[name, ...keys].join('.')}\` has no value: ${gap}`
    return `\`${[name, ...own].join('.')}\` has no value`
  }
  return undefined
}

/** Parts that do not count: `b` in `a || b` if `a` holds, one branch of `a ? b : c`, `a` in `a || 1`. */
function listSkipped(root: SyntaxNode, holds: (part: SyntaxNode) => boolean): SyntaxNode[] {
  return listNodes(root, ({ type }) => !type.includes('Function')).flatMap((node) => {
    const { type, operator } = node
    const [left, right] = [node['left'], node['right']] as SyntaxNode[]
    if (type === 'ConditionalExpression')
      return node[holds(node['test'] as SyntaxNode) ? 'alternate' : 'consequent'] as SyntaxNode
    if (type !== 'LogicalExpression' || !left || !right || operator === '??') return []
    if (holds(left) === (operator === '||')) return right
    return operator === '||' && isFixed(right) ? left : []
  })
}

/** True for what reads no name, such as `-1`. */
function isFixed(node: SyntaxNode): boolean {
  return findFreeNames(node).every(({ name }) => name === 'undefined')
}

/** Offsets of names that may be missing: taken as conditions, compared with literals, given to predicates. */
const listOptionalReads = rememberTexts(1000, (expression): ReadonlySet<number> => {
  const findName = (node: SyntaxNode): number[] => {
    if (node.type === 'ParenthesizedExpression') return findName(node['expression'] as SyntaxNode)
    const { root } = readMemberPath(node)
    return root.type === 'Identifier' ? [root.start] : []
  }
  return new Set(listNodes(parseJavaScript(expression).node).flatMap(listAskedOperands).flatMap(findName))
})

function listAskedOperands(node: SyntaxNode): SyntaxNode[] {
  const { type, operator, left, right, argument, test, callee, arguments: given } = node
  const sides = [left, right] as SyntaxNode[]
  if (test) return [test as SyntaxNode]
  if (operator === '!') return [argument as SyntaxNode]
  if (type === 'LogicalExpression') return sides
  if (type === 'BinaryExpression') return sides.some(isFixed) && /^[!=]=/.test(String(operator)) ? sides : []
  if (type !== 'CallExpression') return []
  const { root, path } = readMemberPath(callee as SyntaxNode)
  const name = String(path.at(-1) ?? root['name'])
  // `['a', 'b'].includes(x)` and `/a|b/.test(x)` compare with literals. A missing function cannot be called.
  const isJudge = /^(?:Literal|Array)/.test(root.type) || /^(?:Boolean|is[A-Z]\w+)$/.test(name)
  if (!isJudge && (path.length > 0 || documentedGlobals.has(name))) return []
  // `[x, y].filter(Boolean)` also tests the elements it is called on.
  const elements = /^(?:filter|find)$/.test(name) ? listChildren(root) : []
  return [callee as SyntaxNode, ...(given as SyntaxNode[]), ...elements]
}
