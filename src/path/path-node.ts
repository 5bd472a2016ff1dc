import type { compile } from '@jmespath-community/jmespath'

/** A node of the JMESPath library's syntax tree. */
export type PathNode = ReturnType<typeof compile>

/** A node that looks up a name. */
export type FieldNode = PathNode & { type: 'Field' }

/** True for a node that evaluates its right side on the result of its left side. */
export function isChain(node: PathNode): node is PathNode & { left: PathNode; right: PathNode } {
  return /^(?:Subexpression|IndexExpression|(?:Value|Filter)?Projection|Pipe)$/.test(node.type)
}

/** The child nodes. `sameScope`: the child is evaluated on the same value as the node itself. */
export function listPathChildren(node: PathNode): { node: PathNode; key: string; sameScope: boolean }[] {
  if (node.type === 'Literal') return []
  return Object.entries(node).flatMap(([key, part]) =>
    [part as unknown].flat().flatMap((child) => {
      if (typeof child !== 'object' || child === null) return []
      const sameScope = key === 'left' || !(isChain(node) || node.type === 'ExpressionReference')
      return [{ node: child as PathNode, key, sameScope }]
    }),
  )
}

/** The keys and indexes of a plain path such as `a.b[0]`; undefined for any other expression. */
export function readSegments(node: PathNode): (string | number)[] | undefined {
  if (node.type === 'Field') return [node.name]
  if (node.type === 'Index') return [node.value]
  if (node.type === 'Root' || node.type === 'Current') return []
  if (node.type !== 'Subexpression' && node.type !== 'IndexExpression') return undefined
  const left = readSegments(node.left)
  const right = left && readSegments(node.right)
  return right && [...left, ...right]
}

/** The longest plain paths in an expression that start at the root value; in a filter, those after `$`. */
export function listRootPaths(node: PathNode, isOnRoot = true): (string | number)[][] {
  const segments = isOnRoot || startsAtRoot(node) ? readSegments(node) : undefined
  if (segments) return segments.length > 0 ? [segments] : []
  // `$.list[*]` is a chain of `$` and a path below it.
  if (node.type === 'Subexpression' && readSegments(node.left)?.length === 0)
    return listRootPaths(node.right, isOnRoot || startsAtRoot(node))
  return listPathChildren(node).flatMap((child) => listRootPaths(child.node, isOnRoot && child.sameScope))
}

function startsAtRoot(node: PathNode): boolean {
  return node.type === 'Root' || (isChain(node) && startsAtRoot(node.left))
}

// These are meant for values that may be missing.
const LENIENT = /^(?:(?:Or|And|Not)Expression|Comparator|Ternary|Arithmetic|Unary|not_null|type|merge)$/

/** The names that must be found for a complete result. Names in alternatives and conditions are left out. */
export function listMembers(node: PathNode): FieldNode[] {
  if (node.type === 'Field') return [node]
  if (LENIENT.test(node.type) || (node.type === 'Function' && LENIENT.test(node.name))) return []
  return listPathChildren(node).flatMap((child) => (child.key === 'condition' ? [] : listMembers(child.node)))
}

/** The names that an expression compares with anything but null. */
export function listCompared(node: PathNode): FieldNode[] {
  const below = listPathChildren(node).flatMap((child) => listCompared(child.node))
  if (node.type !== 'Comparator') return below
  const sides = [node.left, node.right]
  const asksForNull = sides.some((side) => side.type === 'Literal' && side.value === null)
  return asksForNull ? below : [...below, ...sides.filter((side) => side.type === 'Field')]
}
