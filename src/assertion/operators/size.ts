import { measureLength } from '../../compare-json.ts'
import { isNumber, isJsonObject, type Json } from '../../json.ts'
import { equalityOperators } from './equality.ts'
import { fieldLikeNames } from './other-names.ts'
import { ANY_TYPE, blame, fail, PASSED, question, wants, wantsFlag, type Operator } from './operator.ts'
import { orderOperators, rangeOperators, type Order } from './order.ts'
import { previewValue, showValue } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'

/** What a count has to be, when an operand is not one. */
export const refuseCount = wants(
  'a non-negative integer',
  (operand) => Number.isInteger(operand) && (operand as number) >= 0,
)

function boundOperator({ words, sign, holds }: Order) {
  return question({
    about: `${words[0]?.toUpperCase()}${words.slice(1)} as many characters, elements or fields.`,
    operand: 'count',
    explainBadOperand: refuseCount,
    takes: ['string', 'array', 'object'],
    measure: measureLength,
    show: (operand) => `${sign} ${previewValue(operand)}`,
    words: (operand) => `to have a length of ${words} ${previewValue(operand)}`,
    got: showLength,
    holds: (actual, operand) => holds(measureLength(actual), operand as number),
  })
}

function showLength(actual: Json): string {
  return `${measureLength(actual)}: ${showValue(actual)}`
}

const minLength = boundOperator({ words: 'at least', sign: '>=', holds: (count, bound) => count >= bound })
const maxLength = boundOperator({ words: 'at most', sign: '<=', holds: (count, bound) => count <= bound })

const { equals, not_equals, in: isIn, not_in } = equalityOperators
/** Checks on how many there are. */
export const onLength: Readonly<Record<string, Operator>> = {
  equals,
  not_equals,
  in: isIn,
  not_in,
  between: rangeOperators.between,
  ...orderOperators,
}

const length = {
  about: 'Exactly as many characters, elements or fields, or number checks.',
  operand: 'length',
  explainBadOperand: refuseLength,
  takes: ['string', 'array', 'object'],
  measure: measureLength,
  judge(actual, operand, judgement) {
    const count = measureLength(actual)
    if (count === operand) return PASSED
    if (!isJsonObject(operand))
      return fail(
        `Expected \`${judgement.field}\` to have a length of ${previewValue(operand)}, got ${showLength(actual)}`,
      )
    const inner = { ...judgement, field: `${judgement.field}.length` }
    const verdicts = Object.entries(operand).map(([name, nested]) =>
      onLength[name]?.judge(count, nested, inner),
    )
    return verdicts.find((verdict) => verdict?.passed === false) ?? PASSED
  },
} satisfies Operator

function refuseLength(operand: Json): string | undefined {
  if (!isJsonObject(operand) || Object.keys(operand).length === 0)
    return refuseCount(operand) && 'a non-negative integer or a map of number checks'
  for (const [name, nested] of Object.entries(operand)) {
    if (!Object.hasOwn(onLength, name))
      return `number checks only; \`${name}\` is none${didYouMean(name, Object.keys(onLength), fieldLikeNames)}`
    const wanted = onLength[name]?.explainBadOperand(nested) ?? [nested].flat().map(refuseCount).find(Boolean)
    if (wanted !== undefined) return `${wanted} for \`${name}\``
  }
  return undefined
}

const notEmpty = {
  about: 'true: neither null nor empty; false: null or empty.',
  operand: 'flag',
  explainBadOperand: wantsFlag,
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
