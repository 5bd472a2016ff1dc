import type { Json } from '../../json.ts'
import { parseDuration } from '../../text/units.ts'
import { equalityOperators } from '../operators/equality.ts'
import type { Operator } from '../operators/operator.ts'
import { orderOperators, rangeOperators } from '../operators/order.ts'
import { refuseCount } from '../operators/size.ts'
import { statusOperators } from '../operators/status.ts'
import type { Leaf } from './parse-leaf.ts'

const counted: Readonly<Record<string, Operator>> = {
  equals: { ...equalityOperators.equals, explainBadOperand: refuseCount },
  not_equals: { ...equalityOperators.not_equals, explainBadOperand: refuseCount },
}

/** A status: an integer, a class such as `2xx`, or operators. */
export const statusLeaf = makeLeaf(statusOperators, 'equals')
/** Several of them. */
export const statusesLeaf = makeLeaf(statusOperators, 'in')
/** A time: a number or duration (at most) or comparisons. */
export const timeLeaf: Leaf = {
  ...makeLeaf(listAmountOperators(' of ms (or a duration such as `5s`)'), 'less_than_or_equal'),
  read: readTime,
}
/** How many there are: a number (exactly) or comparisons. */
export const countLeaf = makeLeaf({ ...counted, ...listAmountOperators('') }, 'equals')

function makeLeaf(table: Readonly<Record<string, Operator>>, bare: string): Leaf {
  return {
    find: (name) => (Object.hasOwn(table, name) ? table[name] : undefined),
    names: Object.keys(table),
    bare,
    is: 'a number',
    example: 'less_than: 500',
  }
}

function listAmountOperators(unit: string): Readonly<Record<string, Operator>> {
  const ordered = Object.entries(orderOperators).map(([name, operator]) => [
    name,
    { ...operator, explainBadOperand: refuseAmount(name, unit) },
  ])
  return { ...Object.fromEntries(ordered), between: rangeOperators.between }
}

// No time or size is negative: other comparisons would always come out the same.
function refuseAmount(name: string, unit: string): Operator['explainBadOperand'] {
  const needsMore = name === 'less_than' || name === 'greater_than_or_equal'
  const words = needsMore ? `a number${unit} above 0` : `a non-negative number${unit}`
  return (operand) =>
    Number.isFinite(operand) && (operand as number) >= 0 && !(needsMore && operand === 0) ? undefined : words
}

/** A duration such as `5s` as its milliseconds; anything else as it is. */
function readTime(operand: Json): Json {
  if (Array.isArray(operand)) return operand.map(readTime)
  const ms = typeof operand === 'string' ? parseDuration(operand) : Number.NaN
  return Number.isNaN(ms) ? operand : ms
}
