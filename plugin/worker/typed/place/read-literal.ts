import type { SyntaxNode } from '../../../../src/interpolation/syntax/javascript.ts'
import type { ModuleSyntax } from '../../../contract/parse-module.ts'

/** Type syntax around a value. */
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'ParenthesizedExpression',
])

const MAX_STEPS = 50

/** Follows type assertions and names of constants to the literal that is meant, as far as the file tells. */
export function resolveNode(node: SyntaxNode, { constants }: ModuleSyntax): SyntaxNode {
  let at = node
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = WRAPPERS.has(at.type)
      ? (at['expression'] as SyntaxNode)
      : at.type === 'Identifier'
        ? constants.get(at['name'] as string)
        : undefined
    if (!next) break
    at = next
  }
  // A constant that is computed is known at the place of its use.
  return at.type === 'ObjectExpression' || at.type === 'ArrayExpression' ? at : unwrap(node)
}

function unwrap(node: SyntaxNode): SyntaxNode {
  let at = node
  while (WRAPPERS.has(at.type)) at = at['expression'] as SyntaxNode
  return at
}

/** Members of an object literal by name, later ones first in line; `hidden` is a part whose names the file does not tell. */
export type Members = { known: Map<string, { key: SyntaxNode; value: SyntaxNode }>; hidden?: SyntaxNode }

/** Lists the members of an object literal, those of spread constants included. */
export function listMembers(node: SyntaxNode, syntax: ModuleSyntax, levels = MAX_STEPS): Members {
  const members: Members = { known: new Map() }
  if (node.type !== 'ObjectExpression' || levels === 0) return members
  for (const property of node['properties'] as SyntaxNode[]) {
    const name = readName(property)
    if (name !== undefined)
      members.known.set(name, { key: property['key'] as SyntaxNode, value: property['value'] as SyntaxNode })
    else if (property.type === 'SpreadElement') {
      const spread = resolveNode(property['argument'] as SyntaxNode, syntax)
      const inner = listMembers(spread, syntax, levels - 1)
      for (const [key, member] of inner.known) members.known.set(key, member)
      const hidden = spread.type === 'ObjectExpression' ? inner.hidden : property
      if (hidden) members.hidden = hidden
    } else members.hidden = property
  }
  return members
}

function readName(property: SyntaxNode): string | undefined {
  const key = property['key'] as (SyntaxNode & { name?: string; value?: unknown }) | undefined
  if (!key) return undefined
  if (key.type === 'Literal') return String(key.value)
  return key.type === 'Identifier' && !property['computed'] ? key.name : undefined
}

/**
 * Lists the elements of an array literal that has `length` elements at run time, those of spread constants included. What
 * a spread hides stands at the spread; elements behind it are counted from the end.
 */
export function listElements(node: SyntaxNode, syntax: ModuleSyntax, length: number): SyntaxNode[] {
  const written = flatten(node, syntax, MAX_STEPS)
  const first = written.findIndex(({ type }) => type === 'SpreadElement')
  if (first === -1) return written
  const last = written.findLastIndex(({ type }) => type === 'SpreadElement')
  const behind = written.slice(last + 1)
  const hidden = Math.max(0, length - first - behind.length)
  return [
    ...written.slice(0, first),
    ...Array.from({ length: hidden }, () => written[first] as SyntaxNode),
    ...behind,
  ]
}

function flatten(node: SyntaxNode, syntax: ModuleSyntax, levels: number): SyntaxNode[] {
  if (node.type !== 'ArrayExpression') return []
  return (node['elements'] as (SyntaxNode | null)[]).flatMap((element) => {
    if (!element) return [node]
    if (element.type !== 'SpreadElement' || levels === 0) return [element]
    const spread = resolveNode(element['argument'] as SyntaxNode, syntax)
    return spread.type === 'ArrayExpression' ? flatten(spread, syntax, levels - 1) : [element]
  })
}
