import { canonicalText, findCommon, findDifferences, isEqual, type Difference } from '../../compare-json.ts'
import { formatFieldPath } from '../../path/field-path.ts'
import { isNumber, parseDecimal, type Json } from '../../json.ts'
import {
  fail,
  PASSED,
  passWith,
  question,
  wants,
  type Judgement,
  type Operator,
  type Verdict,
} from './operator.ts'
import { isDeeper, isSafeJson } from '../../safe-json.ts'
import { isPartOfHeader } from '../../interpolation/header-names.ts'
import { foldText, previewValue, showLateDifference, showValue, typeOf } from '../../text/show-value.ts'
import { countOf } from '../../text/units.ts'

/** The most differences or errors that a message lists. */
export const MAX_SHOWN = 20

const equals = {
  about: 'The same JSON value; types matter, the order of keys does not.',
  operand: 'any',
  judge(actual, operand, { field, tools, check }) {
    const found = findDifferences(operand, actual, { loose: tools.isLenient, keep: MAX_SHOWN })
    if (found.count === 0) return PASSED
    const isWhole = found.kept[0]?.path.length === 0
    const message = isWhole
      ? `Expected \`${field}\` to equal ${showValue(operand)}, got ${showValue(actual)}${hintType(operand, actual)}${isNumber(actual) ? hintNumber(check.expected, operand) : ''}`
      : `Expected \`${field}\` to equal the given ${typeOf(operand)}; ${listDifferences(field, found)}`
    const diff = canDiff(operand) && canDiff(actual) && { diff: { expected: operand, actual } }
    return { passed: false, message, warning: explainNear({ field }, [operand], actual), ...diff }
  },
} satisfies Operator

/** True if a value is small enough to diff: printers recurse, and diffing takes more than linear time. */
function canDiff(value: Json): boolean {
  return isSafeJson(value, 40_000) && !isDeeper(value, 100)
}

/** Lists the differences, one per line, after their number. */
export function listDifferences(field: string, { count, kept }: ReturnType<typeof findDifferences>): string {
  const lines = kept.map((difference) => `  ${describeDifference(field, difference)}`)
  if (count > lines.length) lines.push(`  … and ${count - lines.length} more`)
  return `${countOf(count, 'difference')}:\n${lines.join('\n')}`
}

function describeDifference(root: string, { path, expected, actual }: Difference): string {
  const wanted = expected === undefined ? 'nothing expected' : `expected ${showValue(expected)}`
  const got = actual === undefined ? 'nothing there' : `got ${showValue(actual)}`
  return `\`${formatFieldPath(path, root)}\`: ${wanted}, ${got}${showLateDifference(expected, actual)}`
}

/** What to write where a variable gives a text and a number is needed, as cells of a CSV file do; else nothing. */
export function hintNumber(written: Json, value: Json): string {
  const [, name] = typeof written === 'string' ? (/^\{\{\s*([\w.]+)\s*\}\}$/.exec(written) ?? []) : []
  return name === undefined || parseDecimal(value) === undefined ? '' : `; write \`{{js: Number(${name})}}\``
}

function hintType(operand: Json, actual: Json): string {
  const common = findCommon(operand, actual)
  if (common !== undefined) return `: same ${common}, different type`
  if (typeof operand === 'string' && /^\/.+\/[a-z]*$/.test(operand))
    return '; for a regular expression, write `pattern` instead of slashes'
  if (typeof operand === 'string' && typeof actual === 'number' && /^[<>]=?\s*[-\d]/.test(operand))
    return '; for a comparison, write `greater_than` or `less_than`'
  return showLateDifference(operand, actual)
}

/**
 * Explains that a value differs from an operand only in types: then a negative check always passes.
 * `partial`: objects may have more fields than the operand.
 */
export function explainNear(
  { field, partial }: { field: string; partial?: boolean },
  operands: readonly Json[],
  actual: Json,
): string | undefined {
  const other = operands.find((operand) => looksAlike(operand, actual))
  if (other !== undefined) return explainLook(field, other as string, actual as string)
  const part = operands.find((operand) => field.startsWith('headers') && isPartOfHeader(operand, actual))
  if (part !== undefined)
    return `The check of \`${field}\` passed only because the whole header was compared: ${showValue(actual)} has ${showValue(part)}. Use \`not_contains\`.`
  const isNear = (operand: Json): boolean =>
    findCommon(operand, actual) !== undefined ||
    isEqual(operand, actual, { partial, loose: true }) ||
    hasItem(operand, actual) ||
    hasItem(actual, operand) ||
    (Array.isArray(actual) && actual.length === operand)
  const near = operands.find(isNear)
  if (near === undefined) return undefined
  const compared = `${showValue(actual)} was compared with ${showValue(near)}`
  const hint =
    Array.isArray(near) !== Array.isArray(actual) ? '. Use `not_in`, `not_contains` or `length`' : ''
  return `The check of \`${field}\` passed only because the types differ: ${compared}${hint}.`
}

/** Explains that a negative check holds because a text differs only in capitals or in what is hard to see. */
export function explainLook(field: string, operand: string, actual: string): string {
  const isCase = actual.toLowerCase().includes(operand.toLowerCase()) && !actual.includes(operand)
  const reason = isCase ? 'upper and lower case' : 'spaces, line ends or characters that look alike'
  return `The check of \`${field}\` passed only because of ${reason}: ${showValue(actual)} was compared with ${showValue(operand)}.`
}

function looksAlike(one: Json, other: Json): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false
  return foldText(one).trim() === foldText(other).trim()
}

function hasItem(list: Json, item: Json): boolean {
  return Array.isArray(list) && list.some((one) => isEqual(item, one))
}

const notEquals = {
  about: 'Not the same JSON value.',
  operand: 'any',
  show: (operand) => `not ${previewValue(operand)}`,
  judge: (actual, operand, { field, tools }) =>
    isEqual(operand, actual, { loose: tools.isLenient })
      ? fail(`Expected \`${field}\` not to equal ${showValue(operand)}, but it does`)
      : passWith(explainNear({ field }, [operand], actual)),
} satisfies Operator

const isIn = question({
  about: 'One of these values.',
  operand: 'list',
  explainBadOperand: refuseList,
  words: (operand) => `to be one of ${previewValue(operand)}`,
  holds: isAmong,
  nearly: ({ field }, operand, actual) => explainNear({ field }, operand as Json[], actual),
})

const isNotIn = question({
  about: 'None of these values.',
  operand: 'list',
  explainBadOperand: refuseList,
  show: (operand) => `none of ${previewValue(operand)}`,
  words: (operand) => `to be none of ${previewValue(operand)}`,
  holds: (actual, operand, judgement) => !isAmong(actual, operand, judgement),
  doubt: (field, operand, actual) => explainNear({ field }, operand as Json[], actual),
})

function isAmong(actual: Json, operand: Json, { tools }: Judgement): boolean {
  return (operand as Json[]).some((item) => isEqual(item, actual, { loose: tools.isLenient }))
}

function refuseList(operand: Json): string | undefined {
  return Array.isArray(operand) && operand.length > 0 ? undefined : 'a list with at least one value'
}

const sameItems = {
  about: 'The same elements in any order.',
  operand: 'list',
  explainBadOperand: wants('a list', Array.isArray),
  takes: ['array'],
  judge: (actual, operand, { field }) => judgeSame(field, 'item', [actual as Json[], operand as Json[]]),
} satisfies Operator

const sameKeys = {
  about: 'The object has these keys and no others, in any order.',
  operand: 'names',
  explainBadOperand: wants(
    'a list of names',
    (operand) => Array.isArray(operand) && operand.every((name) => typeof name === 'string'),
  ),
  takes: ['object'],
  judge: (actual, operand, { field }) =>
    judgeSame(field, 'key', [Object.keys(actual as object), operand as Json[]]),
} satisfies Operator

function judgeSame(field: string, noun: string, [items, wanted]: [items: Json[], wanted: Json[]]): Verdict {
  const [unexpected, missing] = [subtract(items, wanted), subtract(wanted, items)]
  if (missing.length === 0 && unexpected.length === 0) return PASSED
  const parts = Object.entries({ missing, unexpected }).flatMap(([word, list]) =>
    list.length > 0 ? [`${word} ${previewValue(list)}`] : [],
  )
  return fail(
    `Expected \`${field}\` to have the same ${noun}s in any order; ${parts.join('; ')} (expected ${countOf(wanted.length, noun)}, got ${items.length})`,
  )
}

/** Removes an item for each equal one in `others`. Compares canonical texts: comparing pairs is quadratic. */
function subtract(items: readonly Json[], others: readonly Json[]): Json[] {
  const left = new Map<string, number>()
  for (const text of others.map(canonicalText)) left.set(text, (left.get(text) ?? 0) + 1)
  return items.filter((item) => {
    const text = canonicalText(item)
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count <= 0
  })
}

/** Operators that compare whole values. */
export const equalityOperators = {
  equals,
  not_equals: notEquals,
  in: isIn,
  not_in: isNotIn,
  same_items: sameItems,
  same_keys: sameKeys,
} satisfies Record<string, Operator>
