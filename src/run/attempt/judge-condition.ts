import type { ConditionVerdict } from '../../assertion/check-context.ts'
import { evaluateCondition } from '../../interpolation/expressions/engine.ts'
import { lowerHeaderNames } from '../../interpolation/header-names.ts'
import { findUnset } from '../../interpolation/find-unset.ts'
import { findDoubt } from '../../interpolation/doubt-condition.ts'
import { showReads } from '../../interpolation/suggest-reference.ts'
import { listNodes, parseJavaScript, type SyntaxNode } from '../../interpolation/syntax/javascript.ts'
import type { Scope } from '../../interpolation/variables/scope.ts'

/** Evaluates a condition, and looks for names without a value and what else is doubtful in it. */
export function judgeCondition(condition: string, scope: Scope, isLenient: boolean): ConditionVerdict {
  const source = lowerHeaderNames(condition, scope.locals)
  const verdict = evaluateCondition(scope.engine, source, scope)
  // If the condition failed with an error, the error already says what is not defined.
  const unset = verdict.failure || isLenient ? undefined : findUnset(source, scope)
  if (verdict.passed && unset !== undefined) return { passed: false, value: unset, error: unset }
  const written = scope.engine.readFunction?.(source) || source
  const empty = verdict.passed ? findEmpty(written, scope) : undefined
  const doubt = findDoubt(written, scope, verdict.passed) ?? empty
  return { ...verdict, doubt, showReads: () => unset ?? showReads(written, scope) }
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
