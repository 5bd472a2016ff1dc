import { hasTemplate } from '../../interpolation/template.ts'
import { isJsonObject } from '../../json.ts'
import { compilePath } from '../../path/compile-path.ts'
import { describePathError } from '../../path/scan-path.ts'
import type { NodePath } from '../../errors.ts'
import { showValue } from '../../text/show-value.ts'
import { suggestName } from '../../text/suggest.ts'
import type { Operator } from '../operators/operator.ts'
import { listEntries, readOperand, type TreeEntry, type TreeNode, reportBadKey } from './assertion-tree.ts'
import { formatFieldPath, showStep } from '../../path/field-path.ts'
import { operators } from '../operators/operators.ts'
import { addCheck, reportTemplate, type ParseState, type Subject } from './parse-state.ts'
import { suggestOperator } from './suggest-operator.ts'

const MAX_LEVELS = 200

/** Where the parser is: how much deeper it may get, and whether the keys of a map are names as they stand. */
type Place = { node: TreeNode; levels: number; whole?: boolean }

/**
 * Parses a tree of checks on a value. Each key of a map is an operator if it has an operator's name, else a field (or
 * flat path) whose own checks follow, where the value may have fields. Names below `field:` and in `["…"]` are always
 * fields. A scalar or list means the bare operator, mostly `equals`.
 */
export function parseChecks(state: ParseState, subject: Subject, node: TreeNode): void {
  parseTree(state, subject, { node, levels: MAX_LEVELS })
}

function parseTree(state: ParseState, subject: Subject, place: Place): void {
  const { words } = subject
  const { node, levels, whole = words.leaf !== undefined } = place
  const entries = listEntries(node, whole)
  if (entries === undefined) return addBare(state, subject, node)
  if (entries.length === 0)
    return state.report(node.at, {
      code: 'bad-check',
      message: `\`${subject.field}\` has an empty map, which checks nothing.`,
      hint: `Write ${words.example}.`,
    })
  if (levels === 0)
    return state.report(node.at, {
      code: 'bad-check',
      message: `The checks of \`${subject.field}\` nest deeper than ${MAX_LEVELS} levels.`,
      hint: 'Compare the deep value with `equals`.',
    })
  for (const entry of entries)
    if ('problem' in entry) reportBadKey(state, entry)
    else if (words.leaf) parseOperator(state, subject, { entry, levels })
    else parseEntry(state, subject, { entry, levels })
}

function addBare(state: ParseState, subject: Subject, node: TreeNode): void {
  const { words } = subject
  const name = words.bare
  const operator = words.find(name) as Operator
  const written = readOperand(node)
  const operand = words.read ? words.read(written) : written
  const wanted = hasTemplate(operand) ? undefined : operator.explainBadOperand(operand)
  if (wanted === undefined) return addCheck(state, subject, { name, operator, operand, at: node.at })
  const isQuoted = typeof operand === 'string' && /^[1-9]\d*$/.test(operand)
  state.report(node.at, {
    code: 'bad-check',
    message: `Expected \`${subject.field}\` to be ${wanted}, got ${showValue(operand)}.`,
    ...(isQuoted && { hint: `Write ${operand} without quotes.` }),
  })
}

/** An entry with its surroundings. */
type Entry = { entry: TreeEntry; levels: number }

/** Parses an entry of a value without fields. */
function parseOperator(state: ParseState, subject: Subject, { entry, levels }: Entry): void {
  const { words } = subject
  const name = showStep(entry.name)
  const operator = words.find(name)
  if (operator) return addOperator(state, subject, { name, operator, node: entry.node, levels })
  const meant = [suggestOperator(name, false), suggestName(name, words.names)].find(
    (one) => one !== undefined && words.names.includes(one),
  )
  state.report(entry.node.at, {
    code: 'unknown-field',
    message: `\`${subject.field}\` has no check \`${name}\`: it is ${words.leaf}.`,
    hint: meant ? `Did you mean \`${meant}\`?` : `Its checks are: ${words.names.join(', ')}.`,
  })
}

function parseEntry(state: ParseState, subject: Subject, { entry, levels }: Entry): void {
  const { name, quoted, node } = entry
  const below = { node, levels: levels - 1 }
  if (typeof name === 'string' && hasTemplate(name)) return reportTemplate(state, node.at, name)
  if (typeof name === 'object' && !checkFilter(state, node.at, name.each)) return
  if (typeof name === 'string' && !quoted) {
    if (name === '$' && subject.field === subject.target)
      return state.report(
        node.at,
        {
          code: 'bad-path',
          message: `\`${subject.field}.$\` is JSONPath: here a path begins at \`${subject.field}\` itself.`,
          hint: 'Leave `$` out. If it is a field of the answer, write `field: {$: …}`.',
        },
        'key',
      )
    if (entry.quotes && isMap(node)) return parseTree(state, subject, { ...below, whole: true })
    const operator = subject.words.find(name)
    if (operator) return addOperator(state, subject, { name, operator, node, levels })
    const meant = suggestOperator(name, isMap(node), readOperand(node))
    if (meant !== undefined)
      return state.report(node.at, {
        code: 'unknown-field',
        message: `Unknown check \`${name}\` of \`${subject.field}\`.`,
        hint: `Did you mean \`${meant}\`? If it is a field of the answer, write \`field: {${name}: …}\`.`,
      })
  }
  const path = [...subject.path, name]
  parseTree(state, { ...subject, path, field: formatFieldPath([name], subject.field) }, below)
}

type OperatorPlace = Place & { name: string; operator: Operator }

/** Adds an operator; where its operand is checks, these are parsed first. */
function addOperator(state: ParseState, subject: Subject, place: OperatorPlace): void {
  const { words } = subject
  const { name, operator, node, levels } = place
  const { at } = node
  const written = readOperand(node)
  if (!operator.nested) {
    const operand = words.read ? words.read(written) : written
    return addCheck(state, subject, { name, operator, operand, at })
  }
  const inner: ParseState = { ...state, checks: [] }
  const field = operator.nested === 'elements' ? `${subject.field}[*]` : subject.field
  const below: Subject = { ...subject, path: [], field }
  if (operator.nested !== 'list') parseTree(inner, below, { node, levels: levels - 1 })
  else if (!Array.isArray(written) || written.length === 0)
    state.report(at, {
      code: 'bad-check',
      message: `Expected the \`${name}\` check of \`${subject.field}\` to have a list of checks, got ${showValue(written)}.`,
      hint: `Start each with a hyphen: \`- {type: string}\`.`,
    })
  else
    for (const [index, operand] of written.entries()) {
      const part: ParseState = { ...state, checks: [] }
      const place = [...at, index]
      parseTree(part, below, { node: { json: operand, at: place }, levels: levels - 1 })
      const allOf = operators['all_of'] as Operator
      if (part.checks.length > 0)
        addCheck(inner, below, { name: 'all_of', operator: allOf, operand, at: place, checks: part.checks })
    }
  if (inner.checks.some((check) => check.operator === 'snapshot'))
    state.report(at, {
      code: 'bad-check',
      message: `\`snapshot\` is not allowed inside \`${name}\` of \`${subject.field}\`.`,
      hint: 'Take one snapshot of the whole value.',
    })
  // None: everything in it was reported.
  if (inner.checks.length > 0)
    addCheck(state, subject, { name, operator, operand: written, at, checks: inner.checks })
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
