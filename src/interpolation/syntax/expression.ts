import { rememberTexts } from '../../remember.ts'
import { estimateCost, type ReadSize } from './cost.ts'
import { TemplateError } from '../errors.ts'
import { findElsewhere } from '../names-elsewhere.ts'
import { findFreeNames, type FreeName } from './free-names.ts'
import { describeSyntaxError, listNodes, parseJavaScript, skipBlanks } from './javascript.ts'
import type { SyntaxNode } from './javascript.ts'

/** A checked JavaScript expression. */
export type Expression = {
  source: string
  /** Every use of a name from outside, offsets from the start of `source`. */
  freeNames: readonly FreeName[]
  /** The same names once each: what a compiled expression takes as parameters. */
  parameters: readonly string[]
  /** Keys read from `variables` (`undefined`: all of them) and from `$env`. */
  members: { variables: readonly string[] | undefined; $env: readonly string[] }
  /** What it costs at most over data of these sizes, see `estimateCost`. */
  estimateCost(readSize: ReadSize): number
  /** Why it can never give a value, such as being asynchronous; found when it is run. */
  refusal: string | undefined
}

/** Parses a text that is one JavaScript expression and nothing else; cached. Throws a `TemplateError`. */
export const parseExpression = rememberTexts(2000, (source): Expression => {
  if (source.trim() === '')
    throw new TemplateError('Expected an expression, got nothing', 0, 'Write a JavaScript expression.')
  const { node, end } = parseJavaScript(source)
  if (skipBlanks(source, end) < source.length) throw describeRest(source, end)
  return analyzeExpression(source, node, 0)
})

const REST_HINTS = new Map([
  [';', 'Write one expression, without `;`.'],
  ['}', 'Write both braces, `}}`; the characters themselves are written {{ "{{…}}" }}.'],
])

/** Says what follows an expression that should have ended. */
export function describeRest(text: string, end: number, expected = 'the end'): TemplateError {
  const at = skipBlanks(text, end)
  const shown = /^(?:[\p{L}\p{N}_$]+|[^])/u.exec(text.slice(at, at + 40))?.[0] ?? 'nothing'
  const [name = ''] = /[\w$]+(?=\s*$)/.exec(text.slice(0, at)) ?? []
  const hint = REST_HINTS.get(shown) ?? findElsewhere(name) ?? 'Join values with an operator such as + or ||.'
  return new TemplateError(`Expected ${expected} of the expression, got \`${shown}\``, at, hint)
}

/** Checks a parsed expression; `from` is where its source starts in the text that error offsets refer to. */
export function analyzeExpression(source: string, node: SyntaxNode, from: number): Expression {
  try {
    const refusal = refuseSyntax(node, from)
    const freeNames = findFreeNames(node)
    const parameters = [...new Set(freeNames.map((free) => free.name))].filter((name) => name !== 'undefined')
    for (const free of freeNames) refuseName(free, from)
    const members = {
      variables: listMembers(freeNames, 'variables'),
      $env: listMembers(freeNames, '$env') ?? [],
    }
    return {
      source,
      freeNames,
      parameters,
      members,
      estimateCost: (readSize) => estimateCost(node, readSize),
      refusal,
    }
  } catch (error) {
    throw describeSyntaxError(error, from)
  }
}

function refuseName({ name, path, offset }: FreeName, from: number): void {
  const hint = refusedNames.get(name)
  if (hint === undefined || (name === '$env' && path.length > 0)) return
  throw new TemplateError(`\`${name}\` is not available in expressions`, from + offset, hint)
}

const refusedNames = new Map([
  ['eval', 'Write the expression itself.'],
  ['arguments', 'Name the parameters of the function.'],
  ['$js', 'Write {{js: …}}.'],
  ['$env', 'Name one environment variable: $env.NAME.'],
  ['$faker', 'It stands alone: {{$faker.module.method(arguments)}}. Put it into a variable and use that.'],
])

function listMembers(freeNames: readonly FreeName[], root: string): string[] | undefined {
  const keys = new Set<string>()
  for (const { name, path } of freeNames) {
    if (name !== root) continue
    if (path.length === 0) return undefined
    keys.add(String(path[0]))
  }
  return [...keys]
}

/** Refuses what loads modules; returns a reason for what parses but can give no value here. */
function refuseSyntax(root: SyntaxNode, from: number): string | undefined {
  const nodes = listNodes(root)
  const loading = nodes.find(({ type }) => type === 'ImportExpression')
  if (loading) {
    const hint = 'Expressions see data only.'
    throw new TemplateError('import() is not available in expressions', from + loading.start, hint)
  }
  return nodes.some((node) => node['async'] || node['await'])
    ? 'expressions are synchronous, `async` and `await` are not available'
    : undefined
}
