import { findDifferences } from '../../compare-json.ts'
import {
  isJsonObject,
  isNumber,
  parseDecimal,
  stringifyJson,
  toText,
  type Json,
  type JsonObject,
} from '../../json.ts'
import { formatFieldPath } from '../../path/field-path.ts'
import { hasTypo, type Missing } from '../../path/walk-path.ts'
import { readsAttribute } from '../../request/markup/languages.ts'
import { foldText, showValue, typeOf } from '../../text/show-value.ts'
import type { CheckTools } from '../check-context.ts'
import type { Check } from '../check.ts'
import { listTargets, type CheckTarget } from '../targets.ts'
import { blame, blameCheck, fail, PASSED, passWith, takesType } from '../operators/operator.ts'
import type { Judgement, OperandKind, Operator, Verdict } from '../operators/operator.ts'
import { hintNumber, MAX_SHOWN } from '../operators/equality.ts'
import { operators } from '../operators/operators.ts'
import { countWords, readDurations } from '../parse/vocabularies.ts'
import { statusOperators } from '../operators/status.ts'
import { isTypeName } from '../operators/type.ts'
import { findInside, listMatches, type Absent, type Actual } from './find-value.ts'
import { orderOperators, rangeOperators } from '../operators/order.ts'

/** The operand of a check with its templates filled in, and why it cannot be used, if so. */
type Operand = { value: Json; problem?: string }

/** State shared by the checks of one response: operands are filled in once, even inside `each`. */
export type Run = { tools: CheckTools; operands: Map<Check, Operand> }

/** The operator of a check, which depends on its target. */
export function findOperator({ target, operator }: Check): Operator {
  const found = (target === 'status_code' ? statusOperators : operators)[operator]
  if (found === undefined) throw new Error(`There is no check \`${operator}\` for \`${target}\`.`)
  return found
}

/** The operand of a check. Filled in when it is first needed. */
export function readOperand(check: Check, { tools, operands }: Run): Operand {
  const operand = operands.get(check) ?? fillOperand(check, tools)
  operands.set(check, operand)
  return operand
}

function fillOperand(check: Check, tools: CheckTools): Operand {
  const operator = findOperator(check)
  const written = check.expected
  let value: Json
  try {
    const filled = operator.resolve?.(written, tools.interpolate) ?? tools.interpolate(written)
    value = readDurations(check, filled)
  } catch (error) {
    return {
      value: written,
      problem: `has an operand that could not be computed: ${(error as Error).message}`,
    }
  }
  // The checks in a map are parsed when the suite is loaded; a map from a template has none.
  const isUnread = operator.nested === 'count' && check.checks === undefined && isJsonObject(value)
  const explain = (operand: Json) =>
    operator.explainBadOperand?.(operand) ?? (check.isCount && countWords.refuse?.(operand, check.operator))
  const wanted = isUnread
    ? 'a non-negative integer (write a map of number checks in its place)'
    : explain(value)
  if (!wanted) return { value }
  const source = value === written ? '' : ` from ${showValue(written)}`
  const number = parseDecimal(value)
  const hint = number !== undefined && !explain(number) ? hintNumber(written, value) : ''
  return { value, problem: `needs ${wanted}, got ${showValue(value)}${source}${hint}` }
}

/** Targets whose value is a text, perhaps one of several. */
const TEXTS: ReadonlySet<CheckTarget> = new Set(listTargets('headers', 'selectors'))

/** Judges a check on the value that was found. Never throws: if a tool throws, the check fails. */
export function judgeCheck(run: Run, check: Check, subject: { field: string; actual: Actual }): Verdict {
  const { field, actual } = subject
  const judgement: Judgement = {
    field,
    tools: run.tools,
    check,
    judgeNested(nested, value, place) {
      const found = findInside(place, nested.path, listMatches(nested, value))
      const verdict = judgeCheck(run, nested, { field: formatFieldPath(nested.path, place), actual: found })
      return verdict.passed ? verdict : { ...verdict, at: verdict.at ?? nested.at }
    },
  }
  const { value: operand, problem } = readOperand(check, run)
  if (problem !== undefined) return blameCheck('operand', judgement, problem)
  if (!actual.found) return judgeMissing(check, operand, actual)
  const judge = TEXTS.has(check.target) ? judgeTexts : judgeValue
  try {
    const verdict = judge(actual.value, { operator: findOperator(check), operand, judgement })
    const hint =
      explainSought(check, { field, actual: actual.value, operand }) ??
      explainField(check, { field, actual: actual.value, operand }) ??
      explainElement(verdict, field) ??
      explainCharset(check, { field, actual: actual.value, operand }) ??
      actual.warning
    if (hint === undefined) return verdict
    const warned = { ...verdict, warning: `${hint}.` }
    if (warned.passed) return warned
    const { message } = warned
    return { ...warned, message: `${message}${message.includes('\n') ? '\n' : '; '}${hint}` }
  } catch (error) {
    return blameCheck('operand', judgement, `could not be made: ${(error as Error).message}`)
  }
}

/** Judges a check on a missing value: only `exists: false` and checks with `optional` may hold. */
function judgeMissing({ operator, optional, target }: Check, operand: Json, absent: Absent): Verdict {
  const { message, certain, walk, gap, isDoubtful = false, unjudged = 'value' } = absent
  const isExists = operator === 'exists'
  const mayMiss =
    optional !== undefined && (walk === undefined || (optional.includes(walk.depth + 1) && couldHold(walk)))
  const asksForNone = isExists && operand === false
  const meansNone = operator === 'equals' && (operand === null || (operand === false && TEXTS.has(target)))
  const hint = meansNone && certain ? '; write `exists: false` if it must be absent' : ''
  const said = asksForNone && walk ? `\`exists: false\` proves nothing: ${message}` : `${message}${hint}`
  // A field that is missing because its name is wrong proves nothing.
  const tell = (outcome: string): string | undefined =>
    isDoubtful || (walk && (hasTypo(walk) || isInList(walk))) ? `\`${outcome}: ${message}.` : undefined
  const warning = isExists ? tell('exists: true` fails') : undefined
  if (!certain || !(mayMiss || asksForNone))
    return { ...(isExists && certain ? { ...fail(said), warning } : blame(unjudged, said)), gap }
  if (mayMiss && operator !== 'optional') return PASSED
  return passWith(tell(`${isExists ? 'exists: false' : 'optional: true'}\` holds`))
}

/** True for a field looked up in a list whose elements may have it, or below an element that is missing. */
function isInList({ last, path, depth }: Missing): boolean {
  if (!Array.isArray(last)) return false
  return depth < path.length - 1 || (typeof path[depth] === 'string' && last.some(isJsonObject))
}

/** Whether the missing value could have been there: a text or number has no fields. */
function couldHold({ last, path, depth }: Missing): boolean {
  return last === null || (typeof path[depth] === 'string' ? isJsonObject(last) : Array.isArray(last))
}

/** What to write for a check instead of what looks for a field: for the elements of a list, and for a map. */
const ON_ELEMENTS: Readonly<Record<string, string>> = { contains: 'some', not_contains: 'none' }
const ON_VALUE: Readonly<Record<string, string>> = { not_contains: 'not' }

/** Explains that `contains` looks for a field that is not there and may be meant as a check; else undefined. */
function explainSought(
  { operator }: Check,
  { field, actual, operand }: { field: string; actual: Json; operand: Json },
): string | undefined {
  const other = (Array.isArray(actual) ? ON_ELEMENTS : ON_VALUE)[operator]
  const items = [actual].flat()
  if (other === undefined || items.length === 0) return undefined
  const has = (name: string) => items.some((item) => isJsonObject(item) && Object.hasOwn(item, name))
  const names = [operand].flat().filter(isJsonObject).flatMap(Object.keys)
  const meant = names.find((name) => operators[name] && !has(name))
  if (meant === undefined) return undefined
  return `\`${operator}\` of \`${field}\` looks for a field \`${meant}\`, which is not there. For the check of that name, write \`${other}: {${meant}: …}\``
}

/** Explains that the response has a field named like the operator, which may be meant; else undefined. */
function explainField(
  { operator }: Check,
  { field, actual, operand }: { field: string; actual: Json; operand: Json },
): string | undefined {
  if (!isJsonObject(actual) || !Object.hasOwn(actual, operator)) return undefined
  const value = actual[operator] as Json
  // A field of another type was hardly meant: `length: 3` does not ask for `length: "3 m"`.
  if (typeOf(value) !== typeOf(operand) && !isJsonObject(operand)) return undefined
  if (operator === 'type' && !isTypeName(value)) return undefined
  return `\`${field}\` has a field called \`${operator}\` in the response, but here \`${operator}\` is the check of that name. To check the field, write \`field: {${operator}: …}\``
}

/** Explains that an element of an expected list looks like a check, or has too few fields; else undefined. */
function explainElement(verdict: Verdict, field: string): string | undefined {
  const { expected, actual = null } = (!verdict.passed && verdict.diff) || {}
  if (!Array.isArray(expected)) return undefined
  const found = findDifferences(expected, actual, { keep: MAX_SHOWN }).kept.find(
    (one) => isJsonObject(one.expected) && !isJsonObject(one.actual) && isCheck(one.expected),
  )
  if (found === undefined) {
    const isPart = findDifferences(expected, actual, { keep: 0, partial: true }).count === 0
    return isPart
      ? `The elements of \`${field}\` have more fields. To allow that, write \`contains\` with this list, and \`length\``
      : undefined
  }
  return `\`${field}\` is compared with the list as it is written. For the check of an element, write \`'${formatFieldPath(found.path)}': …\` instead, and \`length\` for the number of elements`
}

const LATIN_1 = /^[\0-\xff]*[\x80-\xff][\0-\xff]*$/

/** Explains that a header which is compared with letters beyond ASCII came in UTF-8; else undefined. */
function explainCharset(
  { target }: Check,
  { field, actual, operand }: { field: string; actual: Json; operand: Json },
): string | undefined {
  const text = stringifyJson(actual)
  if (target !== 'headers' || !LATIN_1.test(text) || /^[\0-\x7f]*$/.test(stringifyJson(operand)))
    return undefined
  const utf8 = Buffer.from(text, 'latin1').toString()
  if (utf8.includes('\ufffd')) return undefined
  return `Headers are read as Latin-1, but \`${field}\` looks like UTF-8, in which it is ${showValue(JSON.parse(utf8) as Json)}`
}

function isCheck(map: JsonObject): boolean {
  const names = Object.keys(map)
  return names.length > 0 && names.every((name) => operators[name])
}

type Application = { operator: Operator; operand: Json; judgement: Judgement }

/** Applies an operator to a value. Fails if the operator does not work on values of this type. */
function judgeValue(actual: Json, application: Application): Verdict {
  const { operator, operand, judgement } = application
  const types = takesType(operator, actual)
    ? operator.explainBadValue?.(actual)
    : operator.takes?.join(', ').replace(/, (\w+)$/, ' or $1')
  if (types === undefined) return operator.judge(actual, operand, judgement)
  const got = showValue(actual) + hintCondition(actual, application)
  const failure = blameCheck('value', judgement, `works on ${types}, got ${got}`)
  return { ...failure, gap: judgement.field }
}

/** Says how a number in a string is compared. */
function hintCondition(actual: Json, { operator, operand, judgement }: Application): string {
  const { check, field } = judgement
  const isNumeric = typeof actual === 'string' && parseDecimal(actual) !== undefined
  if (!isNumeric || !ON_NUMBERS.has(check.operator) || !/^[\w.[\]]+$/.test(field)) return ''
  const sign = Object.hasOwn(orderOperators, check.operator) ? ` ${operator.show?.(operand) as string}` : ''
  return `; for a number in a string, write \`Number(${field})${sign}\` in \`custom\``
}

/** These see several values as one list; all others but those in `ON_LISTS` need a single one. */
const AS_FOUND: ReadonlySet<string> = new Set(
  'length minLength maxLength exists type schema snapshot unique sorted_by not any_of all_of optional'.split(
    ' ',
  ),
)
/** These see even a single value as a list. */
const ON_LISTS: ReadonlySet<string> = new Set(['each', 'some', 'none', 'same_items'])
const ON_NUMBERS: ReadonlySet<string> = new Set(Object.keys({ ...orderOperators, ...rangeOperators }))
const AS_WRITTEN: ReadonlySet<OperandKind> = new Set(['flag', 'number', 'range', 'closeness', 'time'])

/**
 * Judges a header, or what XPath or CSS found. These are text, so numbers and booleans in operands become
 * text, and number checks read a number from it.
 */
function judgeTexts(actual: Json, application: Application): Verdict {
  const { operator, operand, judgement } = application
  const name = judgement.check.operator
  if (AS_FOUND.has(name)) return doubtCount(judgeValue(actual, application), actual, application)
  const wanted = AS_WRITTEN.has(operator.operand) ? operand : writeAsText(operand)
  const adapted = { ...application, operand: wanted }
  const isOnList =
    ON_LISTS.has(name) ||
    (name.endsWith('equals') && Array.isArray(operand)) ||
    (/^(?:not_)?contains$/.test(name) && Array.isArray(actual) && ![wanted].flat().some(isOnlyInside(actual)))
  if (isOnList) return judgeValue([actual].flat(), adapted)
  if (!Array.isArray(actual)) return judgeValue(ON_NUMBERS.has(name) ? readNumber(actual) : actual, adapted)
  const words = `needs a single value, got ${actual.length}: ${showValue(actual)}. Write \`some: {${name}: …}\` if one of them must pass, \`each: {${name}: …}\` if all must`
  return blameCheck('operand', judgement, words)
}

/** Whether a text looks like a part of one of the values but none of them: then it is open what `contains` looks for. */
function isOnlyInside(values: readonly Json[]): (part: Json) => boolean {
  const texts = values.map((text) => foldText(text as string))
  return (part) => {
    const sought = foldText(toText(part))
    return !texts.includes(sought) && texts.some((text) => text.includes(sought))
  }
}

/** Warns of a bound that counts one attribute, where its characters may be meant and would fail. */
function doubtCount(verdict: Verdict, actual: Json, application: Application): Verdict {
  const { check, field } = application.judgement
  const [expression = ''] = check.path
  const [only, ...others] = [actual].flat()
  const isBound = /^(?:min|max)Length$/.test(check.operator) && typeof expression === 'string'
  if (!verdict.passed || !isBound || !readsAttribute.test(expression) || only === undefined) return verdict
  if (others.length > 0 || judgeValue(only, application).passed) return verdict
  const words = `counts 1 match, not the characters of ${showValue(only)}`
  return passWith(`\`${check.operator}\` of \`${field}\` ${words}: for these, write it below \`each\`.`)
}

function readNumber(text: Json): Json {
  const number = parseDecimal(text)
  if (number === undefined || typeof text !== 'string') return text
  return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text)
}

function writeAsText(operand: Json): Json {
  if (Array.isArray(operand)) return operand.map(writeAsText)
  return isNumber(operand) || typeof operand === 'boolean' ? String(operand) : operand
}
