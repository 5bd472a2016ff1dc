import type { ProblemText } from '../errors.ts'
import { TemplateError } from './errors.ts'
import { parseExpression } from './syntax/expression.ts'
import { correctIt, listNodes, omitAwait, parseJavaScript, type SyntaxNode } from './syntax/javascript.ts'

/** Takes the JavaScript out of `{{js: …}}`, `{{…}}` or `js: …`. Other text is JavaScript already. */
export function unwrapExpression(text: string): string {
  const inner = /^\s*\{\{\s*(?:js:)?(.*)\}\}\s*$/s.exec(text)?.[1] ?? /^\s*js:(.*)$/s.exec(text)?.[1]
  return (inner === undefined || inner.includes('{{') ? text : inner).trim()
}

/** Explains why a condition is refused: bad syntax, a template, `import()`, an assignment, `in` before a list; else undefined. */
export function explainBadCondition(source: string): ProblemText | undefined {
  if (source.includes('{{'))
    return {
      code: 'bad-expression',
      message: `The condition \`${source}\` contains a template, which is not filled in here.`,
      hint: 'Use the variable itself: `variables.id` instead of `{{id}}`.',
    }
  try {
    parseExpression(source)
    return findAssignmentOrComma(source) ?? findSearch(source)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const isRest = error.message.startsWith('Expected the end')
    const hint = isRest ? hintOperator(source, error.offset) : error.hint
    return {
      ...describe(error.message.replace('The expression is not valid JavaScript: ', ''), error.offset),
      ...(hint !== correctIt && { hint }),
    }
  }
}

/** What to write instead of an operator in words. */
const OPERATORS: readonly (readonly [words: RegExp, operator: string])[] = [
  [/^and\b/i, '&&'],
  [/^or\b/i, '||'],
  [/^(?:eq|is|equals?)\b/i, '==='],
  [/^(?:ne|neq|not)\b/i, '!=='],
  [/^(?:gte?|greater|above)\b/i, '>'],
  [/^(?:lte?|less|below)\b/i, '<'],
  [/^(?:contains?|includes?|has)\b/i, 'list.includes(value)'],
  [/^(?:match(?:es)?|like)\b/i, '/pattern/.test(text)'],
  [/^starts?_?with\b/i, 'text.startsWith(part)'],
  [/^ends?_?with\b/i, 'text.endsWith(part)'],
]

function hintOperator(source: string, at: number): string {
  if (/\bnot\s+$/i.test(source.slice(0, at))) return 'Write `!` instead of `not`.'
  if (/\bawait\s+$/.test(source.slice(0, at))) return omitAwait
  const operator = OPERATORS.find(([words]) => words.test(source.slice(at)))?.[1]
  return operator === undefined ? 'Join conditions with `&&` or `||`.' : `Write \`${operator}\` instead.`
}

/** Finds `in` before a list: it looks for a key, so that no value is ever there. */
function findSearch(source: string): ProblemText | undefined {
  if (!/\bin\s*\[/.test(source)) return undefined
  const search = listNodes(parseJavaScript(source).node).find(
    ({ operator, right }) => operator === 'in' && (right as SyntaxNode).type === 'ArrayExpression',
  )
  if (!search) return undefined
  const [left, right] = [search['left'], search['right']] as SyntaxNode[]
  const [value, list] = [left, right].map((side) => source.slice(side?.start, side?.end))
  return {
    ...describe('`in` before a list looks for a key, not for a value', right?.start ?? 0),
    severity: 'doubt',
    hint: `Write \`${list}.includes(${value})\`.`,
  }
}

function describe(message: string, offset: number): ProblemText {
  return {
    code: 'bad-expression',
    message: `The condition has an error at character ${offset + 1}: ${message}.`,
  }
}

/** Finds what makes a result independent of the response: `body.ok = true`, or the operand before a comma. */
function findAssignmentOrComma(source: string): ProblemText | undefined {
  // Most conditions have `=` only in `==`, `<=` and `=>`.
  if (!/(?<![=!<>])=(?![=>])|,/.test(source)) return undefined
  const nodes = listNodes(parseJavaScript(source).node, ({ type }) => !type.includes('Function'))
  const assignment = nodes.find(({ type }) => type === 'AssignmentExpression')
  if (assignment) {
    const sign = source.indexOf('=', (assignment['left'] as SyntaxNode).end)
    if (source[sign + 1] === '~')
      return { ...describe('`=~` is not an operator', sign), hint: 'Write `/pattern/.test(text)`.' }
    return describe('a single `=` assigns instead of comparing; write `===`', sign)
  }
  const list = nodes.find(({ type }) => type === 'SequenceExpression')
  return list && describe('with commas, only the last part would count; join the parts with `&&`', list.start)
}
