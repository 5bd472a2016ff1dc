import { extname } from 'node:path'
import { listNodes, type SyntaxNode } from '../../src/interpolation/syntax/javascript.ts'
import type { Json, JsonObject } from '../../src/json.ts'
import type { SourceNode } from '../../src/suite/source-tree.ts'

/** The syntax tree of a module, and the nodes that its top-level variables are set to, by name. */
export type ModuleSyntax = { root: SyntaxNode; constants: ReadonlyMap<string, SyntaxNode> }

/** Where the parts of a value are written, as far as they are literals. */
export type WrittenNode = Omit<SourceNode, 'children'> & {
  children?: Map<string | number, WrittenNode>
  /** True for an object literal that spells out the names of all its members. */
  isPlain?: boolean
  literal?: string | undefined
}

/** Parses a module. Rejects with a `SyntaxError` that has a `pos`, or a `RangeError` for too deep nesting. */
export async function parseModule(path: string, text: string): Promise<ModuleSyntax> {
  const [{ Parser }, { tsPlugin }] = await Promise.all([
    import('acorn'),
    import('@sveltejs/acorn-typescript'),
  ])
  const parser = Parser.extend(tsPlugin({ jsx: extname(path).endsWith('x') }))
  const options = { ecmaVersion: 'latest', sourceType: 'module', locations: true } as const
  const root = parser.parse(text, { ...options, allowHashBang: true }) as unknown as SyntaxNode
  const statements = (root['body'] as SyntaxNode[]).map((statement) => statement['declaration'] ?? statement)
  const declared = statements.flatMap((statement) => (statement as SyntaxNode)['declarations'] ?? [])
  const constants = (declared as SyntaxNode[]).map(
    ({ id, init }) => [(id as { name: string }).name, init as SyntaxNode] as const,
  )
  return { root, constants: new Map(constants) }
}

/** Nodes that wrap a value: type syntax and parentheses. */
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'ParenthesizedExpression',
])

/** Finds the node of a value itself: unwraps type syntax and parentheses, and looks up constants. */
export function followNode(node: SyntaxNode, { constants }: ModuleSyntax): SyntaxNode {
  let at = node
  const seen = new Set<SyntaxNode>()
  while (!seen.has(at)) {
    seen.add(at)
    if (WRAPPERS.has(at.type)) at = at['expression'] as SyntaxNode
    else if (at.type === 'Identifier') at = constants.get(at['name'] as string) ?? at
  }
  return at
}

/** Finds where the parts of a value are written. `value` is the value at run time, if known. */
export function placeValue(written: SyntaxNode, syntax: ModuleSyntax, value?: Json): WrittenNode {
  const followed = followNode(written, syntax)
  // A constant that is no object or list literal is placed where it is used.
  const node = /^(?:Object|Array)Expression$/.test(followed.type) ? followed : written
  const children = new Map<string | number, WrittenNode>()
  const properties = (node['properties'] ?? []) as SyntaxNode[]
  for (const property of properties) {
    const key = property['key'] as (SyntaxNode & { name: string; value?: string | number }) | undefined
    if (!key || (property['computed'] && key.type !== 'Literal')) continue
    const name = String(key.value ?? key.name)
    const part = placeValue(
      property['value'] as SyntaxNode,
      syntax,
      (value as JsonObject | undefined)?.[name],
    )
    children.set(name, { ...part, key: [key.start, key.end] })
  }
  const items = Array.isArray(value) ? value : []
  const elements = findElements((node['elements'] ?? []) as (SyntaxNode | null)[], syntax, items)
  for (const [index, element] of elements.entries())
    if (element) children.set(index, placeValue(element, syntax, items[index]))
  return {
    range: [node.start, node.end],
    isPlain: node.type === 'ObjectExpression' && children.size === properties.length,
    literal: followed['value'] as string | undefined,
    ...(children.size > 0 && { children }),
  }
}

/** The elements that produced the items of a list. After a spread they are known by their `name`, or counted from the end. */
function findElements(
  elements: readonly (SyntaxNode | null)[],
  syntax: ModuleSyntax,
  items: readonly Json[],
): (SyntaxNode | null | undefined)[] {
  const isSpread = elements.map((element) => element?.type === 'SpreadElement')
  const last = isSpread.lastIndexOf(true)
  const names = last === -1 ? [] : elements.map((element) => element && readName(element, syntax))
  let at = 0
  return items.map((item, index) => {
    const counted = elements.length - items.length + index
    if (last !== -1 && counted > last) return elements[counted]
    const named = isSpread[at] ? names.indexOf((item as JsonObject | null)?.['name'], at) : -1
    if (named !== -1) at = named
    return elements[isSpread[at] ? at : at++]
  })
}

/** The `name` that an element gives its items, if it is written there. */
function readName(element: SyntaxNode, syntax: ModuleSyntax): unknown {
  const node = followNode(element, syntax)
  const nodes = (node['properties'] as SyntaxNode[] | undefined) ?? listNodes(node)
  const named = nodes.find(({ type, key }) => type === 'Property' && (key as SyntaxNode)['name'] === 'name')
  return (named?.['value'] as SyntaxNode | undefined)?.['value']
}
