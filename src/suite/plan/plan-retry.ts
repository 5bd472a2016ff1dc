import { unwrapExpression } from '../../assertion/parse/parse-custom.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import type { RetryPlan } from './plan.ts'
import type { RetryInput } from '../schema/schema.ts'
import type { ValuePath } from '../source-tree.ts'
import { validateCondition } from '../check/validate-condition.ts'

/** Fills in the defaults of `retry` settings; a condition that does not parse is reported. */
export function planRetry(
  value: Json | undefined,
  path: ValuePath,
  context: LoadContext,
): RetryPlan | undefined {
  if (!isJsonObject(value)) return undefined
  const retry = value as RetryInput
  const { on, until } = retry
  return {
    maxAttempts: retry.max_attempts,
    baseDelay: retry.base_delay_ms ?? 1000,
    maxDelay: retry.max_delay_ms ?? 30_000,
    backoff: retry.backoff ?? 'exponential',
    at: context.locate(path),
    ...(on !== undefined && {
      on: typeof on === 'string' ? readCondition(on, [...path, 'on'], context) : on,
    }),
    ...(typeof until === 'string' && { until: readCondition(until, [...path, 'until'], context) }),
  }
}

/** The JavaScript of a condition, which may be written as one `{{…}}`; reports when it does not parse. */
export function readCondition(written: string, path: ValuePath, context: LoadContext): string {
  const source = unwrapExpression(written)
  const problem = written.trim() === '' ? undefined : validateCondition(source)
  if (problem)
    context.report(path, {
      code: 'bad-expression',
      message: `The condition does not parse at character ${problem.offset + 1}: ${problem.message}.`,
    })
  return source
}
