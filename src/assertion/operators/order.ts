import { hasTemplate } from '../../interpolation/template.ts'
import { isJsonObject, isNumber, type Json } from '../../json.ts'
import { previewValue, showValue } from '../../text/show-value.ts'
import { blame, explainKeys, fail, PASSED, type Operator } from './operator.ts'

/** Operators that compare numbers. */
export const orderOperators = {
  greater_than: orderOperator({ sign: '>', words: 'greater than', holds: (a, b) => a > b }),
  greater_than_or_equal: orderOperator({ sign: '>=', words: 'at least', holds: (a, b) => a >= b }),
  less_than: orderOperator({ sign: '<', words: 'less than', holds: (a, b) => a < b }),
  less_than_or_equal: orderOperator({ sign: '<=', words: 'at most', holds: (a, b) => a <= b }),
} satisfies Record<string, Operator>

/** How a number is compared with an operand, as a sign and in words. */
export type Order = { sign: string; words: string; holds: (actual: number, operand: number) => boolean }

function orderOperator({ sign, words, holds }: Order) {
  return {
    about: `The number is ${words} this one.`,
    operand: 'number',
    explainBadOperand: (operand) => (isNumber(operand) ? undefined : 'a number'),
    takes: ['number'],
    show: (operand) => `${sign} ${previewValue(operand)}`,
    judge: (actual, operand, { field }) =>
      holds(actual as number, operand as number)
        ? PASSED
        : fail(`Expected \`${field}\` to be ${words} ${previewValue(operand)}, got ${showValue(actual)}`),
  } satisfies Operator
}

const between = {
  about: 'The number is within `[least, most]`, both included: `between: [1, 5]`.',
  operand: 'range',
  explainBadOperand(operand) {
    if (!Array.isArray(operand) || operand.length !== 2 || !operand.every(isUsable))
      return 'two numbers `[least, most]`'
    const [least, most] = operand
    return isNumber(least) && isNumber(most) && least > most
      ? 'two numbers `[least, most]`, the smaller one first'
      : undefined
  },
  takes: ['number'],
  show: (operand) => `between ${(operand as Json[]).map(previewValue).join(' and ')}`,
  judge(actual, operand, { field }) {
    const [least, most] = operand as [Json, Json]
    const other = [least, most].find((bound) => !isNumber(bound))
    if (other !== undefined)
      return blame(
        'operand',
        `The \`between\` check of \`${field}\` needs two numbers, got ${showValue(other)}`,
      )
    if ((actual as number) >= (least as number) && (actual as number) <= (most as number)) return PASSED
    return fail(
      `Expected \`${field}\` to be between ${previewValue(least)} and ${previewValue(most)}, got ${showValue(actual)}`,
    )
  },
} satisfies Operator

function isUsable(value: Json | undefined): boolean {
  return isNumber(value) || hasTemplate(value)
}

const closeTo = {
  about: 'The number is at most `delta` away from `value`: `close_to: {value: 10, delta: 0.1}`.',
  operand: 'closeness',
  explainBadOperand(operand) {
    if (!isJsonObject(operand)) return '`{value: number, delta: number}`'
    const wrong = explainKeys(operand, ['value', 'delta'])
    if (wrong !== undefined) return wrong
    const { value, delta } = operand
    if (!isUsable(value) || !isUsable(delta)) return '`{value: number, delta: number}`'
    return isNumber(delta) && delta < 0 ? 'a `delta` that is not negative' : undefined
  },
  takes: ['number'],
  show: (operand) => `${previewValue((operand as Near).value)} ± ${previewValue((operand as Near).delta)}`,
  judge(actual, operand, { field }) {
    const { value, delta } = operand as Near
    if (!isNumber(value) || !isNumber(delta))
      return blame(
        'operand',
        `The \`close_to\` check of \`${field}\` needs numbers, got ${previewValue(operand)}`,
      )
    const apart = measureApart(actual, value)
    // A double is exact to about sixteen digits: `0.3` is within 0.1 of `0.2`.
    const away = Math.abs(Number(actual) - Number(value))
    const largest = Math.max(Math.abs(Number(actual)), Math.abs(Number(value)), Number(delta))
    const isNear = apart === undefined ? away <= Number(delta) + largest * Number.EPSILON * 4 : apart <= delta
    if (isNear) return PASSED
    return fail(
      `Expected \`${field}\` to be at most ${delta} away from ${value}, got ${showValue(actual)}, which is ${apart ?? Number(away.toPrecision(12))} away`,
    )
  },
} satisfies Operator

/** How far two integers are from each other, one of which no double holds. */
function measureApart(one: Json, other: Json): bigint | undefined {
  const hasLarge = typeof one === 'bigint' || typeof other === 'bigint'
  if (!hasLarge || !isInteger(one) || !isInteger(other)) return undefined
  const apart = BigInt(one) - BigInt(other)
  return apart < 0n ? -apart : apart
}

function isInteger(value: Json): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

type Near = { value: Json; delta: Json }

/** Operators that ask whether a number is near. */
export const rangeOperators = { between, close_to: closeTo } satisfies Record<string, Operator>
