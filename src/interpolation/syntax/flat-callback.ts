import type { SyntaxNode } from './javascript.ts'

const scalarOperators = new Set(['===', '!==', '==', '!=', '<', '<=', '>', '>=', '-', '*', '/', '%'])

/**
 * True for a callback such as `item => item.price > 0 && item.id === wanted.id`: it looks at its own element only and
 * gives a scalar or a part of that element. All its runs together take one pass over the data and give nothing larger.
 */
export function isFlatCallback(callback: SyntaxNode): boolean {
  const names = new Set<string>()
  for (const parameter of callback['params'] as SyntaxNode[]) {
    if (!addNames(parameter, names)) return false
  }
  return isFlat(callback['body'] as SyntaxNode, names)
}

function addNames(pattern: SyntaxNode, names: Set<string>): boolean {
  if (pattern.type === 'Identifier') {
    names.add(pattern['name'] as string)
    return true
  }
  if (pattern.type !== 'ObjectPattern') return false
  return (pattern['properties'] as SyntaxNode[]).every(
    (property) =>
      property.type === 'Property' &&
      !property['computed'] &&
      addNames(property['value'] as SyntaxNode, names),
  )
}

function isFlat(node: SyntaxNode, names: ReadonlySet<string>): boolean {
  const inner = (key: string): boolean => isFlat(node[key] as SyntaxNode, names)
  if (node.type === 'Literal') return true
  if (node.type === 'ParenthesizedExpression') return inner('expression')
  if (node.type === 'UnaryExpression') return inner('argument')
  if (node.type === 'LogicalExpression') return inner('left') && inner('right')
  if (node.type === 'ConditionalExpression') return inner('test') && inner('consequent') && inner('alternate')
  if (node.type !== 'BinaryExpression') return isPath(node, names)
  const operator = node['operator'] as string
  const sides = [node['left'], node['right']] as SyntaxNode[]
  // Only strict equality takes data from outside: it converts nothing, and compares no more than its own side holds.
  if (operator === '===' || operator === '!==')
    return sides.every((side) => isPath(side) || isFlat(side, names))
  return scalarOperators.has(operator) && inner('left') && inner('right')
}

/** `a.b[0]?.c`; with `roots`, only when it starts with one of them. */
function isPath(node: SyntaxNode, roots?: ReadonlySet<string>): boolean {
  let at = node
  while (at.type === 'MemberExpression' || at.type === 'ChainExpression') {
    if (at['computed'] && (at['property'] as SyntaxNode).type !== 'Literal') return false
    at = (at['object'] ?? at['expression']) as SyntaxNode
  }
  return at.type === 'Identifier' && (roots === undefined || roots.has(at['name'] as string))
}
