import type { SyntaxNode } from '../../../../src/interpolation/syntax/javascript.ts'
import { followNode, unwrapNode, type ModuleSyntax } from '../../../contract/parse-module.ts'

/** The most spreads within spreads that are followed. */
const MAX_SPREADS = 50

/** Follows type assertions and names of constants to the literal that is meant, as far as the file tells. */
export function resolveNode(node: SyntaxNode, syntax: ModuleSyntax): SyntaxNode {
  const at = followNode(node, syntax)
  // A constant that is computed is known at the place of its use.
  return at.type === 'ObjectExpression' || at.type === 'ArrayExpression' ? at : unwrapNode(node)
}

/** Members of an object literal by name, later ones first in line; `hidden` is a part whose names the file does not tell. */
export type Members = { known: Map<string, { key: SyntaxNode; value: SyntaxNode }>; hidden?: SyntaxNode }

/** Lists the members of an object literal, those of spread constants included. */
export function listMembers(node: SyntaxNode, syntax: ModuleSyntax, levels = MAX_SPREADS): Members {
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
  const written = flatten(node, syntax, MAX_SPREADS)
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
