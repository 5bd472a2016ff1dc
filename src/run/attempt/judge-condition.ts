import { evaluateCondition } from '../../interpolation/expressions/engine.ts'
import { findMisspelt, showReads } from '../../interpolation/suggest-reference.ts'
import type { ExpressionEngine, Scope } from '../../interpolation/variables/scope.ts'
import { listNodes, parseJavaScript, type SyntaxNode } from '../../interpolation/syntax/javascript.ts'
import { rememberTexts } from '../../remember.ts'

/** How a condition over an answer came out; `misspelt` says what it may have come out so by, `showReads` shows what it read. */
export type ConditionVerdict = {
  passed: boolean
  value: string
  misspelt?: string | undefined
  showReads?: () => string | undefined
}

/** Evaluates a condition over an answer, as `evaluateCondition` does. */
export function judgeCondition(engine: ExpressionEngine, written: string, scope: Scope): ConditionVerdict {
  const source = lowerHeaderNames(written)
  const verdict = evaluateCondition(engine, source, scope)
  return { ...verdict, misspelt: findMisspelt(source, scope), showReads: () => showReads(source, scope) }
}

/**
 * Writes the header names of a condition in lower case, as the response has them: `headers['Content-Type']` and
 * `request.headers.Accept` mean the header, however it is spelt (RFC 9110 5.1). Offsets stay the same.
 */
export function lowerHeaderNames(source: string): string {
  return source.includes('headers') && /[A-Z]/.test(source) ? lowerNames(source) : source
}

const lowerNames = rememberTexts(500, (source) => {
  let lowered = source
  for (const node of listNodes(parseJavaScript(source).node)) {
    if (node.type !== 'MemberExpression' || !isHeaders(node['object'] as SyntaxNode)) continue
    const { type, start, end } = node['property'] as SyntaxNode
    if (node['computed'] ? type !== 'Literal' : type !== 'Identifier') continue
    // ASCII only, which keeps every offset.
    const name = source.slice(start, end).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    lowered = lowered.slice(0, start) + name + lowered.slice(end)
  }
  return lowered
})

function isHeaders(node: SyntaxNode): boolean {
  if (node.type === 'Identifier') return node['name'] === 'headers'
  if (node.type !== 'MemberExpression' || node['computed']) return false
  const [object, property] = [node['object'], node['property']] as [SyntaxNode, SyntaxNode]
  return object.type === 'Identifier' && object['name'] === 'request' && property['name'] === 'headers'
}
