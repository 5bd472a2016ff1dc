import type { ProblemText } from '../errors.ts'
import { TemplateError } from './errors.ts'
import { parseExpression } from './syntax/expression.ts'
import { listNodes, parseJavaScript, type SyntaxNode } from './syntax/javascript.ts'

/** Takes the JavaScript out of `{{js: …}}`, `{{…}}` or `js: …`. Other text is JavaScript already. */
export function unwrapExpression(text: string): string {
  const inner = /^\s*\{\{\s*(?:js:)?(.*)\}\}\s*$/s.exec(text)?.[1] ?? /^\s*js:(.*)$/s.exec(text)?.[1]
  return (inner === undefined || inner.includes('{{') ? text : inner).trim()
}

/** Explains why a condition is refused: bad syntax, a template, `import()`, an assignment; else undefined. */
export function explainBadCondition(source: string): ProblemText | undefined {
  if (source.includes('{{'))
    return {
      code: 'bad-expression',
      message: `The condition \`${source}\` contains a template, which is not filled in here.`,
      hint: 'Use the variable itself: `variables.id` instead of `{{id}}`.',
    }
  try {
    parseExpression(source)
    return findAssignmentOrComma(source)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return {
      ...describe(error.message.replace('The expression is not valid JavaScript: ', ''), error.offset),
      ...(error.message.startsWith('Expected the end') && { hint: 'Join conditions with `&&` or `||`.' }),
    }
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
    return describe('a single `=` assigns instead of comparing; write `===`', sign)
  }
  const list = nodes.find(({ type }) => type === 'SequenceExpression')
  return list && describe('with commas, only the last part would count; join the parts with `&&`', list.start)
}
