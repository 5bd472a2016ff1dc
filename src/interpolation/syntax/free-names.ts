import { listChildren, listNodes, readMemberPath, type SyntaxNode } from './javascript.ts'

/** A use of a name that the expression does not define itself, with the static property path after it. */
export type FreeName = {
  name: string
  path: (string | number)[]
  offset: number
  /** May be missing: `asked` for (`typeof x`, `x?.y`, `x ?? 1`) or `filled` in (`x || 1`, `x ? 1 : 2`). */
  gap?: 'asked' | 'filled'
  /** Compared with `undefined`, so a condition allows for a missing value. */
  isCompared?: true
}

type Surroundings = { declared: ReadonlySet<string>; gap: FreeName['gap']; isCompared: boolean }

/** Finds the names that an expression reads from outside. What a function declares is known in all of it. */
export function findFreeNames(root: SyntaxNode): FreeName[] {
  const found: FreeName[] = []
  walk(root, { declared: new Set(), gap: undefined, isCompared: false }, found)
  return found
}

function walk(node: SyntaxNode, place: Surroundings, found: FreeName[]): void {
  if (node.type === 'Identifier' || node.type === 'MemberExpression') {
    walkPath(node, place, found)
    return
  }
  const names = listDeclared(node)
  const declared = names.length === 0 ? place.declared : place.declared.union(new Set(names))
  for (const child of listChildren(node))
    if (!isPlainName(node, child)) {
      const gap = findGap(node, child) ?? place.gap
      walk(child, { declared, gap, isCompared: isCompared(node, child) }, found)
    }
}

/** True for a name or its member path in `x.y === undefined` or `x != null`. In `x !== null`, which holds for a misspelt `x`, it is not asked for. */
function isCompared({ operator, left, right }: SyntaxNode, child: SyntaxNode): boolean {
  const { raw, name } = Object(child === left ? right : left) as SyntaxNode
  const sign = String(operator)
  return /^[!=]==?$/.test(sign) && (name === 'undefined' || (raw === 'null' && sign.length === 2))
}

function findGap(parent: SyntaxNode, child: SyntaxNode): FreeName['gap'] {
  if (parent['operator'] === 'typeof') return 'asked'
  if (parent['test'] === child) return 'filled'
  if (parent.type !== 'LogicalExpression' || parent['left'] !== child || parent['operator'] === '&&')
    return undefined
  return parent['operator'] === '??' ? 'asked' : 'filled'
}

function walkPath(node: SyntaxNode, place: Surroundings, found: FreeName[]): void {
  const { root, path, computed, isOptional } = readMemberPath(node)
  for (const key of computed) walk(key, { ...place, isCompared: false }, found)
  if (root.type !== 'Identifier') {
    walk(root, place, found)
    return
  }
  const name = root['name'] as string
  const gap = isOptional ? 'asked' : place.gap
  const isWhole = place.isCompared && computed.length === 0
  const how = { ...(gap && { gap }), ...(isWhole && { isCompared: true as const }) }
  if (!place.declared.has(name)) found.push({ name, path, offset: root.start, ...how })
}

/** True for identifiers that are labels or literal keys and do not read anything. */
export function isPlainName(parent: SyntaxNode, child: SyntaxNode): boolean {
  if (child.type !== 'Identifier') return false
  if (parent['key'] === child) return !parent['computed'] && parent['value'] !== child
  return parent['label'] === child || parent.type === 'MetaProperty'
}

/** The names that a function or class declares, including in nested blocks but not in nested functions. */
function listDeclared(node: SyntaxNode): string[] {
  if (node.type === 'ClassExpression') return listPatternNames(node['id'])
  if (!isFunction(node)) return []
  const inner = listNodes(node['body'] as SyntaxNode, (one) => !isFunction(one)).flatMap((one) =>
    /Declarat|CatchClause/u.test(one.type) ? listPatternNames(one['id'] ?? one['param']) : [],
  )
  const own = [node['id'], ...(node['params'] as SyntaxNode[])].flatMap(listPatternNames)
  return [...own, ...inner, ...(node.type === 'ArrowFunctionExpression' ? [] : ['arguments'])]
}

function isFunction({ type }: SyntaxNode): boolean {
  return type.includes('Function')
}

/** The names that a pattern declares, such as a parameter. */
export function listPatternNames(pattern: unknown): string[] {
  const node = pattern as SyntaxNode | null | undefined
  if (!node) return []
  if (node.type === 'Identifier') return [node['name'] as string]
  if (node.type === 'AssignmentPattern') return listPatternNames(node['left'])
  if (node.type === 'Property') return listPatternNames(node['value'])
  return /Pattern$|^RestElement$/u.test(node.type) ? listChildren(node).flatMap(listPatternNames) : []
}
