import { createRequire } from 'node:module'
import type { Expression, Node, Parser } from 'acorn'
import { TemplateError } from '../errors.ts'

export type SyntaxNode = Node & { [key: string]: unknown }

let parser: typeof Parser | undefined

/**
 * Parses the one JavaScript expression (ES latest, strict mode) that starts at the beginning of `text` and says where
 * it ends; what follows is not looked at. Throws a `TemplateError` whose offset counts from `from`.
 */
export function parseJavaScript(text: string, from = 0): { node: SyntaxNode; end: number } {
  parser ??= loadParser()
  try {
    const node: Expression = parser.parseExpressionAt(text, 0, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowHashBang: false,
      preserveParens: true,
    })
    return { node: node as unknown as SyntaxNode, end: node.end }
  } catch (error) {
    throw describeSyntaxError(error, from)
  }
}

/** The offset of the first character at or after `at` that is neither blank nor in a comment. */
export function skipBlanks(text: string, at: number): number {
  const blanks = /(?:\s|\/\*[^]*?\*\/|\/\/[^\n\r\u2028\u2029]*)*/uy
  blanks.lastIndex = at
  blanks.exec(text)
  return blanks.lastIndex
}

/** Turns what a parser or a walk over its tree threw into a `TemplateError`; a stack overflow means too deep a nesting. */
export function describeSyntaxError(error: unknown, from: number): unknown {
  if (
    error instanceof RangeError ||
    (error instanceof SyntaxError && error.message.includes('stack space'))
  ) {
    return new TemplateError(
      'The expression is nested too deeply to be read',
      from,
      'Split it into variables.',
    )
  }
  if (!(error instanceof SyntaxError)) return error
  const at = (error as SyntaxError & { pos?: number }).pos ?? 0
  const message = error.message.replace(/ \(\d+:\d+\)$/u, '')
  return new TemplateError(
    `The expression is not valid JavaScript: ${message}`,
    from + at,
    'Correct it, or write the characters themselves as {{ "{{…}}" }}.',
  )
}

/** Loads acorn on first use (most templates are plain references) as a strict-mode script parser: what V8 is handed later. */
function loadParser(): typeof Parser {
  const acorn = createRequire(import.meta.url)('acorn') as typeof import('acorn')
  return acorn.Parser.extend((Base) => {
    class StrictParser extends (Base as unknown as new (...args: unknown[]) => { strict: boolean }) {
      constructor(...args: unknown[]) {
        super(...args)
        this.strict = true
      }
    }
    return StrictParser as unknown as typeof Parser
  })
}

/** The direct child nodes of a syntax node, in source order. */
export function listChildren(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (const key of Object.keys(node)) {
    const value = node[key]
    for (const item of Array.isArray(value) ? value : [value]) if (isNode(item)) children.push(item)
  }
  return children
}

/** What `a.b[0]?.c` reads: its `root`, the keys behind it, which begin anew behind a computed one, and the nodes of those. */
export type MemberPath = {
  root: SyntaxNode
  path: (string | number)[]
  computed: SyntaxNode[]
  isOptional: boolean
}

/** Follows a member expression down to its root. */
export function readMemberPath(node: SyntaxNode): MemberPath {
  const read: MemberPath = { root: node, path: [], computed: [], isOptional: false }
  while (read.root.type === 'MemberExpression' || read.root.type === 'ChainExpression') {
    const { computed, optional, object, expression } = read.root
    const property = read.root['property'] as SyntaxNode | undefined
    const key = property && readKey(property, computed === true)
    if (optional) read.isOptional = true
    if (key !== undefined) read.path.unshift(key)
    else if (property) {
      read.path = []
      read.computed.push(property)
    }
    read.root = (object ?? expression) as SyntaxNode
  }
  return read
}

function readKey(property: SyntaxNode, isComputed: boolean): string | number | undefined {
  if (!isComputed) return property.type === 'Identifier' ? (property['name'] as string) : undefined
  const value = property.type === 'Literal' ? property['value'] : undefined
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

/** A syntax node and all nodes in it, in source order; what is in those that `enters` leaves out is not looked at. Iterates: generated files nest deep. */
export function listNodes(
  root: SyntaxNode,
  enters: (node: SyntaxNode) => boolean = () => true,
): SyntaxNode[] {
  const nodes: SyntaxNode[] = []
  const open = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    nodes.push(node)
    for (const child of enters(node) ? listChildren(node).toReversed() : []) open.push(child)
  }
  return nodes
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}
