import type { Json } from '../../json.ts'
import { parseDuration } from '../../text/units.ts'
import { equalityOperators } from '../operators/equality.ts'
import type { Operator } from '../operators/operator.ts'
import { operators } from '../operators/operators.ts'
import { orderOperators, rangeOperators } from '../operators/order.ts'
import { refuseCount } from '../operators/size.ts'
import { statusOperators } from '../operators/status.ts'

/** What a value can be asked. */
export type Vocabulary = {
  find: (name: string) => Operator | undefined
  names: readonly string[]
  /** The operator that a bare value stands for. */
  bare: string
  /** What to write in the place of an empty map. */
  example: string
  /** What a value without fields is; absent where a name that is no operator is a field. */
  leaf?: 'a number' | 'a text'
  /** What an operand that is written stands for. */
  read?: (operand: Json) => Json
}

/** A value that may have fields. */
export const dataWords: Vocabulary = {
  find: (name) => operators[name],
  names: Object.keys(operators),
  bare: 'equals',
  example: 'a check below it, or `equals: {}` to compare with an empty object',
}

/** A text, or a list of them. */
export const textWords: Vocabulary = {
  find: (name) => (name === 'equals' ? textEquals : isOfText(name) ? operators[name] : undefined),
  names: Object.keys(operators).filter(isOfText),
  bare: 'equals',
  example: 'a value, or an operator such as `contains: json`',
  leaf: 'a text',
}

function isOfText(name: string): boolean {
  return operators[name]?.nested !== 'elements'
}

const textEquals: Operator = {
  ...equalityOperators.equals,
  explainBadOperand: (operand) =>
    operand === null || (Array.isArray(operand) && operand.length === 0)
      ? 'a text (`exists: false` asks that there is none)'
      : undefined,
}

/** A status: an integer, a class such as `2xx`, or operators. */
export const statusWords: Vocabulary = numberWords(statusOperators, 'equals')
/** The same where a list is written. */
export const statusesWords: Vocabulary = numberWords(statusOperators, 'in')
/** A time: a number or duration (at most) or comparisons. */
export const timeWords: Vocabulary = {
  ...numberWords(listAmountOperators(' of ms (or a duration such as `5s`)'), 'less_than_or_equal'),
  read: readTime,
}
/** How many there are: a number (exactly) or comparisons. */
export const countWords: Vocabulary = numberWords(
  {
    equals: { ...equalityOperators.equals, explainBadOperand: refuseCount },
    not_equals: { ...equalityOperators.not_equals, explainBadOperand: refuseCount },
    ...listAmountOperators(''),
  },
  'equals',
)

function numberWords(table: Readonly<Record<string, Operator>>, bare: string): Vocabulary {
  return {
    find: (name) => (Object.hasOwn(table, name) ? table[name] : undefined),
    names: Object.keys(table),
    bare,
    example: 'a value, or an operator such as `less_than: 500`',
    leaf: 'a number',
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
