import type { compile } from '@jmespath-community/jmespath'

/** A node of the JMESPath library's syntax tree. */
export type PathNode = ReturnType<typeof compile>

/** A child of a node; `sameScope` when it is evaluated on the same value as the node itself. */
type PathChild = { node: PathNode; sameScope: boolean }

/** Lists the children of a node. */
export function listChildren(node: PathNode): PathChild[] {
  const same = (...nodes: PathNode[]): PathChild[] => nodes.map((child) => ({ node: child, sameScope: true }))
  const other = (...nodes: PathNode[]): PathChild[] =>
    nodes.map((child) => ({ node: child, sameScope: false }))
  switch (node.type) {
    case 'Subexpression':
    case 'IndexExpression':
    case 'Projection':
    case 'ValueProjection':
    case 'Pipe':
      return [...same(node.left), ...other(node.right)]
    case 'FilterProjection':
      return [...same(node.left), ...other(node.condition, node.right)]
    case 'AndExpression':
    case 'OrExpression':
    case 'Comparator':
    case 'Arithmetic':
      return same(node.left, node.right)
    case 'NotExpression':
    case 'Flatten':
      return same(node.child)
    case 'ExpressionReference':
      return other(node.child)
    case 'Unary':
      return same(node.operand)
    case 'Ternary':
      return same(node.condition, node.trueExpr, node.falseExpr)
    case 'MultiSelectList':
    case 'Function':
      return same(...node.children)
    case 'MultiSelectHash':
      return same(...node.children.map(({ value }) => value))
    case 'LetExpression':
      return same(...node.bindings.map(({ reference }) => reference), node.expression)
    default:
      return []
  }
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

/** Collects the longest plain paths that start at the root value of the expression. */
export function listRootPaths(node: PathNode): (string | number)[][] {
  const segments = readSegments(node)
  if (segments) return segments.length > 0 ? [segments] : []
  // `$.list[*]` is `$` and what is below it.
  if (node.type === 'Subexpression' && readSegments(node.left)?.length === 0) return listRootPaths(node.right)
  return listChildren(node).flatMap((child) => (child.sameScope ? listRootPaths(child.node) : []))
}

// They are made to be asked for what may be missing.
const LENIENT: ReadonlySet<string> = new Set(['not_null', 'type', 'merge'])

/** The names that must be found at least once for the expression to give all its author asks for: no alternatives, no conditions. */
export function listMembers(node: PathNode): PathNode[] {
  switch (node.type) {
    case 'Field':
      return [node]
    case 'Subexpression':
    case 'IndexExpression':
    case 'Projection':
    case 'ValueProjection':
    case 'FilterProjection':
    case 'Pipe':
      return [...listMembers(node.left), ...listMembers(node.right)]
    case 'Function':
      return LENIENT.has(node.name) ? [] : node.children.flatMap(listMembers)
    case 'MultiSelectList':
      return node.children.flatMap(listMembers)
    case 'MultiSelectHash':
      return node.children.flatMap(({ value }) => listMembers(value))
    case 'Flatten':
    case 'ExpressionReference':
      return listMembers(node.child)
    default:
      return []
  }
}
