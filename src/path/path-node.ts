import type { compile } from '@jmespath-community/jmespath'

/** A node of the JMESPath library's syntax tree. */
export type PathNode = ReturnType<typeof compile>

/** A name that is looked for. */
export type FieldNode = PathNode & { type: 'Field' }

/** A child of a node; `sameScope` when it is evaluated on the same value as the node itself. */
type PathChild = { node: PathNode; key: string; sameScope: boolean }

/** True for a node that goes on from what is on its left. */
export function isStep(node: PathNode): node is PathNode & { left: PathNode; right: PathNode } {
  return /^(?:Subexpression|IndexExpression|(?:Value|Filter)?Projection|Pipe)$/.test(node.type)
}

/** Lists the children of a node. */
export function listChildren(node: PathNode): PathChild[] {
  if (node.type === 'Literal') return []
  return Object.entries(node).flatMap(([key, part]) =>
    [part as unknown].flat().flatMap((child) => {
      if (typeof child !== 'object' || child === null) return []
      const sameScope = key === 'left' || !(isStep(node) || node.type === 'ExpressionReference')
      return [{ node: child as PathNode, key, sameScope }]
    }),
  )
}

/** The segments of a path that is nothing but fields and indexes (`a.b[0]`), else undefined. */
export function readSegments(node: PathNode): (string | number)[] | undefined {
  if (node.type === 'Field') return [node.name]
  if (node.type === 'Index') return [node.value]
  if (node.type === 'Root' || node.type === 'Current') return []
  if (node.type !== 'Subexpression' && node.type !== 'IndexExpression') return undefined
  const left = readSegments(node.left)
  const right = left && readSegments(node.right)
  return right && [...left, ...right]
}

/** Collects the longest plain paths that start at the root value of the expression: within a filter those after `$`. */
export function listRootPaths(node: PathNode, isOnRoot = true): (string | number)[][] {
  const segments = isOnRoot || startsAtRoot(node) ? readSegments(node) : undefined
  if (segments) return segments.length > 0 ? [segments] : []
  // `$.list[*]` is `$` and what is below it.
  if (node.type === 'Subexpression' && readSegments(node.left)?.length === 0)
    return listRootPaths(node.right, isOnRoot || startsAtRoot(node))
  return listChildren(node).flatMap((child) => listRootPaths(child.node, isOnRoot && child.sameScope))
}

function startsAtRoot(node: PathNode): boolean {
  return node.type === 'Root' || (isStep(node) && startsAtRoot(node.left))
}

// They are made to be asked for what may be missing.
const LENIENT = /^(?:(?:Or|And|Not)Expression|Comparator|Ternary|Arithmetic|Unary|not_null|type|merge)$/

/** The names that must be found at least once for the expression to give all its author asks for: no alternatives, no conditions. */
export function listMembers(node: PathNode): FieldNode[] {
  if (node.type === 'Field') return [node]
  if (LENIENT.test(node.type) || (node.type === 'Function' && LENIENT.test(node.name))) return []
  return listChildren(node).flatMap((child) => (child.key === 'condition' ? [] : listMembers(child.node)))
}

/** The names that a comparison compares with a value; none where it asks for null. */
export function listCompared({ left, right }: { left: PathNode; right: PathNode }): FieldNode[] {
  const sides = [left, right]
  const asksForNull = sides.some((side) => side.type === 'Literal' && side.value === null)
  return asksForNull ? [] : sides.filter((side) => side.type === 'Field')
}
