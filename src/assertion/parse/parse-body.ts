import { hasTemplate } from '../../interpolation/template.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { compilePath } from '../../path/compile-path.ts'
import { describePathError } from '../../path/scan-path.ts'
import type { NodePath } from '../../errors.ts'
import { showValue } from '../../text/show-value.ts'
import type { Operator } from '../operators/operator.ts'
import { listEntries, readOperand, type TreeEntry, type TreeNode, reportBadKey } from './assertion-tree.ts'
import { formatFieldPath } from '../../path/field-path.ts'
import { operators } from '../operators/operators.ts'
import { addCheck, reportTemplate, type ParseState, type Subject } from './parse-state.ts'
import { suggestOperator } from './suggest-operator.ts'

const MAX_LEVELS = 200

/**
 * Parses a tree of checks on a value. Each key of a map is an operator if it has an operator's name, else a field (or
 * flat path) whose own checks follow. Names below `field:` and in `["…"]` are always fields. A scalar or list means `equals`.
 */
export function parseBody(state: ParseState, subject: Subject, node: TreeNode): void {
  parseTree(state, subject, { node, whole: false, levels: MAX_LEVELS })
}

type Place = { node: TreeNode; whole: boolean; levels: number }

function parseTree(state: ParseState, subject: Subject, { node, whole, levels }: Place): void {
  const entries = listEntries(node, whole)
  if (entries === undefined) return addOperator(state, subject, { name: 'equals', node, levels })
  if (entries.length === 0) {
    const message = `\`${subject.field}\` has an empty map, which checks nothing.`
    return state.report(node.at, {
      code: 'bad-check',
      message,
      hint: 'Write a check below it, or `equals: {}` to compare with an empty object.',
    })
  }
  if (levels === 0) {
    const message = `The checks of \`${subject.field}\` nest deeper than ${MAX_LEVELS} levels.`
    return state.report(node.at, {
      code: 'bad-check',
      message,
      hint: 'Compare the deep value with `equals`.',
    })
  }
  for (const entry of entries)
    if ('problem' in entry) reportBadKey(state, entry)
    else parseEntry(state, subject, { entry, levels })
}

function parseEntry(
  state: ParseState,
  subject: Subject,
  { entry, levels }: { entry: TreeEntry; levels: number },
): void {
  const { name, quoted, node } = entry
  if (typeof name === 'string' && hasTemplate(name)) return reportTemplate(state, node.at, name)
  if (typeof name === 'object' && !checkFilter(state, node.at, name.each)) return
  if (typeof name === 'string' && !quoted) {
    if (entry.quotes && isMap(node))
      return parseTree(state, subject, { node, whole: true, levels: levels - 1 })
    if (operators[name]) return addOperator(state, subject, { name, node, levels })
    const meant = suggestOperator(name, isMap(node), readOperand(node))
    if (meant !== undefined)
      return state.report(node.at, {
        code: 'unknown-field',
        message: `Unknown check \`${name}\` of \`${subject.field}\`.`,
        hint: `Did you mean \`${meant}\`? If it is a field of the answer, write \`field: {${name}: …}\`.`,
      })
  }
  const below: Subject = {
    target: subject.target,
    path: [...subject.path, name],
    field: formatFieldPath([name], subject.field),
  }
  parseTree(state, below, { node, whole: false, levels: levels - 1 })
}

function addOperator(
  state: ParseState,
  subject: Subject,
  { name, node, levels }: { name: string; node: TreeNode; levels: number },
): void {
  const operator = operators[name]
  if (operator === undefined) throw new Error(`No operator \`${name}\``)
  const check = { name, operator, operand: readOperand(node), at: node.at }
  if (!operator.nested) return addCheck(state, subject, check)
  const parse = (inner: ParseState, below: Subject, part: TreeNode): void =>
    parseTree(inner, below, { node: part, whole: false, levels: levels - 1 })
  addNested(state, subject, { ...check, node, parse })
}

/** Adds an operator whose operand is checks; `parse` reads them where they may have fields, or operators only. */
export function addNested(
  state: ParseState,
  subject: Subject,
  nested: {
    name: string
    operator: Operator
    operand: Json
    at: NodePath
    node: TreeNode
    parse: (state: ParseState, subject: Subject, node: TreeNode) => void
  },
): void {
  const { name, operator, operand, at, node, parse } = nested
  const inner: ParseState = { ...state, checks: [] }
  const field = operator.nested === 'elements' ? `${subject.field}[*]` : subject.field
  const below: Subject = { target: subject.target, path: [], field }
  if (operator.nested !== 'list') parse(inner, below, node)
  else if (!Array.isArray(operand) || operand.length === 0)
    state.report(at, {
      code: 'bad-check',
      message: `Expected the \`${name}\` check of \`${subject.field}\` to have a list of checks, got ${showValue(operand)}.`,
      hint: `Start each with a hyphen: \`- {type: string}\`.`,
    })
  else
    for (const [index, json] of operand.entries())
      addAlternative(inner, below, { json, at: [...at, index], parse })
  if (inner.checks.some(({ operator }) => operator === 'snapshot'))
    state.report(at, {
      code: 'bad-check',
      message: `\`snapshot\` is not allowed inside \`${name}\` of \`${subject.field}\`.`,
      hint: 'Take one snapshot of the whole value.',
    })
  // None: everything in it was reported.
  if (inner.checks.length > 0) addCheck(state, subject, { name, operator, operand, at, checks: inner.checks })
}

function addAlternative(
  state: ParseState,
  subject: Subject,
  { json, at, parse }: { json: Json; at: NodePath; parse: Parameters<typeof addNested>[2]['parse'] },
): void {
  const inner: ParseState = { ...state, checks: [] }
  parse(inner, subject, { json, at })
  const operator = operators['all_of'] as Operator
  if (inner.checks.length > 0)
    addCheck(state, subject, { name: 'all_of', operator, operand: json, at, checks: inner.checks })
}

function checkFilter(state: ParseState, at: NodePath, filter: string): boolean {
  const compiled = filter === '' ? undefined : compilePath(`[?${filter}]`)
  if (compiled === undefined || !('message' in compiled)) return true
  state.report(at, describePathError(`[?${filter}]`, 'filter', compiled))
  return false
}

function isMap(node: TreeNode): boolean {
  return 'entry' in node || isJsonObject(node.json)
}
