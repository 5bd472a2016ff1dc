import { TemplateError } from '../../interpolation/errors.ts'
import { parseExpression } from '../../interpolation/syntax/expression.ts'
import { listChildren, parseJavaScript, type SyntaxNode } from '../../interpolation/syntax/javascript.ts'

/** Says why a JavaScript condition does not parse, loads modules or assigns, with the offset in it; undefined when it is fine. */
export function validateCondition(source: string): { message: string; offset: number } | undefined {
  try {
    parseExpression(source)
    const offset = findAssignment(source)
    return offset === undefined
      ? undefined
      : { message: 'a single `=` assigns and compares nothing, write `===`', offset }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { message: error.message, offset: error.offset }
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
