import type { ConditionVerdict } from '../../assertion/check-context.ts'
import { evaluateCondition } from '../../interpolation/expressions/engine.ts'
import { findMisspelt, showReads } from '../../interpolation/suggest-reference.ts'
import type { ExpressionEngine, Scope } from '../../interpolation/variables/scope.ts'

/** Evaluates a condition over an answer, as `evaluateCondition` does. */
export function judgeCondition(engine: ExpressionEngine, written: string, scope: Scope): ConditionVerdict {
  const source = lowerHeaderNames(written)
  const verdict = evaluateCondition(engine, source, scope)
  return { ...verdict, misspelt: findMisspelt(source, scope), showReads: () => showReads(source, scope) }
}

/** `headers.Name` or `headers['Name']`, also of the request; or a text, in which nothing is looked for but the `${…}` of a template. */
const HEADER_OR_TEXT =
  /(?<![\w$.])(?:request\??\.)?headers\s*(?:(?:\?\.)?\s*\[\s*(?:'[^'\\]*'|"[^"\\]*")\s*\]|\??\.\w+)|(['"`])(?:\\.|(?!\1)[^\\])*\1/gs

/**
 * Writes the header names of a condition in lower case, as the response has them: `headers['Content-Type']` and
 * `request.headers.Accept` mean the header, however it is spelt (RFC 9110 5.1). Offsets stay the same.
 */
export function lowerHeaderNames(source: string): string {
  if (!source.includes('headers')) return source
  return source.replaceAll(HEADER_OR_TEXT, (found, quote: string | undefined) => {
    if (quote === undefined) return found.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    return quote === '`' ? found.replaceAll(/(?<!\\)\$\{[^}]*\}/g, lowerHeaderNames) : found
  })
}
