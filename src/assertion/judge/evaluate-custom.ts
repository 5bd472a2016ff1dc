import { findEveryLists } from '../../interpolation/syntax/every-lists.ts'
import type { CheckTools } from '../check-tools.ts'
import type { Check, CheckResult } from '../check.ts'
import type { ResponseContext } from '../response-context.ts'

/**
 * Evaluates a custom check. The row's message is the author's message whether it passed or not; an error or a value
 * that is not a boolean is added to it.
 */
export function evaluateCustom(check: Check, context: ResponseContext, tools: CheckTools): CheckResult {
  const source = check.expected as string
  const outcome = judgeCondition(source, { context, tools })
  const empty = outcome.passed ? findEmptyList(source, tools) : undefined
  return {
    field: check.field,
    expected: source,
    actual: outcome.value,
    passed: outcome.passed,
    message: describeOutcome(check, outcome),
    operator: check.operator,
    at: check.at,
    ...(empty !== undefined && {
      warning: `\`${empty}.every(…)\` in the check \`${check.field}\` is true because the list is empty: nothing was judged. Ask for \`${empty}.length > 0\` too, or \`>= 0\` to allow an empty list.`,
    }),
  }
}

type Outcome = ReturnType<CheckTools['condition']>

function judgeCondition(
  source: string,
  { context, tools }: { context: ResponseContext; tools: CheckTools },
): Outcome {
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
  if (!source.includes('.every(') || source.includes('.length')) return undefined
  return findEveryLists(source).find((list) => {
    try {
      return tools.condition(`(${list}).length === 0`).passed
    } catch {
      // Part of a callback: it has no value outside.
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
