import { isJsonObject, type JsonObject } from '../../json.ts'
import type { NodePath } from '../../errors.ts'
import { explainBadCondition } from '../../interpolation/explain-bad-condition.ts'
import type { ParseState } from './add-check.ts'
import type { TreeNode } from './assertion-tree.ts'

/** Parses `custom`, a list of `{name, condition, message}`: the JavaScript of each condition; what the schema has refused is left out. */
export function parseCustom(state: ParseState, { json, at }: TreeNode): void {
  for (const [index, entry] of (Array.isArray(json) ? json : []).entries())
    if (isJsonObject(entry)) parseEntry(state, entry, [...at, index, 'condition'])
}

function parseEntry(state: ParseState, { name, condition, message }: JsonObject, at: NodePath): void {
  if (typeof condition !== 'string' || condition.trim() === '') return
  const source = unwrapExpression(condition)
  const problem = explainBadCondition(source)
  if (problem) return state.report(at, problem)
  state.checks.push({
    target: 'custom',
    field: typeof name === 'string' ? name : source,
    path: [],
    operator: 'condition',
    expected: source,
    ...(typeof message === 'string' && { message }),
    at: state.locate(at),
  })
}

/** Takes the JavaScript out of a text that is one `{{js: …}}`, `{{…}}` or `js: …`; other text is JavaScript already. */
export function unwrapExpression(text: string): string {
  const inner = /^\s*\{\{\s*(?:js:)?(.*)\}\}\s*$/s.exec(text)?.[1] ?? /^\s*js:(.*)$/s.exec(text)?.[1]
  return (inner === undefined || inner.includes('{{') ? text : inner).trim()
}
