import { isNumber, type Json } from '../../json.ts'
import { parseDuration } from '../../text/units.ts'
import type { Operator } from '../operators/operator.ts'
import { operators } from '../operators/operators.ts'
import { refuseCount } from '../operators/size.ts'
import { orderOperators } from '../operators/order.ts'
import { isCode, statusOperators, statusTable } from '../operators/status.ts'
import type { Check } from '../check.ts'
import { targets } from '../targets.ts'

/** The checks that a kind of value takes. */
export type Vocabulary = {
  find: (name: string) => Operator | undefined
  /** The operator that a bare value stands for. */
  bare: (operand: Json) => string
  /** What to write instead of an empty map. */
  example: string
  /** The name of a kind without fields. If absent, names that are not operators are fields. */
  leaf?: 'a number' | 'a string'
  /** Says what is expected instead of an operand that no operator could use here; else undefined. */
  refuse?: (operand: Json, name: string) => string | undefined
}

const ORDER = Object.keys(orderOperators) as (keyof typeof orderOperators)[]

/** The operators for each kind of number. */
export const numberOperators = {
  status: Object.keys(statusTable) as (keyof typeof statusTable)[],
  count: ['equals', 'not_equals', ...ORDER, 'between'],
  length: ['equals', 'not_equals', 'in', 'not_in', ...ORDER, 'between'],
  time: [...ORDER, 'between'],
} as const

function findAmong(names: readonly string[]): Vocabulary['find'] {
  return (name) => (names.includes(name) ? operators[name] : undefined)
}

/** A value that may have fields. */
export const dataWords: Vocabulary = {
  find: (name) => operators[name],
  bare: () => 'equals',
  example: 'a check below it, or `equals: {}` to compare with an empty object',
}

/** The checks of a text, or of a list of texts. */
export const textWords: Vocabulary = {
  ...dataWords,
  example: 'a value, or an operator such as `contains: json`',
  leaf: 'a string',
  refuse: (operand, name) =>
    name === 'equals' && operand === null
      ? 'a string (write `exists: false` if it must be absent)'
      : undefined,
}

/** A count: a number (exactly) or comparisons. */
export const countWords: Vocabulary = {
  find: findAmong(numberOperators.count),
  bare: () => 'equals',
  example: 'a value, or an operator such as `less_than: 500`',
  leaf: 'a number',
  refuse(operand, name) {
    if (name.endsWith('equals')) return refuseCount(operand)
    return /^(?:not_)?in$/.test(name) ? [operand].flat().map(refuseCount).find(Boolean) : undefined
  },
}

/** A length: the checks of a count, and lists of counts. */
export const lengthWords: Vocabulary = { ...countWords, find: findAmong(numberOperators.length) }

/** A time: a number or duration (at most) or comparisons. */
export const timeWords: Vocabulary = {
  ...countWords,
  find: findAmong(numberOperators.time),
  bare: () => 'less_than_or_equal',
  refuse: (operand, name) =>
    name === 'between' || (isNumber(operand) && operand >= 0)
      ? undefined
      : 'a non-negative number of ms (or a duration such as `5s`)',
}

/** A status: an integer, a class such as `2xx`, a list of them, or operators. */
export const statusWords: Vocabulary = {
  ...countWords,
  find: (name) => statusOperators[name],
  // `between: [2, 299]` holds for every status below 300.
  refuse: (operand, name) =>
    /than|between/.test(name) && ![operand].flat().every(isCode) ? 'status codes (100 to 999)' : undefined,
  bare: (operand) => (Array.isArray(operand) ? 'in' : 'equals'),
}

/** Converts the durations in the operand of a check of a time, such as `5s`, to milliseconds. */
export function readDurations(check: Pick<Check, 'target' | 'field'>, operand: Json): Json {
  const isMoment = /^(?:events|messages)\[[^\]]*\]\.at_ms(?![\w.])/.test(check.field)
  if (targets[check.target].kind !== 'time' && !isMoment) return operand
  if (Array.isArray(operand)) return operand.map((one) => readDurations(check, one))
  const ms = typeof operand === 'string' ? parseDuration(operand) : Number.NaN
  return Number.isNaN(ms) ? operand : ms
}
