import type { ProblemText } from '../errors.ts'
import { TemplateError } from './errors.ts'
import { parseExpression } from './syntax/expression.ts'
import { listNodes, parseJavaScript, type SyntaxNode } from './syntax/javascript.ts'

/** Says why a JavaScript condition does not parse, has templates, loads modules, assigns, or compares as JMESPath does; undefined when it is fine. */
export function explainBadCondition(source: string): ProblemText | undefined {
  if (source.includes('{{'))
    return {
      code: 'bad-expression',
      message: `The condition \`${source}\` has a template inside, which is not filled in here.`,
      hint: 'Write the name alone, for example `variables.id` instead of `{{id}}`.',
    }
  try {
    parseExpression(source)
    const offset = findAssignment(source)
    if (offset !== undefined)
      return describe('a single `=` assigns and compares nothing, write `===`', offset)
    return explainLiteral(source)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const [word = ''] = /^(?:and|or|not)\b/i.exec(source.slice(error.offset)) ?? []
    return {
      ...describe(error.message.replace('The expression is not valid JavaScript: ', ''), error.offset),
      ...(word && { hint: `JavaScript writes \`${SIGNS[word.toLowerCase()]}\` for \`${word}\`.` }),
    }
  }
}

const SIGNS: Readonly<Record<string, string>> = { and: '&&', or: '||', not: '!' }

function describe(message: string, offset: number): ProblemText {
  return {
    code: 'bad-expression',
    message: `The condition does not parse at character ${offset + 1}: ${message}.`,
  }
}

/** Offset of an assignment outside functions: `body.ok = true` would be true whatever the body is. */
function findAssignment(source: string): number | undefined {
  // Most conditions have no `=` but those of `==`, `<=` and `=>`.
  if (!/(?<![=!<>])=(?![=>])/.test(source)) return undefined
  const nodes = listNodes(parseJavaScript(source).node, ({ type }) => !type.includes('Function'))
  const assignment = nodes.find(({ type }) => type === 'AssignmentExpression')
  return assignment && source.indexOf('=', (assignment['left'] as SyntaxNode).end)
}

// What a value of JSON in backticks never equals: as a text, and with `==` also as a number.
const STRICT = /^(?:true|false|null|-?\d+(?:\.\d+)?)$/
const LOOSE = /^(?:true|false|null)$/

/** Tells of a value in backticks, as JMESPath has it: in JavaScript it is a text, so that the comparison has one outcome. */
function explainLiteral(source: string): ProblemText | undefined {
  if (!source.includes('`')) return undefined
  for (const { type, operator, left, right } of listNodes(parseJavaScript(source).node)) {
    if (type !== 'BinaryExpression' || !/^[!=]==?$/.test(operator as string)) continue
    const never = (operator as string).length === 3 ? STRICT : LOOSE
    const sides = [left, right] as SyntaxNode[]
    const side = sides.find(
      (each) => each.type === 'TemplateLiteral' && never.test(source.slice(each.start + 1, each.end - 1)),
    )
    if (side)
      return {
        code: 'bad-expression',
        message: `The condition compares with the text “${source.slice(side.start + 1, side.end - 1)}” at character ${side.start + 1}.`,
        hint: 'Leave out the backticks: only JMESPath has its values in them.',
      }
  }
  return undefined
}
