import { listChildren, readMemberPath, type SyntaxNode } from './javascript.ts'

/** A use of a name that the expression itself does not define, with the own-property path that follows it statically. */
export type FreeName = {
  name: string
  path: (string | number)[]
  offset: number
  /** It may be missing: the expression asks for it (`typeof x`, `x?.y`, `x ?? 1`), or has something in its place (`x || 1`, `x ? 1 : 2`). */
  gap?: 'asked' | 'filled'
}

/** What holds at a place in an expression. */
type Names = { declared: ReadonlySet<string>; outer: Names | undefined; gap: FreeName['gap'] }

/** Finds the names an expression reads from outside, block scopes and hoisting included (ECMA-262 §8.2). */
export function findFreeNames(root: SyntaxNode): FreeName[] {
  const found: FreeName[] = []
  walk(root, undefined, found)
  return found
}

function walk(node: SyntaxNode, names: Names | undefined, found: FreeName[]): void {
  if (node.type === 'Identifier' || node.type === 'MemberExpression') {
    walkPath(node, names, found)
    return
  }
  const declared = new Set(listDeclared(node))
  const gap = names?.gap
  const inner = declared.size === 0 ? names : { declared, outer: names, gap }
  for (const child of listChildren(node)) {
    if (isPlainName(node, child)) continue
    const own = findGap(node, child)
    walk(child, own ? { declared: new Set(), outer: inner, gap: own } : inner, found)
  }
}

function findGap(parent: SyntaxNode, child: SyntaxNode): FreeName['gap'] {
  if (parent['operator'] === 'typeof') return 'asked'
  if (parent['test'] === child) return 'filled'
  if (parent.type !== 'LogicalExpression' || parent['left'] !== child || parent['operator'] === '&&')
    return undefined
  return parent['operator'] === '??' ? 'asked' : 'filled'
}

function walkPath(node: SyntaxNode, names: Names | undefined, found: FreeName[]): void {
  const { root, path, computed, isOptional } = readMemberPath(node)
  for (const key of computed) walk(key, names, found)
  if (root.type !== 'Identifier') {
    walk(root, names, found)
    return
  }
  const name = root['name'] as string
  for (let scope = names; scope; scope = scope.outer) if (scope.declared.has(name)) return
  const gap = isOptional ? 'asked' : names?.gap
  found.push({ name, path, offset: root.start, ...(gap && { gap }) })
}

/** Identifiers that are labels or written-out keys, not reads. */
function isPlainName(parent: SyntaxNode, child: SyntaxNode): boolean {
  if (child.type !== 'Identifier') return false
  if (parent['key'] === child) return !parent['computed'] && parent['value'] !== child
  return parent['label'] === child || parent.type === 'MetaProperty'
}

/** The names that a node declares for what is in it. */
function listDeclared(node: SyntaxNode): string[] {
  if (/Function/u.test(node.type)) {
    const own = listPatternNames(node['id']).concat(
      (node['params'] as SyntaxNode[]).flatMap(listPatternNames),
    )
    const hoisted = listHoisted(node['body'] as SyntaxNode)
    return [...own, ...hoisted, ...(node.type === 'ArrowFunctionExpression' ? [] : ['arguments'])]
  }
  if (node.type === 'ClassExpression') return listPatternNames(node['id'])
  if (node.type === 'CatchClause') return listPatternNames(node['param'])
  if (!/^For|^BlockStatement$|^SwitchStatement$|^StaticBlock$/u.test(node.type)) return []
  // `let`, `const`, `class` and (strict mode) function declarations directly inside a block, loop head or switch.
  return listChildren(node)
    .flatMap((child) => (child.type === 'SwitchCase' ? listChildren(child) : child))
    .flatMap((statement) => {
      if (statement.type === 'VariableDeclaration') return listVariables(statement)
      return /^(?:Function|Class)Declaration$/u.test(statement.type) ? listPatternNames(statement['id']) : []
    })
}

/** `var` names of a function body, nested blocks included, nested functions not. */
function listHoisted(node: SyntaxNode): string[] {
  if (/Function|^Class/u.test(node.type)) return []
  const own = node.type === 'VariableDeclaration' && node['kind'] === 'var' ? listVariables(node) : []
  return [...own, ...listChildren(node).flatMap(listHoisted)]
}

function listVariables(declaration: SyntaxNode): string[] {
  return (declaration['declarations'] as SyntaxNode[]).flatMap((item) => listPatternNames(item['id']))
}

function listPatternNames(pattern: unknown): string[] {
  const node = pattern as SyntaxNode | null | undefined
  if (!node) return []
  if (node.type === 'Identifier') return [node['name'] as string]
  if (node.type === 'AssignmentPattern') return listPatternNames(node['left'])
  if (node.type === 'Property') return listPatternNames(node['value'])
  return /Pattern$|^RestElement$/u.test(node.type) ? listChildren(node).flatMap(listPatternNames) : []
}
