import { canDiff, canonicalText, findDifferences, isEqual, type Difference } from '../../compare-json.ts'
import { formatFieldPath, hintList } from '../../path/field-path.ts'
import { isNumber, type Json } from '../../json.ts'
import { ANY_TYPE, fail, PASSED, passWith, type Judgement, type Operator, type Verdict } from './operator.ts'
import { previewValue, showValue, typeOf } from '../../text/show-value.ts'

const MAX_SHOWN = 20

const equals = {
  about: 'Same JSON value; key order does not matter, types do.',
  operand: 'any',
  explainBadOperand: () => undefined,
  takes: ANY_TYPE,
  judge(actual, operand, { field, tools }) {
    const found = findDifferences(operand, actual, { loose: tools.isLoose === true, keep: MAX_SHOWN })
    if (found.count === 0) return PASSED
    const near = explainNear(field, [operand], actual)
    return {
      passed: false,
      message: describeInequality({ field, operand, actual, found }),
      near,
      ...(canDiff(operand) && canDiff(actual) && { diff: { expected: operand, actual } }),
    }
  },
} satisfies Operator

function describeInequality(input: {
  field: string
  operand: Json
  actual: Json
  found: ReturnType<typeof findDifferences>
}): string {
  const { field, operand, actual, found } = input
  const first = found.kept[0]
  if (first === undefined || (found.count === 1 && first.path.length === 0))
    return `Expected \`${field}\` to equal ${showValue(operand)}, got ${showValue(actual)}${hintType(field, operand, actual)}`
  const lines = found.kept.map((difference) => `  ${describeDifference(field, difference)}`)
  if (found.count > lines.length) lines.push(`  … and ${found.count - lines.length} more`)
  const count = found.count === 1 ? '1 difference' : `${found.count} differences`
  return `Expected \`${field}\` to equal the given ${typeOf(operand)}; ${count}:\n${lines.join('\n')}`
}

function describeDifference(root: string, { path, expected, actual }: Difference): string {
  const place = `\`${formatFieldPath(path, root)}\``
  if (actual === undefined) return `${place}: expected ${showValue(expected as Json)}, nothing there`
  if (expected === undefined) return `${place}: nothing expected, got ${showValue(actual)}`
  return `${place}: expected ${showValue(expected)}, got ${showValue(actual)}`
}

function hintType(field: string, operand: Json, actual: Json): string {
  const hint = hintList(field, actual)
  if (hint === '' && Array.isArray(actual) && isNumber(operand))
    return `; its length is ${actual.length}: for that write \`length: ${operand}\``
  return isSameText(operand, actual) ? ': same text, different type' : hint
}

function isSameText(operand: Json, actual: Json): boolean {
  return typeof operand !== 'object' && typeof actual !== 'object' && String(operand) === String(actual)
}

/** Says that a value is none of these only because its type is another one: a check that asks for that holds whatever comes. */
export function explainNear(field: string, operands: readonly Json[], actual: Json): string | undefined {
  const say = (why: string): string => `Only the types make a difference at \`${field}\`: ${why}.`
  for (const operand of operands) {
    if (isSameText(operand, actual))
      return say(`${showValue(actual)} and ${showValue(operand)} are the same text`)
    if (Array.isArray(actual) && !Array.isArray(operand) && actual.some((item) => isEqual(operand, item)))
      return say(`the list as a whole was compared, and has ${showValue(operand)}. Ask with \`not_contains\``)
    if (Array.isArray(operand) && !Array.isArray(actual) && operand.some((item) => isEqual(item, actual)))
      return say(`it was compared with a list as a whole, which has it. Ask with \`not_in\``)
  }
  return undefined
}

const notEquals = {
  about: 'Not the same JSON value.',
  operand: 'any',
  explainBadOperand: () => undefined,
  takes: ANY_TYPE,
  negative: true,
  show: (operand) => `not ${previewValue(operand)}`,
  judge: (actual, operand, { field, tools }) =>
    isEqual(operand, actual, { loose: tools.isLoose })
      ? fail(`Expected \`${field}\` not to equal ${showValue(operand)}, but it does`)
      : passWith(explainNear(field, [operand], actual)),
} satisfies Operator

const isIn = {
  about: 'One of these values.',
  operand: 'list',
  explainBadOperand: refuseList,
  takes: ANY_TYPE,
  judge: (actual, operand, judgement) =>
    isAmong(actual, operand, judgement)
      ? PASSED
      : fail(
          `Expected \`${judgement.field}\` to be one of ${previewValue(operand)}, got ${showValue(actual)}`,
        ),
} satisfies Operator

const isNotIn = {
  about: 'None of these values.',
  operand: 'list',
  explainBadOperand: refuseList,
  takes: ANY_TYPE,
  negative: true,
  show: (operand) => `none of ${previewValue(operand)}`,
  judge: (actual, operand, judgement) =>
    isAmong(actual, operand, judgement)
      ? fail(
          `Expected \`${judgement.field}\` to be none of ${previewValue(operand)}, got ${showValue(actual)}`,
        )
      : passWith(explainNear(judgement.field, operand as Json[], actual)),
} satisfies Operator

function isAmong(actual: Json, operand: Json, { tools }: Judgement): boolean {
  return (operand as Json[]).some((item) => isEqual(item, actual, { loose: tools.isLoose }))
}

/** Wants a list with at least one value. */
function refuseList(operand: Json): string | undefined {
  return Array.isArray(operand) && operand.length > 0 ? undefined : 'a list with at least one value'
}

const sameItems = {
  about: 'The same elements in any order.',
  operand: 'list',
  explainBadOperand: (operand) => (Array.isArray(operand) ? undefined : 'a list'),
  takes: ['array'],
  judge: (actual, operand, judgement) => compareItems(actual as Json[], operand as Json[], judgement),
} satisfies Operator

// Counts equal items by their canonical text: linear, where pairwise comparison would be quadratic.
function compareItems(actual: Json[], expected: Json[], { field, tools }: Judgement): Verdict {
  const keyOf = (item: Json): string =>
    tools.isLoose && typeof item !== 'object' ? JSON.stringify(String(item)) : canonicalText(item)
  const left = new Map<string, number>()
  for (const item of expected) left.set(keyOf(item), (left.get(keyOf(item)) ?? 0) + 1)
  const take = (item: Json): boolean => {
    const count = left.get(keyOf(item)) ?? 0
    if (count > 0) left.set(keyOf(item), count - 1)
    return count > 0
  }
  const unexpected = actual.filter((item) => !take(item))
  const missing = expected.filter(take)
  if (missing.length === 0 && unexpected.length === 0) return PASSED
  const parts = [
    missing.length > 0 ? `missing ${previewValue(missing)}` : '',
    unexpected.length > 0 ? `unexpected ${previewValue(unexpected)}` : '',
  ].filter(Boolean)
  return fail(
    `Expected \`${field}\` to have the same items in any order; ${parts.join('; ')} (${expected.length} expected, ${actual.length} there)`,
  )
}

/** Operators that compare whole values. */
export const equalityOperators = {
  equals,
  not_equals: notEquals,
  in: isIn,
  not_in: isNotIn,
  same_items: sameItems,
} satisfies Record<string, Operator>
