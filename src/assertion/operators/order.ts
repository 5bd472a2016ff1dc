import { isInteger, isNumber, type Json } from '../../json.ts'
import { previewValue, showValue } from '../../text/show-value.ts'
import { question, wantsMap, wantsNumber, type Operator } from './operator.ts'

/** A comparison of a number with an operand, as a sign and in words. */
export type Order = { sign: string; words: string; holds: (actual: number, operand: number) => boolean }

/** Operators that compare numbers. `status_code` has them, too. */
export const orderOperators = {
  greater_than: orderOperator({ sign: '>', words: 'greater than', holds: (a, b) => a > b }),
  greater_than_or_equal: orderOperator({ sign: '>=', words: 'at least', holds: (a, b) => a >= b }),
  less_than: orderOperator({ sign: '<', words: 'less than', holds: (a, b) => a < b }),
  less_than_or_equal: orderOperator({ sign: '<=', words: 'at most', holds: (a, b) => a <= b }),
} satisfies Record<string, Operator>

function orderOperator({ sign, words, holds }: Order) {
  return question({
    about: `The number is ${words} this one.`,
    operand: 'number',
    explainBadOperand: wantsNumber,
    takes: ['number'],
    show: (operand) => `${sign} ${previewValue(operand)}`,
    words: (operand) => `to be ${words} ${previewValue(operand)}`,
    holds: (actual, operand) => holds(actual as number, operand as number),
  })
}

const between = question({
  about: 'The number is within `[least, most]`, both included: `between: [200, 299]`.',
  operand: 'range',
  explainBadOperand(operand) {
    const [least, most] = Array.isArray(operand) && operand.length === 2 ? operand : []
    if (!isNumber(least) || !isNumber(most)) return 'two numbers `[least, most]`'
    return least > most ? 'two numbers `[least, most]`, the smaller one first' : undefined
  },
  takes: ['number'],
  show: (operand) => `between ${(operand as Json[]).map(previewValue).join(' and ')}`,
  words: (operand) => `to be between ${(operand as Json[]).map(previewValue).join(' and ')}`,
  holds: (actual, operand) => {
    const [least, most] = operand as [number, number]
    return (actual as number) >= least && (actual as number) <= most
  },
})

type Near = { value: number | bigint; delta: number | bigint }

const closeTo = question({
  about: 'The number is at most `delta` away from `value`: `close_to: {value: 10, delta: 0.1}`.',
  operand: 'closeness',
  explainBadOperand: wantsMap('`{value: number, delta: number}`', ['value', 'delta'], ({ value, delta }) => {
    if (!isNumber(value) || !isNumber(delta)) return '`{value: number, delta: number}`'
    return delta < 0 ? 'a non-negative `delta`' : undefined
  }),
  takes: ['number'],
  show: (operand) => `${(operand as Near).value} ± ${(operand as Near).delta}`,
  words: (operand) => `to be at most ${(operand as Near).delta} away from ${(operand as Near).value}`,
  got: (actual, operand) =>
    `${showValue(actual)}, which is ${measureApart(actual as number, operand as Near)} away`,
  holds: (actual, operand) => measureApart(actual as number, operand as Near) <= (operand as Near).delta,
})

function measureApart(one: number | bigint, { value, delta }: Near): number | bigint {
  if (isInteger(one) && isInteger(value)) {
    const apart = BigInt(one) - BigInt(value)
    return apart < 0n ? -apart : apart
  }
  const [target, most] = [Number(value), Number(delta)]
  // A double is exact to about sixteen digits: `0.3` has to count as within 0.1 of `0.2`.
  const noise = Math.max(Math.abs(target), most) * Number.EPSILON * 4
  const apart = Math.abs(Number(one) - target)
  return apart <= most + noise ? Math.min(apart, most) : Number(apart.toPrecision(12))
}

/** Operators for ranges of numbers. */
export const rangeOperators = { between, close_to: closeTo } satisfies Record<string, Operator>
