import type { Json } from '../../json.ts'
import { fail, PASSED, type Operator } from './operator.ts'
import { previewValue, showValue } from '../../text/show-value.ts'

/** Operators that compare numbers. */
export const orderOperators = {
  greater_than: orderOperator({ sign: '>', words: 'greater than', holds: (a, b) => a > b }),
  greater_than_or_equal: orderOperator({ sign: '>=', words: 'at least', holds: (a, b) => a >= b }),
  less_than: orderOperator({ sign: '<', words: 'less than', holds: (a, b) => a < b }),
  less_than_or_equal: orderOperator({ sign: '<=', words: 'at most', holds: (a, b) => a <= b }),
} satisfies Record<string, Operator>

function orderOperator(order: {
  sign: string
  words: string
  holds: (actual: number, operand: number) => boolean
}): Operator {
  return {
    refuse: (operand: Json) => (Number.isFinite(operand) ? undefined : 'a number'),
    takes: ['number'],
    show: (operand) => `${order.sign} ${previewValue(operand)}`,
    judge: (actual, operand, { field }) =>
      order.holds(actual as number, operand as number)
        ? PASSED
        : fail(
            `Expected \`${field}\` to be ${order.words} ${previewValue(operand)}, got ${showValue(actual)}`,
          ),
  }
}
