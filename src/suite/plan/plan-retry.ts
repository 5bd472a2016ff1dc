import { toPointer } from '../../path/field-path.ts'
import { placeInside, type ContextPlace } from '../load-context.ts'
import { readMilliseconds } from '../../text/units.ts'
import type { TemplatedSetting, RetryPlan } from './plan.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { isStatus } from '../schema/patterns.ts'
import type { RetryInput } from '../schema/schema.ts'
import { explainBadCondition, unwrapExpression } from '../../interpolation/explain-bad-condition.ts'

const SETTINGS = ['max_attempts', 'base_delay_ms', 'max_delay_ms'] as const

/** Plans `retry` settings; reports conditions that do not parse. */
export function planRetry(retry: RetryInput | undefined, place: ContextPlace): RetryPlan | undefined {
  if (retry === undefined) return undefined
  const { context, path } = place
  const plan: RetryPlan = { ...readRetry(retry), at: context.locate(path) }
  const map = typeof retry === 'object' ? retry : { max_attempts: retry }
  const open = SETTINGS.flatMap((key): TemplatedSetting[] => {
    const text = map[key]
    const pointer = toPointer(typeof retry === 'object' ? [...path, key] : path)
    return typeof text === 'string' && hasTemplate(text) ? [{ key, text, pointer }] : []
  })
  if (open.length > 0) plan.open = open
  for (const key of ['on', 'until'] as const) {
    const condition = plan[key]
    if (typeof condition === 'string') plan[key] = readCondition(condition, placeInside(place, key))
  }
  return plan
}

/** `retry` settings with every default filled in. */
export function readRetry(written: RetryInput): Omit<RetryPlan, 'at'> {
  const retry = typeof written === 'object' ? written : { max_attempts: written }
  return {
    // A template is filled in when the step runs.
    max_attempts: typeof retry.max_attempts === 'number' ? retry.max_attempts : 1,
    base_delay_ms: readMilliseconds(retry.base_delay_ms) ?? 1000,
    max_delay_ms: readMilliseconds(retry.max_delay_ms) ?? 30_000,
    backoff: retry.backoff ?? 'exponential',
    on: isStatus(retry.on) ? [retry.on] : retry.on,
    until: retry.until,
  }
}

/** The JavaScript of a condition, which may be written as one `{{…}}`. Reports it if it does not parse. */
export function readCondition(written: string, { context, path }: ContextPlace): string {
  const source = unwrapExpression(written)
  const problem = explainBadCondition(source)
  // Such as `skip: flaky on CI`.
  const isReason = path.at(-1) === 'skip' && /^[\p{L}\d\s,#-]+$/u.test(source)
  const hint = 'Why a step is skipped is written as `skip: { when: true, reason: … }`.'
  if (problem) context.report(path, isReason ? { ...problem, hint } : problem)
  return source
}
