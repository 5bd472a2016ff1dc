import { explainUnreadable, type CheckTools } from '../check-context.ts'
import type { ConditionVerdict, ResponseContext } from '../check-context.ts'
import type { Check, CheckResult } from '../check.ts'
import { findActual, type Actual } from './find-value.ts'
import { findOperator, judgeCheck, readOperand, type Run } from './judge-check.ts'
import { targets, type TargetKind } from '../targets.ts'
import { blame, fail, PASSED, takesType, type Verdict } from '../operators/operator.ts'
import { judgeSchema } from '../operators/schema.ts'
import type { Contract } from '../json-schema/load-schemas.ts'
import { quoteCode } from '../../text/show-value.ts'

/** Runs all checks on a response, in order. Returns a row for each; never throws because of the response. */
export function evaluateChecks(
  checks: readonly Check[],
  context: ResponseContext,
  tools: CheckTools,
): CheckResult[] {
  const run: Run = { tools, operands: new Map() }
  return checks.map((check) => {
    if (check.target === 'custom') return evaluateCustom(check, context, tools)
    if (check.target === 'openapi') return evaluateContract(check, context, tools)
    return evaluateCheck(run, check, context)
  })
}

function evaluateContract(check: Check, context: ResponseContext, tools: CheckTools): CheckResult {
  const contract = tools.contracts?.get(check.expected) ?? { problem: 'the document was not loaded' }
  const { warning: _, ...verdict } = judgeContract(contract, context, tools)
  const message = verdict.passed ? 'OK' : verdict.message
  return { ...verdict, ...makeRow(check, verdict.passed, message), actual: context.status_code }
}

function judgeContract(contract: Contract, { body, bodyError }: ResponseContext, tools: CheckTools): Verdict {
  if ('problem' in contract) return fail(`The response is not as \`openapi\` says: ${contract.problem}`)
  const { about, schema } = contract
  if (schema === undefined) return PASSED
  if (bodyError !== undefined) return { ...fail(bodyError), gap: bodyError }
  if ('problem' in schema) return blame('operand', `The schema of ${about} cannot be used: ${schema.problem}`)
  return judgeSchema(body, { ...schema, name: `schema of ${about}` }, { field: 'body', tools })
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
  const message = verdict.passed ? 'OK' : verdict.message
  const { warning, ...judged } = verdict
  return {
    ...judged,
    ...(verdict.passed && warning !== undefined && { warning }),
    ...makeRow(check, verdict.passed, message),
    expected: operand.problem === undefined && operator.show ? operator.show(operand.value) : operand.value,
    actual: actual.found && operator.measure && takesType(operator, value) ? operator.measure(value) : value,
    at: (!verdict.passed && verdict.at) || check.at,
  }
}

function makeRow(check: Check, passed: boolean, message: string): CheckResult {
  const { target, expected, operator, at } = check
  // The operator keeps apart the rows for the same value.
  const isPlain = target === 'custom' || BARE[targets[target].kind]?.includes(operator)
  const field = isPlain ? check.field : `${check.field}.${operator}`
  return { field, expected, actual: null, passed, message, operator, at }
}

/** Rows for checks that could not run because there was no response; `reason` is their message. */
export function failAllChecks(checks: readonly Check[], reason: string): CheckResult[] {
  return checks.map((check) => makeRow(check, false, reason))
}

// The operators that a bare value stands for: rows do not name them.
const BARE: Partial<Record<TargetKind, readonly string[]>> = {
  status: ['equals', 'in'],
  count: ['equals'],
  responses: ['equals'],
  openapi: ['openapi'],
  time: ['less_than_or_equal'],
}

function evaluateCustom(check: Check, context: ResponseContext, tools: CheckTools): CheckResult {
  const source = check.expected as string
  // A condition such as `body.error === undefined` must not pass just because the body is not JSON.
  const error = explainUnreadable(source, context)
  const outcome = error ? { passed: false, value: 'not evaluated', error } : tools.condition(source)
  const { passed, value, doubt, showReads } = outcome
  return {
    ...makeRow(check, passed, describeOutcome(check, outcome)),
    actual: value,
    ...(!passed && { reads: showReads?.() }),
    ...(passed && doubt && { warning: `The check \`${check.field}\` passed, but it ${doubt}.` }),
  }
}

function describeOutcome(
  { message, expected: source }: Check,
  { passed, value, error, failure }: ConditionVerdict,
): string {
  if (passed) return message ?? 'OK'
  const said = message ?? `Expected the condition ${quoteCode(source as string)} to be true`
  if (error !== undefined) return `${said}: ${error}`
  if (failure) return `${said}, but it failed with \`${value}\``
  return value === 'false' && message !== undefined ? said : `${said}, got \`${value}\``
}
