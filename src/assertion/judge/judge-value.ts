import { isNumber, type Json } from '../../json.ts'
import { hintList } from '../../path/field-path.ts'
import { showValue, typeOf } from '../../text/show-value.ts'
import { blame, PASSED, type Judgement, type Operator, type Verdict } from '../operators/operator.ts'
import { orderOperators, rangeOperators } from '../operators/order.ts'

/** An operator with its operand, filled in. */
type Application = { operator: Operator; operand: Json; judgement: Judgement }

/** Applies an operator to a value if it works on that type; another type is a failure that says so. */
export function judgeValue(actual: Json, { operator, operand, judgement }: Application): Verdict {
  const types = operator.takes.includes(typeOf(actual))
    ? operator.explainBadValue?.(actual)
    : operator.takes.join(', ').replace(/, (\w+)$/, ' or $1')
  if (types === undefined) return operator.judge(actual, operand, judgement)
  const { check, field } = judgement
  const message = `The \`${check.operator}\` check of \`${field}\` works on ${types}, got ${showValue(actual)}${hintList(field, actual)}`
  return blame('value', message)
}

/** These look at a header that came several times as one list; the others at each of its values. */
const ON_LIST: ReadonlySet<string> = new Set(
  `each length minLength maxLength exists type schema snapshot unique sorted_by not any_of all_of optional`.split(
    ' ',
  ),
)
const ON_NUMBERS: ReadonlySet<string> = new Set(Object.keys({ ...orderOperators, ...rangeOperators }))

/**
 * Judges a header, or what XPath or CSS found, whose values are always text: numbers and booleans in the operand stand for their text, comparisons
 * read numbers from the text. Of several values one has to pass, and all of them a negative check.
 */
export function judgeTexts(actual: Json, application: Application): Verdict {
  const { operator, operand, judgement } = application
  const name = judgement.check.operator
  if (ON_LIST.has(name)) return judgeValue(actual, application)
  if (ON_NUMBERS.has(name)) return judgeEach(actual, application, readNumber)
  const adapted = { ...application, operand: operator.operand === 'flag' ? operand : writeAsText(operand) }
  return isOfAll(name, operand) ? judgeValue([actual].flat(), adapted) : judgeEach(actual, adapted)
}

function isOfAll(name: string, operand: Json): boolean {
  return name === 'same_items' || (name.endsWith('equals') && Array.isArray(operand))
}

/** True for a check of which, of several texts, one has to pass. */
export function isOfOne(name: string, { operator, operand }: { operator: Operator; operand: Json }): boolean {
  return !operator.negative && !ON_LIST.has(name) && !isOfAll(name, operand)
}

function judgeEach(actual: Json, application: Application, read = (text: Json): Json => text): Verdict {
  if (!Array.isArray(actual)) return judgeValue(read(actual), application)
  const verdicts = actual.map((value) => judgeValue(read(value), application))
  const failed = verdicts.find(({ passed }) => !passed) ?? PASSED
  if (application.operator.negative) return failed
  const whole = judgeValue(actual, application)
  return verdicts.find(({ passed }) => passed) ?? (whole.passed ? failed : whole)
}

function readNumber(text: Json): Json {
  if (typeof text !== 'string' || !/^-?\d+(\.\d+)?$/.test(text)) return text
  return Number.isSafeInteger(Number(text)) || text.includes('.') ? Number(text) : BigInt(text)
}

function writeAsText(operand: Json): Json {
  if (Array.isArray(operand)) return operand.map(writeAsText)
  return isNumber(operand) || typeof operand === 'boolean' ? String(operand) : operand
}
