import { isJsonObject, type Json } from '../../json.ts'
import { formatFieldPath } from '../../path/field-path.ts'
import { hasTypo, type Missing } from '../../path/walk-path.ts'
import { showValue, typeOf } from '../../text/show-value.ts'
import type { CheckTools } from '../check-context.ts'
import { flattenChecks, type Check, type CheckTarget } from '../check.ts'
import { blame, fail, passWith, type Judgement, type Operator, type Verdict } from '../operators/operator.ts'
import { operators } from '../operators/operators.ts'
import { statusOperators } from '../operators/status.ts'
import { isTypeName } from '../operators/type.ts'
import { findInside, type Absent, type Actual } from './find-value.ts'
import { isOfOne, judgeTexts, judgeValue } from './judge-value.ts'

/** The operand of a check with its templates filled in, and why it cannot be used. */
type Operand = { value: Json; problem?: string }

/** State shared by the checks of one response: operands are filled in once, also inside `each`. */
export type Run = { tools: CheckTools; operands: Map<Check, Operand> }

/** The operator of a check as its target has it. */
export function findOperator({ target, operator }: Check): Operator {
  const found = (target === 'status_code' ? statusOperators : operators)[operator]
  if (found === undefined) throw new Error(`There is no check \`${operator}\` for \`${target}\`.`)
  return found
}

/** The operand of a check, filled in at its first use. */
export function readOperand(check: Check, { tools, operands }: Run): Operand {
  const operand = operands.get(check) ?? fillOperand(check, tools)
  operands.set(check, operand)
  return operand
}

/** What has texts, perhaps several. */
const TEXTS: ReadonlySet<CheckTarget> = new Set(['headers', 'xpath', 'css'])

/** Judges one check on what was found; failures are verdicts, also those of tools that threw. */
export function judgeCheck(run: Run, check: Check, subject: { field: string; actual: Actual }): Verdict {
  const { field, actual } = subject
  const operand = readOperand(check, run)
  if (operand.problem !== undefined)
    return blame('operand', `The \`${check.operator}\` check of \`${field}\` ${operand.problem}`)
  if (!actual.found) return judgeMissing(run, check, { field, actual })
  const judgement: Judgement = {
    field,
    tools: run.tools,
    check,
    judgeNested: (nested, value, place) => judgeNested(run, nested, { value, place }),
  }
  const judge = TEXTS.has(check.target) ? judgeTexts : judgeValue
  const operator = findOperator(check)
  try {
    const verdict = judge(actual.value, { operator, operand: operand.value, judgement })
    const isScattered = verdict.passed && check.operator === 'all_of'
    const scattered = isScattered && explainScattered(run, [check], { field, actual })
    if (scattered) return fail(scattered)
    const warning =
      warnOfField(check, { field, actual: actual.value, operand: operand.value }) ??
      (actual.warning && `${actual.warning}.`)
    return warning === undefined ? verdict : { ...verdict, warning }
  } catch (error) {
    return blame(
      'operand',
      `The \`${check.operator}\` check of \`${field}\` could not be made: ${(error as Error).message}`,
    )
  }
}

/** The checks of which, of several values, one has to pass all. */
export function listOfOne(run: Run, checks: readonly Check[]): Check[] {
  const isMade = (check: Check): boolean => {
    const operator = findOperator(check)
    return operator.nested === 'list' || isOfOne(check, { operator, operand: readOperand(check, run).value })
  }
  return checks.flatMap((check) => {
    if (check.operator === 'all_of') return listOfOne(run, check.checks ?? [])
    return TEXTS.has(check.target) && flattenChecks([check]).every(isMade) ? [check] : []
  })
}

/** Says that no single one of several texts passes all checks, each of which some text passes. */
export function explainScattered(
  run: Run,
  checks: readonly Check[],
  { field, actual }: { field: string; actual: Actual },
): string | undefined {
  const all = listOfOne(run, checks)
  if (all.length < 2 || !actual.found || !Array.isArray(actual.value)) return undefined
  const passes = (value: Json, check: Check): boolean =>
    judgeCheck(run, check, { field, actual: { found: true, value } }).passed
  if (actual.value.some((value) => all.every((check) => passes(value, check)))) return undefined
  const names = all.map(({ operator }) => `\`${operator}\``).join(' and ')
  return `No single value of \`${field}\` passes ${names}, got ${showValue(actual.value)}`
}

/** Judges a check on what is not there: `exists` and `optional` may hold, and what contains them. */
function judgeMissing(run: Run, check: Check, subject: { field: string; actual: Absent }): Verdict {
  const { operator, optional } = check
  const { message, certain, walk, gap, isDoubtful = false } = subject.actual
  const mayMiss =
    optional !== undefined &&
    certain &&
    (walk === undefined || (walk.depth === optional - 1 && couldHold(walk)))
  if (mayMiss && operator !== 'optional') return passWith(undefined)
  const isExists = operator === 'exists'
  const holds =
    mayMiss ||
    (certain && (isExists ? readOperand(check, run).value === false : containsAbsence(run, check, subject)))
  if (!holds) return { ...(isExists && certain ? fail(message) : blame('value', message)), gap }
  // A field that is not there because its name is wrong proves nothing.
  const isTold = isDoubtful || (walk !== undefined && (hasTypo(walk) || isInList(walk)))
  const what = mayMiss ? 'optional: true' : isExists ? 'exists: false' : operator
  return passWith(isTold ? `\`${what}\` holds: ${message}.` : undefined)
}

/** True for a field that is looked for in a list, whose elements may have it. */
function isInList({ last, path, depth }: Missing): boolean {
  return Array.isArray(last) && last.some(isJsonObject) && typeof path[depth] === 'string'
}

/** Whether what is missing could have been there: a text or number has no fields. */
function couldHold({ last, path, depth }: Missing): boolean {
  return last === null || (typeof path[depth] === 'string' ? isJsonObject(last) : Array.isArray(last))
}

/** Whether `any_of`, `all_of` or `not` holds of what is not there. */
function containsAbsence(
  run: Run,
  check: Check,
  { field, actual }: { field: string; actual: Absent },
): boolean {
  const operator = findOperator(check)
  if (operator.nested === undefined || operator.nested === 'elements') return false
  const judgeNested = (nested: Check) => judgeMissing(run, nested, { field, actual })
  return operator.judge(null, null, { field, tools: run.tools, check, judgeNested }).passed
}

function judgeNested(run: Run, check: Check, { value, place }: { value: Json; place: string }): Verdict {
  const verdict = judgeCheck(run, check, {
    field: formatFieldPath(check.path, place),
    actual: findInside(place, check.path, value),
  })
  return verdict.passed ? verdict : { ...verdict, at: verdict.at ?? check.at }
}

/** Says that the answer has a field with the name of the operator, which the author may have meant. */
function warnOfField(
  { operator }: Check,
  { field, actual, operand }: { field: string; actual: Json; operand: Json },
): string | undefined {
  if (!isJsonObject(actual) || !Object.hasOwn(actual, operator)) return undefined
  const value = actual[operator] as Json
  // A field of another type was hardly meant: `length: 3` is not a wish for `length: "3 m"`.
  if (typeOf(value) !== typeOf(operand) && !isJsonObject(operand)) return undefined
  if (operator === 'type' && !isTypeName(value)) return undefined
  return `\`${field}\` has a field called \`${operator}\` in the answer, but \`${operator}\` here is the check of that name. For the field write \`field: {${operator}: …}\`.`
}

function fillOperand(check: Check, tools: CheckTools): Operand {
  const operator = findOperator(check)
  const written = check.expected
  let value: Json
  try {
    value = operator.resolve ? operator.resolve(written, tools.interpolate) : tools.interpolate(written)
  } catch (error) {
    return { value: written, problem: `has an operand that failed: ${(error as Error).message}` }
  }
  const wanted = operator.explainBadOperand(value)
  if (wanted === undefined) return { value }
  const source = value === written ? '' : ` from ${showValue(written)}`
  return { value, problem: `needs ${wanted}, got ${showValue(value)}${source}` }
}
