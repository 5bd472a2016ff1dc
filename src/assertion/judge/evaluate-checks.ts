import type { CheckTools } from '../check-tools.ts'
import type { Check, CheckResult } from '../check.ts'
import { evaluateCustom } from './evaluate-custom.ts'
import { findActual, type Actual } from './find-value.ts'
import { findOperator, judgeCheck, readOperand, type Run } from './judge-check.ts'
import type { ResponseContext } from '../response-context.ts'
import { typeOf } from '../../text/show-value.ts'

/** Makes all checks on a response, in their order, and reports one row each; whatever the response holds is a row, not an exception. */
export function evaluateChecks(
  checks: readonly Check[],
  context: ResponseContext,
  tools: CheckTools,
): CheckResult[] {
  const run: Run = { tools, operands: new Map() }
  return checks.map((check) =>
    check.target === 'custom' ? evaluateCustom(check, context, tools) : evaluateCheck(run, check, context),
  )
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
    expected: operand.usable && operator.show ? operator.show(operand.value) : operand.value,
    actual: measurable && operator.measure ? operator.measure(value) : value,
    passed: verdict.passed,
    message: verdict.passed ? 'OK' : verdict.message,
    operator: check.operator,
    at: (!verdict.passed && verdict.at) || check.at,
    ...(verdict.warning !== undefined && { warning: verdict.warning }),
    ...(!verdict.passed && verdict.diff && { diff: verdict.diff }),
    ...(!verdict.passed && verdict.snapshot && { snapshot: verdict.snapshot }),
    ...(!verdict.passed && verdict.unjudged && { unjudged: verdict.unjudged }),
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
const BARE = new Set([
  'status_code.equals',
  'status_code.in',
  'response_time_ms.less_than_or_equal',
  'duration_ms.less_than_or_equal',
  'first_event_ms.less_than_or_equal',
  'size_bytes.equals',
])

/** `body.<path>.<check>`, the rows of one value differ in their check. */
function nameRow({ target, field, operator }: Check): string {
  const name = `${field}.${operator}`
  const isBare = BARE.has(name) || (target === 'responses' && operator === 'equals')
  return target === 'custom' || isBare ? field : name
}
