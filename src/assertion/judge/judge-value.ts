import type { Check } from '../check.ts'
import { isJsonObject, isNumber, type Json } from '../../json.ts'
import { hintList } from '../../path/field-path.ts'
import { showValue, typeOf } from '../../text/show-value.ts'
import { blame, PASSED, type Judgement, type Operator, type Verdict } from '../operators/operator.ts'
import { orderOperators, rangeOperators } from '../operators/order.ts'

/** An operator with everything it is applied to. */
export type Application = {
  operator: Operator
  actual: Json
  operand: Json
  judgement: Judgement
}

/** Applies an operator to a value if it works on that type; another type is a failure that says so. */
export function judgeValue({ operator, actual, operand, judgement }: Application): Verdict {
  if (operator.takes.includes(typeOf(actual))) return operator.judge(actual, operand, judgement)
  const types = operator.takes.join(', ').replace(/, (\w+)$/, ' or $1')
  const { check, field } = judgement
  const message = `The \`${check.operator}\` check of \`${field}\` works on ${types}, got ${showValue(actual)}${hintList(field, actual)}`
  return blame('value', message)
}

// These look at a header that came several times as one list; the others at each of its values.
const ON_LIST = new Set([
  'each',
  'same_items',
  'length',
  'minLength',
  'maxLength',
  'exists',
  'type',
  'schema',
  'snapshot',
  'unique',
  'sorted_by',
  'not',
  'any_of',
  'all_of',
  'optional',
])

/**
 * Judges a header, or what XPath or CSS found, whose values are always text: numbers and booleans in the operand stand for their text, comparisons
 * read numbers from the text. Of several values one has to pass, and all of them a negative check.
 */
export function judgeHeader(application: Application): Verdict {
  const { operator, actual } = application
  const { check } = application.judgement
  const operand = ON_LIST.has(check.operator) ? application.operand : writeAsText(application)
  const adapted = { ...application, operand }
  if (isOfAll(check, operand))
    return judgeValue({ ...adapted, actual: Array.isArray(actual) ? actual : [actual] })
  if (!Array.isArray(actual) || ON_LIST.has(check.operator)) return judgeText(adapted)
  const verdicts = actual.map((value) => judgeText({ ...adapted, actual: value }))
  const failed = verdicts.find((verdict) => !verdict.passed)
  if (operator.negative) return failed ?? PASSED
  const whole = judgeText(adapted)
  return verdicts.find((verdict) => verdict.passed) ?? (whole.passed && failed ? failed : whole)
}

function isOfAll({ operator }: Check, operand: Json): boolean {
  return operator === 'same_items' || (operator.endsWith('equals') && Array.isArray(operand))
}

/** True for a check of which, of several values, one has to pass. */
export function isOfOne(check: Check, { operator, operand }: { operator: Operator; operand: Json }): boolean {
  return !operator.negative && !ON_LIST.has(check.operator) && !isOfAll(check, operand)
}

function judgeText(application: Application): Verdict {
  const { actual } = application
  const isNumber = typeof actual === 'string' && /^-?\d+(\.\d+)?$/.test(actual)
  return judgeValue(
    isNumber && isOrder(application) ? { ...application, actual: readNumber(actual) } : application,
  )
}

function readNumber(text: string): number | bigint {
  return Number.isSafeInteger(Number(text)) || text.includes('.') ? Number(text) : BigInt(text)
}

function isOrder({ judgement }: Application): boolean {
  const { operator } = judgement.check
  return Object.hasOwn(orderOperators, operator) || Object.hasOwn(rangeOperators, operator)
}

function writeAsText(application: Application): Json {
  const { operand, operator } = application
  if (isOrder(application) || operator.operand === 'flag') return operand
  if (Array.isArray(operand)) return operand.map(toText)
  return isJsonObject(operand) ? operand : toText(operand)
}

function toText(value: Json): Json {
  return isNumber(value) || typeof value === 'boolean' ? String(value) : value
}
