import { createRequire } from 'node:module'
import type { Node, Options } from 'acorn'
import { TemplateError } from '../errors.ts'

export type SyntaxNode = Node & { [key: string]: unknown }

/** The parts of acorn's parser that its own plugins use but its types omit. */
type InnerParser = { strict: boolean; nextToken(): void; parseMaybeAssign(): SyntaxNode }
type Acorn = { Parser: new (options: Options, text: string) => InnerParser }

let acorn: Acorn | undefined

/** Parses the JavaScript expression at the start of `text`, up to a comma; ignores the rest. Throws a `TemplateError` with `from` added to its offset. */
export function parseJavaScript(text: string, from = 0): { node: SyntaxNode; end: number } {
  // Loaded on first use: most templates are plain references.
  acorn ??= createRequire(import.meta.url)('acorn') as Acorn
  try {
    const options = { ecmaVersion: 'latest', sourceType: 'script', preserveParens: true } as const
    const parser = new acorn.Parser({ ...options, allowHashBang: false }, text)
    // V8 will get a script in strict mode.
    parser.strict = true
    parser.nextToken()
    const node = parser.parseMaybeAssign()
    return { node, end: node.end }
  } catch (error) {
    throw describeSyntaxError(error, from, text)
  }
}

/** The offset of the first character at or after `at` that is neither blank nor in a comment. */
export function skipBlanks(text: string, at: number): number {
  const blanks = /(?:\s|\/\*[^]*?\*\/|\/\/[^\n\r\u2028\u2029]*)*/uy
  blanks.lastIndex = at
  blanks.exec(text)
  return blanks.lastIndex
}

/** The hint for a syntax error in a template of which no more is known. */
export const correctIt = 'Correct it, or write literal braces as {{ "{{…}}" }}.'

export const omitAwait = 'Leave out `await`: the suite waits for asynchronous functions.'

/** What to write instead of a word that starts no expression. */
const WORDS: readonly (readonly [words: RegExp, hint: string])[] = [
  [
    /^(?:const|do|for|if|let|return|switch|throw|try|var|while)\b/,
    'Only one expression fits here. Put statements into a function and call it: `(() => { const a = 1; return a })()`.',
  ],
  [
    /^(?:case|class|default|enum|in|new|package|private|public|static)\b/,
    'This is a word of JavaScript. Read a variable of this name as `variables.…`.',
  ],
  [/^await\b/, omitAwait],
]

/** Turns syntax errors in `text` and stack overflows into a `TemplateError`; returns others. */
export function describeSyntaxError(error: unknown, from: number, text = ''): unknown {
  const isDeep = error instanceof RangeError || /stack space/.test(String(error))
  const deep = 'The expression is nested too deeply to be read'
  if (isDeep) return new TemplateError(deep, from, 'Split it into variables.')
  if (!(error instanceof SyntaxError)) return error
  const at = (error as SyntaxError & { pos?: number }).pos ?? 0
  const what = at === text.length && text ? 'it ends too early' : error.message.replace(/ \(\d+:\d+\)$/u, '')
  // Some words are refused only at what follows.
  const before = /\w*\s*$/.exec(text.slice(Math.max(0, at - 20), at))?.[0] ?? ''
  const around = before + text.slice(at)
  const meant = WORDS.find(([words]) => words.test(around))?.[1]
  return new TemplateError(`The expression is not valid JavaScript: ${what}`, from + at, meant ?? correctIt)
}

/** The direct child nodes of a syntax node, in source order. */
export function listChildren(node: SyntaxNode): SyntaxNode[] {
  return Object.values<unknown>(node).flat().filter(isNode)
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/** A node and its descendants in source order, but none below nodes that `enters` refuses. Not recursive. */
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

/** What `a.b[0]?.c` reads: its `root`, the static keys before the first computed one, all computed keys. */
export function readMemberPath(node: SyntaxNode) {
  const computed: SyntaxNode[] = []
  let [root, isOptional] = [node, false]
  let path: (string | number)[] = []
  while (/^(?:Member|Chain|Parenthesized)Expression$/.test(root.type)) {
    const { object, expression, property } = root
    const { type, name, value } = (property ?? {}) as SyntaxNode
    const key = root['computed'] ? type === 'Literal' && value : type === 'Identifier' && name
    isOptional ||= root['optional'] === true
    if (typeof key === 'string' || typeof key === 'number') path.unshift(key)
    else if (property) {
      path = []
      computed.push(property as SyntaxNode)
    }
    root = (object ?? expression) as SyntaxNode
  }
  return { root, path, computed, isOptional }
}
