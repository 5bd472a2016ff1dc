import { isJsonObject } from '../../json.ts'
import type { CheckTarget } from '../check.ts'
import { readOperand, type TreeNode } from './assertion-tree.ts'
import { parseLeaf } from './parse-leaf.ts'
import { countLeaf } from './number-leaves.ts'
import type { ParseState, Subject } from './parse-state.ts'

type ParseKey = (state: ParseState, key: string, node: TreeNode) => void

// What is about more than one answer; in `where` the schema has not looked at it.
const MANY: readonly CheckTarget[] = ['custom', 'responses']

/** Parses `responses`: of how many answers of a burst the checks of each `where` hold; what the schema has refused is left out. */
export function parseResponses(state: ParseState, node: TreeNode, parseKey: ParseKey): void {
  const list = readOperand(node)
  for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
    const { where, count } = isJsonObject(entry) ? entry : {}
    if (count === undefined || !isJsonObject(where)) continue
    const at = [...node.at, index]
    const field = `responses[${index}]`
    const inner: ParseState = { ...state, checks: [], refused: MANY }
    for (const [key, json] of Object.entries(where)) parseKey(inner, key, { at: [...at, 'where', key], json })
    const other = MANY.find((key) => Object.hasOwn(where, key))
    if (other)
      state.report([...at, 'where'], {
        code: 'bad-check',
        message: `\`where\` of \`${field}\` cannot have \`${other}\`: it is about one answer.`,
        hint: 'Check its status, headers, body, sizes and times.',
      })
    const counts: ParseState = { ...state, checks: [] }
    const subject: Subject = { target: 'responses', path: [index], field: `${field}.count` }
    parseLeaf(counts, subject, { node: { at: [...at, 'count'], json: count }, leaf: countLeaf })
    // With no check left it would hold of every answer.
    if (other || inner.checks.length === 0) continue
    for (const check of counts.checks) state.checks.push(Object.assign(check, { checks: inner.checks }))
  }
}
