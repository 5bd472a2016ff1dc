import { TemplateError } from '../interpolation/errors.ts'
import { parseExpression } from '../interpolation/syntax/expression.ts'
import { findExpressionReferences } from '../interpolation/references.ts'

/** Says why a JavaScript condition does not parse (or loads modules), with the offset in it; undefined when it is fine. */
export function validateCondition(source: string): { message: string; offset: number } | undefined {
  try {
    parseExpression(source)
    return undefined
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { message: error.message, offset: error.offset }
  }
}

/** Names that a condition which parses reads. */
export function listConditionReads(source: string): string[] {
  return findExpressionReferences(parseExpression(source)).map(({ root }) => root)
}
