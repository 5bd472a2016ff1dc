import { listChildren } from './javascript.ts'
import type { SyntaxNode } from './javascript.ts'

/** A use of a name that the expression itself does not define, with the own-property path that follows it statically. */
export type FreeName = {
  name: string
  path: (string | number)[]
  offset: number
}

type Names = { declared: Set<string>; outer: Names | undefined }

/** Finds the names an expression reads from outside, block scopes and hoisting included (ECMA-262 §8.2). */
export function findFreeNames(root: SyntaxNode): FreeName[] {
  const found: FreeName[] = []
  walk(root, undefined, found)
  return found
}

function walk(node: SyntaxNode, names: Names | undefined, found: FreeName[]): void {
  if (node.type === 'Identifier') {
    addFreeName({ name: node['name'] as string, path: [], offset: node.start }, names, found)
    return
  }
  if (node.type === 'MemberExpression') {
    walkMember(node, names, found)
    return
  }
  const inner = openScope(node, names)
  for (const child of listChildren(node)) if (!isPlainName(node, child)) walk(child, inner, found)
}

/** Follows `a.b[0]?.c` down to `a`; the path ends where a computed key begins. */
function walkMember(node: SyntaxNode, names: Names | undefined, found: FreeName[]): void {
  let path: (string | number)[] = []
  let at = node
  while (at.type === 'MemberExpression' || at.type === 'ChainExpression') {
    if (at.type === 'ChainExpression') {
      at = at['expression'] as SyntaxNode
      continue
    }
    const property = at['property'] as SyntaxNode
    const key = readKey(at, property)
    if (key === undefined) {
      path = []
      walk(property, names, found)
    } else path.unshift(key)
    at = at['object'] as SyntaxNode
  }
  if (at.type !== 'Identifier') walk(at, names, found)
  else addFreeName({ name: at['name'] as string, path, offset: at.start }, names, found)
}

function readKey(member: SyntaxNode, property: SyntaxNode): string | number | undefined {
  if (!member['computed']) return property.type === 'Identifier' ? (property['name'] as string) : undefined
  const value = property.type === 'Literal' ? property['value'] : undefined
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function addFreeName(free: FreeName, names: Names | undefined, found: FreeName[]): void {
  for (let scope = names; scope; scope = scope.outer) if (scope.declared.has(free.name)) return
  found.push(free)
}

/** Identifiers that are labels or written-out keys, not reads. */
function isPlainName(parent: SyntaxNode, child: SyntaxNode): boolean {
  if (child.type !== 'Identifier') return false
  if (parent['key'] === child) return !parent['computed'] && parent['value'] !== child
  return parent['label'] === child || parent.type === 'MetaProperty'
}

function openScope(node: SyntaxNode, outer: Names | undefined): Names | undefined {
  const declared = new Set<string>()
  if (/Function/u.test(node.type)) declareFunction(node, declared)
  else if (node.type === 'ClassExpression') addPatternNames(node['id'] as SyntaxNode | null, declared)
  else if (node.type === 'CatchClause') addPatternNames(node['param'] as SyntaxNode | null, declared)
  else if (/^For|^BlockStatement$|^SwitchStatement$|^StaticBlock$/u.test(node.type))
    declareBlock(node, declared)
  return declared.size === 0 ? outer : { declared, outer }
}

function declareFunction(node: SyntaxNode, declared: Set<string>): void {
  if (node.type !== 'ArrowFunctionExpression') declared.add('arguments')
  addPatternNames(node['id'] as SyntaxNode | null, declared)
  for (const parameter of node['params'] as SyntaxNode[]) addPatternNames(parameter, declared)
  addHoistedNames(node['body'] as SyntaxNode, declared)
}

/** `let`, `const`, `class` and (strict mode) function declarations directly inside a block, loop head or switch. */
function declareBlock(node: SyntaxNode, declared: Set<string>): void {
  const inner = listChildren(node).flatMap((child) =>
    child.type === 'SwitchCase' ? listChildren(child) : child,
  )
  for (const statement of inner) {
    if (statement.type === 'VariableDeclaration') addDeclaredNames(statement, declared)
    else if (/^(?:Function|Class)Declaration$/u.test(statement.type)) {
      addPatternNames(statement['id'] as SyntaxNode | null, declared)
    }
  }
}

/** `var` names of a function body, nested blocks included, nested functions not. */
function addHoistedNames(node: SyntaxNode, declared: Set<string>): void {
  if (/Function|^Class/u.test(node.type)) return
  if (node.type === 'VariableDeclaration' && node['kind'] === 'var') addDeclaredNames(node, declared)
  for (const child of listChildren(node)) addHoistedNames(child, declared)
}

function addDeclaredNames(declaration: SyntaxNode, declared: Set<string>): void {
  for (const item of declaration['declarations'] as SyntaxNode[])
    addPatternNames(item['id'] as SyntaxNode, declared)
}

function addPatternNames(pattern: SyntaxNode | null | undefined, declared: Set<string>): void {
  if (!pattern) return
  if (pattern.type === 'Identifier') declared.add(pattern['name'] as string)
  else if (pattern.type === 'AssignmentPattern') addPatternNames(pattern['left'] as SyntaxNode, declared)
  else if (pattern.type === 'Property') addPatternNames(pattern['value'] as SyntaxNode, declared)
  else if (/Pattern$|^RestElement$/u.test(pattern.type)) {
    for (const child of listChildren(pattern)) addPatternNames(child, declared)
  }
}
