import type { ProblemText } from '../errors.ts'
import { TemplateError } from './errors.ts'
import { parseExpression } from './syntax/expression.ts'
import { listChildren, parseJavaScript, type SyntaxNode } from './syntax/javascript.ts'

/** Says why a JavaScript condition does not parse, loads modules or assigns; undefined when it is fine. */
export function explainBadCondition(source: string): ProblemText | undefined {
  try {
    parseExpression(source)
    const offset = findAssignment(source)
    if (offset === undefined) return undefined
    return describe('a single `=` assigns and compares nothing, write `===`', offset)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const [word = ''] = /^(?:and|or|not)\b/i.exec(source.slice(error.offset)) ?? []
    return {
      ...describe(error.message, error.offset),
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
  const open = [parseJavaScript(source).node]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'AssignmentExpression') return source.indexOf('=', (node['left'] as SyntaxNode).end)
    if (!/Function/.test(node.type)) open.push(...listChildren(node))
  }
  return undefined
}
