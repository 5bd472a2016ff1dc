import { hasTemplate } from '../../interpolation/template.ts'
import type { ProblemText } from '../../errors.ts'
import { compilePath } from '../../path/compile-path.ts'
import { describePathError } from '../../path/scan-path.ts'
import { showValue } from '../../text/show-value.ts'
import { findTypo, plainName, suggestName } from '../../text/suggest.ts'
import { flattenChecks } from '../check.ts'
import type { Operator } from '../operators/operator.ts'
import { isEmptyMap, isMapNode, listNodeEntries, toOperand } from './assertion-tree.ts'
import type { TreeEntry, TreeNode } from './assertion-tree.ts'
import { formatFieldPath, showPathStep } from '../../path/field-path.ts'
import { operatorNames, operators, userOperatorNames } from '../operators/operators.ts'
import { otherNames } from '../operators/other-names.ts'
import { addCheck, refuseTemplate, type ParseState, type Subject } from './add-check.ts'
import { lengthWords } from './vocabularies.ts'
import { rememberTexts } from '../../remember.ts'
import { isTypeName } from '../operators/type.ts'
import type { Json } from '../../json.ts'

/**
 * Parses a tree of checks on a value. A key of a map is an operator if an operator has that name, else a
 * field (or flat path) with checks of its own, if the value may have fields. Names below `field:` and in
 * `["…"]` are always fields. A scalar or list stands for an operator, mostly `equals`.
 */
export function parseChecks(state: ParseState, subject: Subject, node: TreeNode): void {
  if (!isMapNode(node)) return addBare(state, subject, node)
  if (isEmptyMap(node))
    return state.report(node.at, {
      message: `\`${subject.field}\` is an empty map, which checks nothing.`,
      hint: `Write ${subject.words.example}.`,
    })
  const { leaf } = subject.words
  for (const entry of listNodeEntries(state, { whole: leaf !== undefined, ...node }))
    if (leaf) parseOperator(state, subject, entry)
    else parseEntry(state, subject, entry)
}

function addBare(state: ParseState, subject: Subject, { at, json }: TreeNode): void {
  const { bare, find } = subject.words
  const name = bare(json)
  addCheck(state, subject, { name, operator: find(name) as Operator, operand: json, at, isBare: true })
}

function parseOperator(state: ParseState, subject: Subject, entry: TreeEntry): void {
  const { words } = subject
  const name = showPathStep(entry.name)
  const operator = words.find(name)
  if (operator) return addOperator(state, subject, { name, operator, node: entry.node })
  const names = Object.keys(operators).filter((known) => words.find(known))
  const meant = [suggestOperator(name, false), suggestName(name, names)]
  const known = meant.find((one) => one !== undefined && names.includes(one.replace(/:.*/, '')))
  state.report(entry.node.at, {
    code: 'unknown-field',
    message: `\`${subject.field}\` has no check \`${name}\`: it is ${words.leaf}.`,
    hint: known ? `Did you mean \`${known}\`?` : `Its checks are: ${names.join(', ')}.`,
  })
}

function parseEntry(state: ParseState, subject: Subject, { name, quoted, quotes, node }: TreeEntry): void {
  if (typeof name === 'string' && hasTemplate(name)) return state.report(node.at, refuseTemplate(name))
  const problem = typeof name === 'object' && name.each !== '' && explainBadFilter(`[?${name.each}]`)
  if (problem) return state.report(node.at, problem)
  if (typeof name === 'string' && !quoted) {
    if (name === '*' || (name === '$' && subject.field === subject.target)) {
      const message = `\`${subject.field}.${name}\` is JSONPath syntax.`
      const hint = `A path starts at \`${subject.target}\`, without \`$\`; write \`[*]\` for the elements of a list. For the values of a map, write a condition with \`Object.values(…)\` in \`custom\`. For a field, write \`field: {'${name}': …}\`.`
      return state.report(node.at, { code: 'bad-path', message, hint }, 'key')
    }
    if (quotes && isMapNode(node)) return parseChecks(state, subject, { ...node, whole: true })
    const operator = subject.words.find(name)
    if (operator) return addOperator(state, subject, { name, operator, node })
    const meant = suggestOperator(name, isMapNode(node), node.json)
    if (meant !== undefined)
      return state.report(node.at, {
        code: 'unknown-field',
        message: `Unknown check \`${name}\` for \`${subject.field}\`.`,
        hint: `Did you mean \`${meant}\`? If \`${name}\` is a field of the response, write \`field: {${name}: …}\`.`,
      })
  }
  const path = [...subject.path, name]
  parseChecks(state, { ...subject, path, field: formatFieldPath([name], subject.field) }, node)
}

function addOperator(
  state: ParseState,
  subject: Subject,
  { name, operator, node }: { name: string; operator: Operator; node: TreeNode },
): void {
  const { at } = node
  const written = toOperand(node)
  if (!operator.nested || (operator.nested === 'count' && !isMapNode(node)))
    return addCheck(state, subject, { name, operator, operand: written, at })
  const inner: ParseState = { ...state, checks: [] }
  const field = operator.nested === 'elements' ? `${subject.field}[*]` : subject.field
  // A length is a number, whatever it measures.
  const below: Subject =
    operator.nested === 'count'
      ? { target: 'body', path: [], field: `${field}.length`, words: lengthWords }
      : { ...subject, path: [], field }
  if (operator.nested !== 'list') parseChecks(inner, below, node)
  else if (Array.isArray(written) && written.length > 0)
    for (const [index, operand] of written.entries()) {
      const part: ParseState = { ...state, checks: [] }
      const place = [...at, index]
      parseChecks(part, below, { json: operand, at: place, below: [] })
      const allOf = operators['all_of'] as Operator
      if (part.checks.length > 0)
        addCheck(inner, below, { name: 'all_of', operator: allOf, operand, at: place, checks: part.checks })
    }
  else
    state.report(at, {
      message: `Expected the \`${name}\` check of \`${subject.field}\` to have a list of checks, got ${showValue(written)}.`,
      hint: `Start each with a hyphen: \`- {type: string}\`.`,
    })
  const isWhole = operator.nested !== 'elements'
  const stray = flattenChecks(inner.checks).find(
    ({ operator: one, path }) =>
      one === 'snapshot' || (isWhole && path.length === 0 && /^(?:exists|optional)$/.test(one)),
  )
  if (stray)
    state.report(at, {
      message: `\`${stray.operator}\` is not allowed inside \`${name}\` of \`${subject.field}\`.`,
      hint: `Write \`optional: true\` beside \`${name}\` if the value may be missing, \`exists: false\` alone if it must be, or one \`snapshot\` of all.`,
    })
  // Without checks, everything in the operand has been reported.
  if (inner.checks.length > 0)
    addCheck(state, subject, { name, operator, operand: written, at, checks: inner.checks })
}

function explainBadFilter(filter: string): ProblemText | undefined {
  const compiled = compilePath(filter)
  if ('message' in compiled) return describePathError(filter, 'filter', compiled)
  const [root] = compiled.rootPaths.find(([first]) => typeof first === 'string') ?? []
  if (root === undefined) return undefined
  return {
    code: 'bad-path',
    message: `\`${filter}\` reads \`$.${root}\`, but in a check \`$\` is the list itself.`,
    hint: 'Write a `custom` check: it can read the whole response and the variables.',
  }
}

/** The operator that an author meant by a misspelt name (5 letters or more), or by a name of another tool. */
function suggestOperator(name: string, hasMap: boolean, operand?: Json): string | undefined {
  const plain = plainName(name)
  // `typ` may well be a field, but hardly one that equals `string`. `format` is from JSON Schema.
  if (isTypeName(operand) && (plain === 'format' || findTypo(name, ['type'], 3))) return 'type'
  const other = hasMap || !Object.hasOwn(otherNames, plain) ? undefined : otherNames[plain]
  if (other !== undefined) return operand === false ? invert(other) : other
  // `scheme` is one letter away from `schema`, but likely a field.
  return plain === 'scheme' ? undefined : findLike(name) || findSlip(name, userOperatorNames)
}

/** The opposite of a check with an operand, which `is_null: false` asks for. */
function invert(check: string): string {
  return check
    .replace(/^(not_)?(?=(?:equals|in): )/, (not) => (not === '' ? 'not_' : ''))
    .replace(/^type: .*/, 'not: {$&}')
    .replace(/true$|false$/, (flag) => String(flag === 'false'))
}

// Cached, because every field of every check comes here.
const findLike = rememberTexts(1000, (name) => findSlip(name, operatorNames) ?? '')

/** The operator that a name misspells. A missing `s` (`not_equal`) is a slip, but `patterns` is a field. */
function findSlip(name: string, known: readonly string[]): string | undefined {
  const plain = plainName(name)
  return known.find((operator) => {
    const other = plainName(operator)
    return plain === other || (operator.length > 4 && (`${plain}s` === other || findTypo(name, [operator])))
  })
}
