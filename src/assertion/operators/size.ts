import { hasTemplate } from '../../interpolation/template.ts'
import { measureLength } from '../../compare-json.ts'
import { isNumber, isJsonObject, type Json } from '../../json.ts'
import { equalityOperators } from './equality.ts'
import { ANY_TYPE, blame, fail, PASSED, type Operator } from './operator.ts'
import { orderOperators, rangeOperators, type Order } from './order.ts'
import { previewValue, showValue, type JsonType } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'

const SIZED: readonly JsonType[] = ['string', 'array', 'object']

/** What a count has to be, when an operand is not one. */
export function refuseCount(operand: Json): string | undefined {
  return Number.isInteger(operand) && (operand as number) >= 0 ? undefined : 'a non-negative integer'
}

function boundOperator({ words, sign, holds }: Order) {
  return {
    about: `${words[0]?.toUpperCase()}${words.slice(1)} as many characters, elements or fields.`,
    operand: 'count',
    explainBadOperand: refuseCount,
    takes: SIZED,
    measure: measureLength,
    show: (operand) => `${sign} ${previewValue(operand)}`,
    judge: (actual, operand, { field }) =>
      holds(measureLength(actual), operand as number)
        ? PASSED
        : fail(
            `Expected \`${field}\` to have a length of ${words} ${previewValue(operand)}, got ${measureLength(actual)}: ${showValue(actual)}`,
          ),
  } satisfies Operator
}

const minLength = boundOperator({ words: 'at least', sign: '>=', holds: (count, bound) => count >= bound })
const maxLength = boundOperator({ words: 'at most', sign: '<=', holds: (count, bound) => count <= bound })

const { equals, not_equals, in: isIn, not_in } = equalityOperators
const lists = { in: isIn, not_in, between: rangeOperators.between }
/** Checks on how many there are. */
export const onLength: Record<string, Operator> = { equals, not_equals, ...lists, ...orderOperators }

const OTHER_NAMES = {
  gt: 'greater_than',
  gte: 'greater_than_or_equal',
  min: 'greater_than_or_equal',
  lt: 'less_than',
  lte: 'less_than_or_equal',
  max: 'less_than_or_equal',
}

const length = {
  about: 'Exactly as many characters, elements or fields, or number checks.',
  operand: 'length',
  explainBadOperand: refuseLength,
  takes: SIZED,
  measure: measureLength,
  judge(actual, operand, judgement) {
    const count = measureLength(actual)
    if (!isJsonObject(operand)) {
      if (count === operand) return PASSED
      return fail(
        `Expected \`${judgement.field}\` to have a length of ${previewValue(operand)}, got ${count}: ${showValue(actual)}`,
      )
    }
    for (const [name, nested] of Object.entries(operand)) {
      const verdict = (onLength[name] as Operator).judge(count, nested, {
        ...judgement,
        field: `${judgement.field}.length`,
      })
      if (!verdict.passed) return verdict
    }
    return PASSED
  },
} satisfies Operator

function refuseLength(operand: Json): string | undefined {
  if (!isJsonObject(operand))
    return refuseCount(operand) && 'a non-negative integer or a map of number checks'
  const entries = Object.entries(operand)
  if (entries.length === 0)
    return 'a non-negative integer or a map of number checks (an empty map checks nothing)'
  for (const [name, nested] of entries) {
    if (!Object.hasOwn(onLength, name))
      return `number checks only; \`${name}\` is none${didYouMean(name, Object.keys(onLength), OTHER_NAMES)}`
    const wanted = Object.hasOwn(lists, name) && onLength[name]?.explainBadOperand(nested)
    if (wanted) return `${wanted} for \`${name}\``
    const values = Object.hasOwn(lists, name) ? (nested as Json[]) : [nested]
    const bad = values.find((value) => refuseCount(value) && !hasTemplate(value))
    if (bad !== undefined) return `non-negative integers only; \`${name}\` has ${showValue(bad)}`
  }
  return undefined
}

const notEmpty = {
  about: 'true: neither null nor empty; false: null or empty.',
  operand: 'flag',
  explainBadOperand: (operand) => (typeof operand === 'boolean' ? undefined : '`true` or `false`'),
  takes: ANY_TYPE,
  judge(actual, operand, { field, tools }) {
    if (isNumber(actual) || typeof actual === 'boolean')
      return tools.isLoose && operand === true
        ? PASSED
        : blame(
            'value',
            `The \`notEmpty\` check of \`${field}\` works on string, array, object or null, got ${showValue(actual)}`,
          )
    const filled = actual !== null && measureLength(actual) > 0
    if (filled === operand) return PASSED
    return fail(`Expected \`${field}\` ${operand ? 'not to be' : 'to be'} empty, got ${showValue(actual)}`)
  },
} satisfies Operator

/** Operators on how much there is. */
export const sizeOperators = { minLength, maxLength, length, notEmpty } satisfies Record<string, Operator>
