import type { Range } from '../source.ts'
import { rememberTexts } from '../remember.ts'
import { TemplateError } from './errors.ts'
import { analyzeExpression, describeRest, parseExpression, type Expression } from './syntax/expression.ts'
import { readClosedPath, splitPath } from './syntax/reference-path.ts'
import { parseJavaScript, skipBlanks, type SyntaxNode } from './syntax/javascript.ts'

/** `range` covers the braces; `source` is what is between them; `codeOffset` is where the code in it starts in the text. */
type Place = { range: Range; source: string; codeOffset: number }

export type LiteralPart = { kind: 'literal'; text: string; range: Range }
export type ReferencePart = Place & {
  kind: 'reference'
  root: string
  path: (string | number)[]
}
export type ExpressionPart = Place & { kind: 'expression'; expression: Expression }
export type EnvPart = Place & { kind: 'env'; name: string }
export type FakerPart = Place & { kind: 'faker'; path: string[]; arguments: Expression }
export type DynamicPart = ReferencePart | ExpressionPart | EnvPart | FakerPart
export type TemplatePart = LiteralPart | DynamicPart

/** A text split once into literal and dynamic parts, in order and without gaps. */
export type Template = { text: string; parts: readonly TemplatePart[] }

/** Tells quickly whether a value is a text that holds the start of a template. */
export function hasTemplate(value: unknown): boolean {
  return typeof value === 'string' && value.includes('{{')
}

/** Splits a text at its `{{…}}` in one pass; cached. Throws a `TemplateError` for what cannot be meant as written. */
export const parseTemplate = rememberTexts(5000, (text): Template => {
  const parts: TemplatePart[] = []
  let at = 0
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    if (open > at) parts.push({ kind: 'literal', text: text.slice(at, open), range: [at, open] })
    const part = readPart(text, open)
    parts.push(part)
    at = part.range[1]
  }
  if (at < text.length) parts.push({ kind: 'literal', text: text.slice(at), range: [at, text.length] })
  return { text, parts }
})

function readPart(text: string, open: number): DynamicPart {
  const path = readClosedPath(text, open + 2)
  if (path && !/^(?:true|false|null|[\d.]+)$/u.test(path.source)) {
    const place = { range: [open, path.end] as const, source: path.source, codeOffset: path.start }
    const part = readPath(place)
    if (part) return part
    throw explainDollar(place)
  }
  return readCode(text, open)
}

/** A path is a variable unless it starts with one of our own `$` names; nothing for `$js` and incomplete ones. */
function readPath(place: Place): DynamicPart | undefined {
  const { root, path } = splitPath(place.source)
  const [first, ...rest] = path
  if (root === '$env') {
    return first !== undefined && rest.length === 0
      ? { ...place, kind: 'env', name: String(first) }
      : undefined
  }
  if (root === '$faker') {
    return rest.length > 0
      ? { ...place, kind: 'faker', path: path.map(String), arguments: parseExpression('[]') }
      : undefined
  }
  if (root === '$js') return undefined
  return { ...place, kind: 'reference', root, path }
}

function explainDollar({ source, codeOffset }: Place): TemplateError {
  const hint = source.startsWith('$env')
    ? 'Name one environment variable: {{$env.NAME}}.'
    : source.startsWith('$faker')
      ? 'Name a module and a method: {{$faker.internet.email}}.'
      : 'Write {{js: …}} for JavaScript.'
  return new TemplateError(`Expected a complete name, got \`${source}\``, codeOffset, hint)
}

function readCode(text: string, open: number): DynamicPart {
  const prefix = /\s*(?:js:)?\s*/uy
  prefix.lastIndex = open + 2
  prefix.exec(text)
  const from = Math.max(prefix.lastIndex, open + 2)
  if (text.startsWith('}}', from))
    throw new TemplateError('Expected an expression, got empty braces', open, literalHint)
  if (from === text.length)
    throw new TemplateError('Expected an expression after `{{`, got the end', open, literalHint)
  const { node, end } = parseCode(text, from, open)
  const close = skipBlanks(text, end)
  if (!text.startsWith('}}', close)) throw explainEnd(text, open, end)
  const source = text.slice(open + 2, close).trim()
  const place = { range: [open, close + 2] as const, source, codeOffset: from }
  if (readRoot(node) === '$js') throw explainDollar({ ...place, source: '$js' })
  if (readRoot(node) === '$faker') return readFakerCall(place, node)
  return { ...place, kind: 'expression', expression: analyzeExpression(text.slice(from, end), node, from) }
}

const literalHint = 'To send the characters themselves write {{ "{{" }}.'

function parseCode(text: string, from: number, open: number): { node: SyntaxNode; end: number } {
  // Sliced, because acorn counts the lines before a start position: a text with many expressions would be quadratic.
  const { node, end } = parseJavaScript(text.slice(from), from)
  if (end === 0) throw new TemplateError('Expected an expression after `{{`', open, literalHint)
  return { node, end: from + end }
}

function explainEnd(text: string, open: number, end: number): TemplateError {
  if (skipBlanks(text, end) === text.length) {
    return new TemplateError('Expected `}}` after the expression, got the end of the text', open, literalHint)
  }
  return describeRest(text, end, '`}}` at the end')
}

/** The name an expression starts with: `$faker` in `$faker.number.int({max: 9})`. */
function readRoot(node: SyntaxNode): string | undefined {
  let at: SyntaxNode | undefined = node
  while (at && at.type !== 'Identifier')
    at = (at['callee'] ?? at['object'] ?? at['expression']) as SyntaxNode | undefined
  return at?.['name'] as string | undefined
}

function readFakerCall(place: Place, node: SyntaxNode): FakerPart {
  const head = place.source.split('(', 1)[0] as string
  const { path } = splitPath(head)
  if (node.type !== 'CallExpression' || !/^\$faker(?:\.\w+){2,}\s*$/u.test(head)) {
    const hint = 'Put it into a variable of its own and use that.'
    throw new TemplateError(
      '`$faker` stands alone: {{$faker.module.method(arguments)}}',
      place.codeOffset,
      hint,
    )
  }
  const passed = node['arguments'] as SyntaxNode[]
  const source = place.source.slice(passed[0]?.start ?? 0, passed.at(-1)?.end ?? 0)
  const list = parseExpression(`[${source}]`)
  const [name] = list.freeNames
  if (!name) return { ...place, kind: 'faker', path: path.map(String), arguments: list }
  const offset = place.codeOffset + (passed[0]?.start ?? 0) + name.offset - 1
  const hint =
    'Write numbers, texts, lists and objects out; for what is computed use {{js: …}} in a variable.'
  throw new TemplateError('Arguments of `$faker` are data: they name nothing', offset, hint)
}
