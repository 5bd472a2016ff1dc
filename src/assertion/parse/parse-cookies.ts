import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { formatFieldPath, showStep } from '../../path/field-path.ts'
import { showValue } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'
import { operators } from '../operators/operators.ts'
import { onLength } from '../operators/size.ts'
import { listEntries, readOperand, type TreeEntry, type TreeNode, reportBadKey } from './assertion-tree.ts'
import { parseChecks } from './parse-checks.ts'
import type { ParseState, Subject } from './parse-state.ts'
import { dataWords } from './vocabularies.ts'

const ATTRIBUTES = 'value path domain expires max_age secure http_only same_site partitioned'.split(' ')

/** Parses `cookies`: the name of a cookie the answer sets → its value, operators on its value, or checks on its attributes. */
export function parseCookies(state: ParseState, node: TreeNode): void {
  const entries = listEntries(node, !('entry' in node))
  if (entries === undefined || entries.length === 0)
    return state.report(node.at, {
      code: 'bad-check',
      message: `Expected \`cookies\` to be a map of cookie names, got ${showValue(readOperand(node))}.`,
      hint: 'Write for example `session: {http_only: true}` below it.',
    })
  for (const entry of entries)
    if ('problem' in entry) reportBadKey(state, entry)
    else parseCookie(state, entry)
}

function parseCookie(state: ParseState, { name, node }: TreeEntry): void {
  const field = formatFieldPath([name], 'cookies')
  const cookie: Subject = { target: 'cookies', path: [name], field, words: dataWords }
  const value: Subject = { ...cookie, path: [name, 'value'], field: `${field}.value` }
  const entries = listEntries(node)
  if (entries === undefined || entries.length === 0) return parseChecks(state, value, node)
  for (const entry of entries) {
    if ('problem' in entry) return reportBadKey(state, entry)
    const key = showStep(entry.name)
    const whole: TreeNode = { at: node.at, entry }
    if (ATTRIBUTES.includes(key) || key === 'exists' || key === 'optional') parseChecks(state, cookie, whole)
    else if (operators[key]) parseChecks(state, value, whole)
    else
      state.report(entry.node.at, {
        code: 'unknown-field',
        message: `A cookie has no \`${key}\`${didYouMean(key, ATTRIBUTES)}.`,
        hint: `Known here: ${ATTRIBUTES.join(', ')}, and checks on the value.`,
      })
  }
}

/** Parses `redirects`: how many were followed, or checks on the list of them. */
export function parseRedirects(state: ParseState, node: TreeNode): void {
  const json = readOperand(node)
  const isCount = isJsonObject(json)
    ? Object.entries(json).some(([key, operand]) => Object.hasOwn(onLength, key) && isOfNumbers(operand))
    : !Array.isArray(json)
  const counted: JsonObject = { length: json }
  parseChecks(
    state,
    { target: 'redirects', path: [], field: 'redirects', words: dataWords },
    isCount ? { at: node.at, json: counted } : node,
  )
}

/** Other lists and maps are compared with what the redirects were. */
function isOfNumbers(operand: Json): boolean {
  const values = [operand].flat()
  return values.length > 0 && values.every((value) => typeof value !== 'object')
}
