import type { Range } from '../source.ts'
import { rememberTexts } from '../remember.ts'
import { TemplateError } from './errors.ts'
import { analyzeExpression, describeRest, type Expression } from './syntax/expression.ts'
import { parseJavaScript, skipBlanks, type SyntaxNode } from './syntax/javascript.ts'

/** `range` includes the braces, `source` is the text between them, and its code starts at `codeOffset`. */
type Braces = { range: Range; source: string; codeOffset: number }

export type LiteralPart = { kind: 'literal'; text: string }
/** A name and the keys after it. For environment variables, `root` is `$env`. */
export type ReferencePart = Braces & { kind: 'reference'; root: string; path: (string | number)[] }
export type ExpressionPart = Braces & { kind: 'expression'; expression: Expression }
export type FakerPart = Braces & { kind: 'faker'; path: string[]; arguments: Expression }
export type DynamicPart = ReferencePart | ExpressionPart | FakerPart
export type TemplatePart = LiteralPart | DynamicPart
/** All parts of a text, in order and without gaps. */
export type Template = readonly TemplatePart[]

/** True for a string that may contain a template. A quick test for `{{` only. */
export function hasTemplate(value: unknown): boolean {
  return typeof value === 'string' && value.includes('{{')
}

/** True for a string that may contain a template, or a value with one in it. Keys are not searched. */
export function hasTemplateInside(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return hasTemplate(value)
  return Object.values(value).some(hasTemplateInside)
}

/** Splits a text at its `{{…}}`. Caches by text. Throws a `TemplateError` if it is not a valid template. */
export const parseTemplate = rememberTexts(5000, (text): Template => {
  const parts: TemplatePart[] = []
  let at = 0
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    if (open > at) parts.push({ kind: 'literal', text: text.slice(at, open) })
    const part = readPlainReference(text, open) ?? readCode(text, open)
    parts.push(part)
    at = part.range[1]
  }
  // After a single `{{…}}`, a line break is the end of a YAML block.
  const isOne = parts.length === 1 && text.slice(at) === '\n'
  if (at < text.length && !isOne) parts.push({ kind: 'literal', text: text.slice(at) })
  return parts
})

// A name and the keys after it, as in `a.b`, `list.0.id`, `list[0].id`, `node-id.name`, `headers['x-id']`.
const name = String.raw`[\p{L}\p{N}\p{M}_$]+(?:-+[\p{L}\p{N}\p{M}_$]+)*`
const keys = String.raw`(?:\.${name}|\[\d+\]|\['[^'\\\n]*'\]|\["[^"\\\n]*"\])*`
const closedPath = new RegExp(String.raw`\{\{\s*(${name}${keys})\s*\}\}`, 'uy')
const segment = /'[^']*'|"[^"]*"|[^.[\]]+/gu

/** Reads braces with nothing but a path in them; undefined for others. */
export function readPlainReference(text: string, open: number): ReferencePart | undefined {
  closedPath.lastIndex = open
  const source = closedPath.exec(text)?.[1]
  if (source === undefined || /^(?:true|false|null|[\d.]+|\$(?:js|faker)(?![\w$-]).*)$/su.test(source))
    return undefined
  const codeOffset = text.indexOf(source, open)
  const [root = '', ...path] = (source.match(segment) ?? []).map((part) => part.replace(/^['"]|['"]$/gu, ''))
  // An environment variable has no members, so this is an expression.
  if (root === '$env' && path.length !== 1) return undefined
  const range = [open, closedPath.lastIndex] as const
  const keyed = path.map((key) => (/^(?:0|[1-9]\d{0,8})$/u.test(key) ? Number(key) : key))
  return { kind: 'reference', range, source, codeOffset, root, path: keyed }
}

const literalHint = 'To send literal braces, write {{ "{{" }}.'

function readCode(text: string, open: number): DynamicPart {
  const inner = text[open + 2] === '{' ? readPlainReference(text, open + 1) : undefined
  if (inner && text[inner.range[1]] === '}') {
    const tripled = text.slice(open, inner.range[1] + 1)
    throw new TemplateError(`Expected two braces, got \`${tripled}\``, open, `Write \`{{${inner.source}}}\`.`)
  }
  const prefix = /\s*(?:js:)?\s*/uy
  prefix.lastIndex = open + 2
  prefix.exec(text)
  const from = prefix.lastIndex
  const refuse = (message: string): TemplateError => new TemplateError(message, open, literalHint)
  if (text.startsWith('}}', from)) throw refuse('Expected an expression, got empty braces')
  if (from === text.length) throw refuse('Expected an expression after `{{`, got the end')
  // Sliced because acorn counts the lines before a start position, which is quadratic with many expressions.
  const { node, end } = parseJavaScript(text.slice(from), from)
  if (end === 0) throw refuse('Expected an expression after `{{`')
  const close = skipBlanks(text, from + end)
  if (close === text.length) throw refuse('Expected `}}` after the expression, got the end of the text')
  if (!text.startsWith('}}', close)) throw describeRest(text, from + end, '`}}` at the end')
  const source = text.slice(open + 2, close).trim()
  const place = { range: [open, close + 2] as const, source, codeOffset: from }
  const faker = readFaker(place, node)
  if (faker) return faker
  const expression = analyzeExpression(text.slice(from, from + end), node, from)
  return { ...place, kind: 'expression', expression }
}

/** Reads `$faker.module.method(arguments)`; undefined for anything else. */
function readFaker(place: Braces, node: SyntaxNode): FakerPart | undefined {
  const { source, codeOffset } = place
  const passed = (node['arguments'] ?? []) as SyntaxNode[]
  const [head, path] = /^\$faker\.(\w+(?:\.\w+)+)\s*(?:\(|$)/u.exec(source) ?? []
  const callee = node['callee'] as SyntaxNode | undefined
  if (!head || !path || (callee ? callee.end : node.end) > head.length) return undefined
  const start = passed[0]?.start ?? 0
  const written = `[${source.slice(start, passed.at(-1)?.end ?? 0)}]`
  const list = analyzeExpression(written, parseJavaScript(written).node, codeOffset + start - 1)
  const [free] = list.freeNames
  if (!free) return { ...place, kind: 'faker', path: path.split('.'), arguments: list }
  const hint =
    'Write numbers, strings, lists and objects as literals. To compute a value, use {{js: …}} in a variable.'
  const offset = codeOffset + start + free.offset - 1
  throw new TemplateError('Arguments of `$faker` must be data: they cannot contain names', offset, hint)
}
