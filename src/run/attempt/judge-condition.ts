import type { ConditionVerdict } from '../../assertion/check-context.ts'
import { evaluateCondition } from '../../interpolation/expressions/engine.ts'
import { lowerHeaderNames } from '../../interpolation/header-names.ts'
import { findUnset } from '../../interpolation/find-unset.ts'
import { explainAbsence, findDoubt, listReadResults } from '../../interpolation/doubt-condition.ts'
import { explainWithoutCalls, keepCalls } from '../../interpolation/sandbox/wait-for-calls.ts'
import { documentedGlobals } from '../../interpolation/sandbox/extension-functions.ts'
import { showReads } from '../../interpolation/suggest-reference.ts'
import { parseExpression } from '../../interpolation/syntax/expression.ts'
import { listNodes, parseJavaScript, type SyntaxNode } from '../../interpolation/syntax/javascript.ts'
import type { Scope } from '../../interpolation/variables/scope.ts'
import { createSuiteRedactor } from '../../secrets/suite-redactor.ts'
import { quoteCode } from '../../text/show-value.ts'
import type { SuiteRun } from '../suite-run.ts'

/** Evaluates a condition, and looks for names without a value and what else is doubtful in it. */
export function judgeCondition(condition: string, scope: Scope, run: SuiteRun): ConditionVerdict {
  const source = lowerHeaderNames(condition, scope.locals)
  // What explains the condition evaluates parts of it again, which must neither change anything nor find anything new.
  const keep = keepCalls()
  const explain = <Value>(work: () => Value): Value => keep(() => explainWithoutCalls(work))
  const verdict = keep(() => evaluateCondition(scope.engine, source, scope))
  // If the condition failed with an error, the error already says what is not defined.
  const unset = verdict.failure || run.plan.isLenient ? undefined : findUnset(source, scope)
  if (verdict.passed && unset !== undefined) return { passed: false, value: unset, error: unset }
  const written = scope.engine.readFunction?.(source) || source
  const find = (): string | undefined => findAbsent(written, scope) ?? findEmpty(written, scope)
  const found = verdict.passed ? explain(find) : undefined
  const doubt = findDoubt(written, scope, verdict.passed) ?? found
  const showAll = (): string[] =>
    [verdict.failure ? [] : showSides(written, scope, run), showReads(written, scope) ?? []].flat()
  const show = (): string | undefined => unset ?? (explain(showAll).join(', ') || undefined)
  return { ...verdict, doubt, showReads: show }
}

/** Explains that what a condition compares of the result of a call is not there. */
function findAbsent(source: string, scope: Scope): string | undefined {
  const isAbsent = (read: string): boolean =>
    evaluateCondition(scope.engine, `(${read}) === undefined`, scope).passed
  const absent = listReadResults(source).find(isAbsent)
  return absent && explainAbsence(absent, source)
}

/** Shows what was compared, or asked by a method, if a call gave it: `body.lines.join()` is `"a,b"`. Not if it may be a part of a secret: text that reads one, or a variable or cookie, whose value may be one. */
function showSides(source: string, scope: Scope, { plan, environment }: SuiteRun): string[] {
  const { isSecretName } = createSuiteRedactor(plan, environment.settings.redact)
  const sides = listNodes(parseJavaScript(source).node, ({ type }) => JOINS.test(type))
    .flatMap(listOperands)
    .filter((side) => listNodes(side).some(({ type }) => type === 'CallExpression'))
  return sides.flatMap(({ start, end }) => {
    const side = source.slice(start, end)
    if (side.match(/[\w$-]+/g)?.some((name) => name === '$env' || isSecretName(name))) return []
    const { value, failure } = evaluateCondition(scope.engine, `(${side})`, scope)
    const readsVariable = parseExpression(side).freeNames.some(
      ({ name }) => CLOSED.test(name) || !(name in (scope.locals ?? {}) || documentedGlobals.has(name)),
    )
    const isHidden = readsVariable && /^["[{]/.test(value)
    return failure || isHidden ? [] : `${quoteCode(side)} is ${quoteCode(value)}`
  })
}

const CLOSED = /^(?:cookies|variables)$/
const JOINS = /^(?:Logical|Parenthesized|Chain|Unary)Expression$/

function listOperands({ operator, left, right, callee, arguments: passed }: SyntaxNode): SyntaxNode[] {
  if (right && /^[=!<>]/.test(String(operator))) return [left, right] as SyntaxNode[]
  const operands = [(callee as SyntaxNode | undefined)?.['object'], passed ?? []].flat() as SyntaxNode[]
  return operands.filter((one) => one && !/Function|Spread/.test(one.type))
}

/** Explains that a condition calls `every` on an empty list, which is always true. Not if it also asks for the length. */
function findEmpty(source: string, scope: Scope): string | undefined {
  if (!source.includes('.every(')) return undefined
  const lists = listNodes(parseJavaScript(source).node).flatMap(({ property, object }) =>
    (property as SyntaxNode | undefined)?.['name'] === 'every'
      ? source.slice((object as SyntaxNode).start, (object as SyntaxNode).end)
      : [],
  )
  const isEmpty = (list: string): boolean =>
    !source.includes(`${list}.length`) &&
    evaluateCondition(scope.engine, `(${list})?.length === 0`, scope).passed
  const empty = lists.find(isEmpty)
  return (
    empty &&
    `calls \`${empty}.every(…)\` on an empty list, which is always true: also require \`${empty}.length > 0\`, or \`>= 0\` to allow an empty list`
  )
}
