import { evaluateCondition } from '../interpolation/engine.ts'
import { readScopeValues } from '../interpolation/expression-values.ts'
import type { RetryPlan, StepPlan } from '../suite/plan.ts'
import { createScope, type SuiteRun } from './suite-run.ts'
import type { AttemptOutcome } from './run-attempt.ts'
import { listLocals } from './response-values.ts'

/** What decides on a further attempt. */
export type RetryState = {
  run: SuiteRun
  step: StepPlan
  retry: RetryPlan
  last: AttemptOutcome
  made: number
}

/** Milliseconds to wait before the next attempt, or undefined when there is none. */
export function nextDelay(state: RetryState): number | undefined {
  const { retry, last, made } = state
  if (made >= retry.maxAttempts || !wantsRetry(state)) return undefined
  const backoff = retry.backoff === 'exponential' ? retry.baseDelay * 2 ** (made - 1) : retry.baseDelay
  const asked = readRetryAfter(last)
  return Math.min(Math.max(backoff, asked ?? 0), retry.maxDelay)
}

function wantsRetry({ run, retry, last }: RetryState): boolean {
  const { response } = last
  if (!response) return true
  if (Array.isArray(retry.on)) return retry.on.includes(response.status_code)
  const holds = (condition: string): boolean =>
    evaluateCondition(
      run.environment.engine,
      condition,
      readScopeValues({ ...createScope(run), locals: listLocals(response) }),
    ).passed
  if (retry.on !== undefined) return holds(retry.on)
  if (retry.until !== undefined) return !holds(retry.until)
  return last.failures.length > 0
}

/** The `Retry-After` header in ms: seconds or an HTTP date (RFC 9110, section 10.2.3). */
function readRetryAfter({ response }: AttemptOutcome): number | undefined {
  const header = response?.headers['retry-after']
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - (performance.timeOrigin + performance.now()))
}
