import { isJsonObject, type Json } from '../../json.ts'
import type { CheckTarget } from '../check.ts'
import type { NodePath } from '../../problem.ts'
import { readOperand, type TreeNode } from './assertion-tree.ts'
import type { Operator } from '../operators/operator.ts'
import { equalityOperators } from '../operators/equality.ts'
import { orderOperators, rangeOperators } from '../operators/order.ts'
import { addCheck, type ParseState, type Subject } from './parse-state.ts'
import { report, reportUnknown } from './report-problem.ts'
import { parseDuration } from '../../text/parse-duration.ts'
import { showValue } from '../../text/show-value.ts'
import { statusOperators } from '../operators/status.ts'
import { suggestName } from '../../text/suggest.ts'
import { suggestOperator } from './suggest-operator.ts'

/** Parses `status_code`: an integer, a class such as `2xx`, a list of both, or operators. */
export function parseStatus(state: ParseState, node: TreeNode): void {
  const operand = readOperand(node)
  const bare = Array.isArray(operand) ? 'in' : 'equals'
  parseNumber(state, { target: 'status_code', node, bare, known: statusOperators })
}

const timeOperators = listAmountOperators(' of ms (or a duration such as `5s`)')

function listAmountOperators(unit: string): Readonly<Record<string, Operator>> {
  const ordered = Object.entries(orderOperators).map(([name, operator]) => [
    name,
    { ...operator, explainBadOperand: refuseAmount(name, unit) },
  ])
  return { ...Object.fromEntries(ordered), between: rangeOperators.between }
}

// No time or size is negative: other comparisons would always come out the same.
function refuseAmount(name: string, unit: string): Operator['explainBadOperand'] {
  const needsMore = name === 'less_than' || name === 'greater_than_or_equal'
  const words = needsMore ? `a number${unit} above 0` : `a non-negative number${unit}`
  return (operand) =>
    Number.isFinite(operand) && (operand as number) >= 0 && !(needsMore && operand === 0) ? undefined : words
}

/** Parses `response_time_ms`, `duration_ms` and `first_event_ms`: a number (at most) or comparisons. */
export function parseTime(
  state: ParseState,
  node: TreeNode,
  target: 'response_time_ms' | 'duration_ms' | 'first_event_ms',
): void {
  parseNumber(state, { target, node, bare: 'less_than_or_equal', known: timeOperators, read: readTime })
}

/** A duration such as `5s` as its milliseconds; anything else as it is. */
function readTime(operand: Json): Json {
  if (Array.isArray(operand)) return operand.map(readTime)
  const ms = typeof operand === 'string' ? parseDuration(operand) : Number.NaN
  return Number.isNaN(ms) ? operand : ms
}

const { equals, not_equals } = equalityOperators
const sizeOperators = { equals, not_equals, ...listAmountOperators('') }

/** Parses `size_bytes`: a number (exactly) or comparisons. */
export function parseSize(state: ParseState, node: TreeNode): void {
  parseNumber(state, { target: 'size_bytes', node, bare: 'equals', known: sizeOperators })
}

/** Parses how many there are: a number (exactly) or comparisons. */
export function parseCount(state: ParseState, node: TreeNode, subject: Subject): void {
  parseNumber(state, { target: subject.target, subject, node, bare: 'equals', known: sizeOperators })
}

type NumberPlace = {
  target: CheckTarget
  /** Default: the target itself. */
  subject?: Subject
  node: TreeNode
  /** Operator of an operand that is not a map. */
  bare: string
  known: Readonly<Record<string, Operator>>
  /** What an operand that is written stands for. */
  read?: (operand: Json) => Json
}

function parseNumber(
  state: ParseState,
  {
    target,
    subject = { target, path: [], field: target },
    node,
    bare,
    known,
    read = (operand) => operand,
  }: NumberPlace,
): void {
  const json = readOperand(node)
  if (!isJsonObject(json))
    return addBare(state, subject, { operand: read(json), at: node.at, name: bare, known })
  const entries = Object.entries(json)
  if (entries.length === 0)
    report(state, node.at, {
      code: 'bad-check',
      message: `\`${subject.field}\` has an empty map, which checks nothing.`,
      hint: `Write a value, or an operator: ${Object.keys(known).join(', ')}.`,
    })
  for (const [name, operand] of entries) {
    const at = 'entry' in node ? node.at : [...node.at, name]
    const operator = Object.hasOwn(known, name) ? known[name] : undefined
    if (operator) addCheck(state, subject, { name, operator, operand: read(operand), at })
    else reportOther(state, at, { target: subject.field, name, names: Object.keys(known) })
  }
}

function addBare(
  state: ParseState,
  subject: Subject,
  check: { operand: Json; at: NodePath; name: string; known: Readonly<Record<string, Operator>> },
): void {
  const operator = check.known[check.name] as Operator
  const { operand } = check
  const wanted =
    typeof operand === 'string' && operand.includes('{{') ? undefined : operator.explainBadOperand(operand)
  if (wanted === undefined) return addCheck(state, subject, { ...check, operator })
  report(state, check.at, {
    code: 'bad-check',
    message: `Expected \`${subject.field}\` to be ${wanted}, got ${showValue(operand)}.`,
    ...(typeof operand === 'string' &&
      /^[1-9]\d*$/.test(operand) && { hint: `Write ${operand} without quotes.` }),
  })
}

function reportOther(
  state: ParseState,
  at: NodePath,
  { target, name, names }: { target: string; name: string; names: readonly string[] },
): void {
  const meant = suggestName(name, names) ?? suggestOperator(name, false)
  reportUnknown(state, at, {
    message: `\`${target}\` has no check \`${name}\`: it is a number.`,
    hint:
      meant && names.includes(meant) ? `Did you mean \`${meant}\`?` : `Its checks are: ${names.join(', ')}.`,
  })
}
