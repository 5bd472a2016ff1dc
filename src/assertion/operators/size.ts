import { measureLength } from '../../compare-json.ts'
import { isNumber, isJsonObject, type Json } from '../../json.ts'
import { blameCheck, fail, PASSED, question, wants, wantsFlag, type Operator } from './operator.ts'
import type { Order } from './order.ts'
import { previewValue, showValue } from '../../text/show-value.ts'

/** Says what is expected if the operand is not a count; else undefined. */
export const refuseCount = wants(
  'a non-negative integer',
  (operand) => Number.isInteger(operand) && (operand as number) >= 0,
)

function boundOperator({ words, sign, holds }: Order) {
  return question({
    about: `${words[0]?.toUpperCase()}${words.slice(1)} this many characters, elements or fields.`,
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

const length = {
  about: 'Exactly this many characters, elements or fields, or number checks.',
  operand: 'length',
  explainBadOperand: (operand) =>
    isJsonObject(operand)
      ? undefined
      : refuseCount(operand) && 'a non-negative integer or a map of number checks',
  takes: ['string', 'array', 'object'],
  nested: 'count',
  measure: measureLength,
  judge(actual, operand, { check, field, judgeNested }) {
    const count = measureLength(actual)
    const verdicts = check.checks?.map((nested) => judgeNested(nested, count, `${field}.length`))
    if (verdicts)
      return verdicts.find(({ passed }) => !passed) ?? verdicts.find(({ warning }) => warning) ?? PASSED
    if (count === operand) return PASSED
    return fail(
      `Expected \`${field}\` to have a length of ${previewValue(operand)}, got ${showLength(actual)}`,
    )
  },
} satisfies Operator

const notEmpty = {
  about: '`true`: neither null nor empty; `false`: null or empty.',
  operand: 'flag',
  explainBadOperand: wantsFlag,
  judge(actual, operand, judgement) {
    if (isNumber(actual) || typeof actual === 'boolean')
      return judgement.tools.isLenient && operand === true
        ? PASSED
        : blameCheck('value', judgement, `works on string, array, object or null, got ${showValue(actual)}`)
    const filled = actual !== null && measureLength(actual) > 0
    if (filled === operand) return PASSED
    const { field } = judgement
    return fail(`Expected \`${field}\` ${operand ? 'not to be' : 'to be'} empty, got ${showValue(actual)}`)
  },
} satisfies Operator

/** Operators for the size of a value. */
export const sizeOperators = { minLength, maxLength, length, notEmpty } satisfies Record<string, Operator>
