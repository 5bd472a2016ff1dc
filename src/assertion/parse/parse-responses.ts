import { isJsonObject, type JsonObject } from '../../json.ts'
import type { NodePath } from '../../problem.ts'
import { showValue } from '../../text/show-value.ts'
import { readOperand, type TreeNode } from './assertion-tree.ts'
import { parseCount } from './parse-number.ts'
import type { ParseState } from './parse-state.ts'
import { report, reportUnknownKeys } from './report-problem.ts'

type ParseKey = (state: ParseState, key: string, node: TreeNode) => void

const HINT = 'Write for example `- { where: { status_code: 201 }, count: 1 }`.'

/** Parses `responses`: of how many answers of a burst the checks of each `where` hold. */
export function parseResponses(state: ParseState, node: TreeNode, parseKey: ParseKey): void {
  const list = readOperand(node)
  if (!Array.isArray(list) || list.length === 0)
    return report(state, node.at, {
      code: 'bad-check',
      message: `Expected \`responses\` to be a list of \`{ where, count }\`, got ${showValue(list)}.`,
      hint: HINT,
    })
  for (const [index, entry] of list.entries()) {
    const at = [...node.at, index]
    if (isJsonObject(entry)) parseEntry(state, entry, { at, index, parseKey })
    else
      report(state, at, {
        code: 'bad-check',
        message: `Expected \`{ where, count }\`, got ${showValue(entry)}.`,
        hint: HINT,
      })
  }
}

function parseEntry(
  state: ParseState,
  entry: JsonObject,
  { at, index, parseKey }: { at: NodePath; index: number; parseKey: ParseKey },
): void {
  const field = `responses[${index}]`
  reportUnknownKeys(state, entry, { at, known: ['where', 'count'], owner: `\`${field}\`` })
  const { where, count } = entry
  if (count === undefined || !isJsonObject(where) || Object.keys(where).length === 0)
    return report(state, at, {
      code: 'bad-check',
      message: `\`${field}\` needs \`where\`, a map of checks on an answer, and \`count\`.`,
      hint: HINT,
    })
  const inner: ParseState = { ...state, checks: [] }
  for (const [key, json] of Object.entries(where)) parseKey(inner, key, { at: [...at, 'where', key], json })
  const other = inner.checks.find(({ target }) => target === 'custom' || target === 'responses')
  if (other)
    return report(state, [...at, 'where'], {
      code: 'bad-check',
      message: `\`where\` of \`${field}\` cannot have \`${other.target}\`: it is about one answer.`,
      hint: 'Check its status, headers, body, sizes and times.',
    })
  const counts: ParseState = { ...state, checks: [] }
  parseCount(
    counts,
    { at: [...at, 'count'], json: count },
    { target: 'responses', path: [index], field: `${field}.count` },
  )
  for (const check of counts.checks) state.checks.push(Object.assign(check, { checks: inner.checks }))
}
