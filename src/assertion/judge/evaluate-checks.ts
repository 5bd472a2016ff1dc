import { toText } from '../../json.ts'
import type { CheckTools, ResponseContext } from '../check-context.ts'
import type { Check, CheckResult } from '../check.ts'
import { findActual, type Actual } from './find-value.ts'
import {
  explainScattered,
  findOperator,
  judgeCheck,
  listOfOne,
  readOperand,
  type Run,
} from './judge-check.ts'
import { typeOf } from '../../text/show-value.ts'

/** The status is that of the answer behind a redirect. */
function explainStatus({ target }: Check, { redirects: [first] = [] }: ResponseContext): string {
  if (target !== 'status_code' || first === undefined) return ''
  return `; a ${toText(first['status_code'] ?? '')} was followed: \`follow_redirects: false\` takes that answer`
}

/** Makes all checks on a response, in their order, and reports one row each; whatever the response holds is a row, not an exception. */
export function evaluateChecks(
  checks: readonly Check[],
  context: ResponseContext,
  tools: CheckTools,
): CheckResult[] {
  const run: Run = { tools, operands: new Map() }
  const results = checks.map((check) =>
    check.target === 'custom' ? evaluateCustom(check, context, tools) : evaluateCheck(run, check, context),
  )
  const rows = checks.map((check, index): Row => [check, results[index] as CheckResult])
  failScattered(run, rows, context)
  return results
}

type Row = readonly [Check, CheckResult]

/** Of several values one has to pass all checks of its name: where each check passes by another one, the last fails. */
function failScattered(run: Run, rows: readonly Row[], context: ResponseContext): void {
  const texts = rows.filter(([check]) => listOfOne(run, [check]).length > 0)
  for (const group of Map.groupBy(texts, ([{ field }]) => field).values()) {
    const [[first] = [], [, last] = []] = [group[0], group.at(-1)]
    if (!first || !last || group.some(([, { passed }]) => !passed)) continue
    const checks = group.map(([check]) => check)
    const { field } = first
    const message = explainScattered(run, checks, { field, actual: findActual(first, context) })
    if (message) Object.assign(last, { passed: false, message })
  }
}

function evaluateCheck(run: Run, check: Check, context: ResponseContext): CheckResult {
  const actual: Actual =
    check.target === 'responses'
      ? { found: true, value: run.tools.countResponses?.(check.checks ?? []) ?? 0 }
      : findActual(check, context)
  const verdict = judgeCheck(run, check, { field: check.field, actual })
  const operator = findOperator(check)
  const operand = readOperand(check, run)
  const value = actual.found ? actual.value : null
  const measurable = actual.found && operator.measure && operator.takes.includes(typeOf(value))
  return {
    field: nameRow(check),
    expected: operand.problem === undefined && operator.show ? operator.show(operand.value) : operand.value,
    actual: measurable && operator.measure ? operator.measure(value) : value,
    passed: verdict.passed,
    message: verdict.passed ? 'OK' : verdict.message + explainStatus(check, context),
    operator: check.operator,
    at: (!verdict.passed && verdict.at) || check.at,
    ...(verdict.warning !== undefined && { warning: verdict.warning }),
    ...(!verdict.passed && verdict.diff && { diff: verdict.diff }),
    ...(!verdict.passed && verdict.snapshot && { snapshot: verdict.snapshot }),
    ...(!verdict.passed && verdict.unjudged && { unjudged: verdict.unjudged }),
    ...(!verdict.passed && verdict.gap !== undefined && { gap: verdict.gap }),
  }
}

/** Rows for checks that could not be made because no response came; `reason` is their message. */
export function failAllChecks(checks: readonly Check[], reason: string): CheckResult[] {
  return checks.map((check) => ({
    field: nameRow(check),
    expected: check.expected,
    actual: null,
    passed: false,
    message: reason,
    operator: check.operator,
    at: check.at,
  }))
}

// What a bare number stands for has no name of its own.
const BARE =
  /^(?:status_code\.(?:equals|in)|(?:response_time|duration|first_event)_ms\.less_than_or_equal|(?:size_bytes|close_code|responses\[\d+\]\.count)\.equals)$/

/** `body.<path>.<check>`, the rows of one value differ in their check. */
function nameRow({ target, field, operator }: Check): string {
  const name = `${field}.${operator}`
  return target === 'custom' || BARE.test(name) ? field : name
}

/**
 * Evaluates a custom check. The row's message is the author's message whether it passed or not; an error or a value
 * that is not a boolean is added to it.
 */
function evaluateCustom(check: Check, context: ResponseContext, tools: CheckTools): CheckResult {
  const source = check.expected as string
  const outcome = judgeCondition(source, context, tools)
  const warning = outcome.passed ? warnOfCondition(check, outcome, tools) : undefined
  return {
    field: check.field,
    expected: source,
    actual: outcome.value,
    passed: outcome.passed,
    message: describeOutcome(check, outcome),
    operator: check.operator,
    at: check.at,
    ...(!outcome.passed && { reads: outcome.showReads?.() }),
    ...(warning !== undefined && { warning }),
  }
}

type Outcome = ReturnType<CheckTools['condition']>

/** What a condition that passed may have passed by. */
function warnOfCondition(
  { field, expected }: Check,
  { misspelt }: Outcome,
  tools: CheckTools,
): string | undefined {
  if (misspelt !== undefined) return `The check \`${field}\` passed, but it ${misspelt}.`
  const empty = findEmptyList(expected as string, tools)
  return empty === undefined
    ? undefined
    : `\`${empty}.every(…)\` in the check \`${field}\` is true because the list is empty: nothing was judged. Ask for \`${empty}.length > 0\` too, or \`>= 0\` to allow an empty list.`
}

function judgeCondition(source: string, context: ResponseContext, tools: CheckTools): Outcome {
  // A condition such as `body.error === undefined` must not pass because the body is not JSON.
  if (context.bodyError !== undefined && /\bbody\b/.test(source))
    return { passed: false, value: 'not evaluated', error: context.bodyError }
  try {
    return tools.condition(source)
  } catch (error) {
    return { passed: false, value: 'not evaluated', error: (error as Error).message }
  }
}

/** The first list that `.every()` found empty, unless the condition asks for a length anyway. */
function findEmptyList(source: string, tools: CheckTools): string | undefined {
  if (source.includes('.length')) return undefined
  const lists = source.matchAll(/(?<![\w$.)\]])([a-z][\w.]*)\.every\(/gi).map(([, list]) => list as string)
  return lists.find((list) => {
    try {
      return tools.condition(`${list}?.length === 0`).passed
    } catch {
      // Part of a text in the condition: it is no list.
      return false
    }
  })
}

function describeOutcome({ message, expected: source }: Check, { passed, value, error }: Outcome): string {
  if (passed) return message ?? 'OK'
  const said = message ?? `Expected the condition \`${source as string}\` to be true`
  if (error !== undefined) return `${said}: ${error}`
  return value === 'false' && message !== undefined ? said : `${said}, got \`${value}\``
}
