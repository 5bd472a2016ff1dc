import type { Check } from '../check.ts'
import { isNumber, type Json } from '../../json.ts'
import { hintList } from '../../path/field-path.ts'
import { showValue, typeOf } from '../../text/show-value.ts'
import { blame, PASSED, type Judgement, type Operator, type Verdict } from '../operators/operator.ts'
import { orderOperators, rangeOperators } from '../operators/order.ts'

/** An operator with its operand, filled in. */
export type Application = { operator: Operator; operand: Json; judgement: Judgement }

/** Applies an operator to a value if it works on that type; another type is a failure that says so. */
export function judgeValue(actual: Json, { operator, operand, judgement }: Application): Verdict {
  if (operator.takes.includes(typeOf(actual))) return operator.judge(actual, operand, judgement)
  const types = operator.takes.join(', ').replace(/, (\w+)$/, ' or $1')
  const { check, field } = judgement
  const message = `The \`${check.operator}\` check of \`${field}\` works on ${types}, got ${showValue(actual)}${hintList(field, actual)}`
  return blame('value', message)
}

/** These look at a header that came several times as one list; the others at each of its values. */
const ON_LIST: ReadonlySet<string> = new Set(
  `each same_items length minLength maxLength exists type schema snapshot unique sorted_by not any_of all_of
  optional`.split(/\s+/),
)
const ON_NUMBERS: ReadonlySet<string> = new Set(Object.keys({ ...orderOperators, ...rangeOperators }))

/**
 * Judges a header, or what XPath or CSS found, whose values are always text: numbers and booleans in the operand stand for their text, comparisons
 * read numbers from the text. Of several values one has to pass, and all of them a negative check.
 */
export function judgeTexts(actual: Json, application: Application): Verdict {
  const { operator, operand, judgement } = application
  const { check } = judgement
  const isOnList = ON_LIST.has(check.operator)
  const isAsWritten = isOnList || ON_NUMBERS.has(check.operator) || operator.operand === 'flag'
  const adapted = isAsWritten ? application : { ...application, operand: writeAsText(operand) }
  if (isOfAll(check, operand)) return judgeValue([actual].flat(), adapted)
  if (!Array.isArray(actual) || isOnList) return judgeText(actual, adapted)
  const verdicts = actual.map((value) => judgeText(value, adapted))
  const failed = verdicts.find((verdict) => !verdict.passed)
  if (operator.negative) return failed ?? PASSED
  const whole = judgeText(actual, adapted)
  return verdicts.find((verdict) => verdict.passed) ?? (whole.passed && failed ? failed : whole)
}

function isOfAll({ operator }: Check, operand: Json): boolean {
  return operator === 'same_items' || (operator.endsWith('equals') && Array.isArray(operand))
}

/** True for a check of which, of several values, one has to pass. */
export function isOfOne(check: Check, { operator, operand }: { operator: Operator; operand: Json }): boolean {
  return !operator.negative && !ON_LIST.has(check.operator) && !isOfAll(check, operand)
}

function judgeText(actual: Json, application: Application): Verdict {
  const isCompared = ON_NUMBERS.has(application.judgement.check.operator)
  const isNumeric = isCompared && typeof actual === 'string' && /^-?\d+(\.\d+)?$/.test(actual)
  return judgeValue(isNumeric ? readNumber(actual) : actual, application)
}

function readNumber(text: string): number | bigint {
  return Number.isSafeInteger(Number(text)) || text.includes('.') ? Number(text) : BigInt(text)
}

function writeAsText(operand: Json): Json {
  if (Array.isArray(operand)) return operand.map(writeAsText)
  return isNumber(operand) || typeof operand === 'boolean' ? String(operand) : operand
}
