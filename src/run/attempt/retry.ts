import { matchesStatus } from '../../assertion/operators/status.ts'
import type { JsonObject } from '../../json.ts'
import { warnAt } from '../../errors.ts'
import type { RetryPlan } from '../../suite/plan/plan.ts'
import type { AttemptOutcome } from './attempt.ts'
import { listLocals } from './describe-exchange.ts'
import { judgeCondition, type ConditionVerdict } from './judge-condition.ts'
import { createScope, type SuiteRun } from '../suite-run.ts'

/** What decides on a further attempt. */
export type RetryState = {
  run: SuiteRun
  retry: RetryPlan
  loop: JsonObject | undefined
  last: AttemptOutcome
  /** Attempts made so far. */
  made: number
}

/** Milliseconds to wait before the next attempt, or nothing and, if the attempts end while another one is wanted, that as a sentence. */
export type RetryDecision = { delay?: number; unmet?: string }

/** Decides after an attempt whether there is another one, and when. */
export function decideRetry(state: RetryState): RetryDecision {
  const { retry, last, made } = state
  const until = retry.until === undefined ? undefined : evaluate(state, retry.until)
  if (until?.passed && until.misspelt !== undefined)
    last.warnings.push(warnAt(retry.at, `\`retry.until: ${retry.until}\` held, but it ${until.misspelt}.`))
  const isWanted = wantsRetry(state, until)
  if (isWanted && made < retry.maxAttempts) return { delay: computeDelay(retry, last, made) }
  const attempts = `${made} attempt${made === 1 ? '' : 's'}`
  if (until === undefined) return isWanted ? describeOn(state, attempts) : {}
  // Where `on` asks for no further attempt, `until` has to hold all the same.
  if (!isWanted && (until.passed || last.final || !last.response)) return {}
  const shown = until.value === 'false' ? '' : `; it gave ${until.value}`
  const { misspelt } = until
  const reads = until.showReads?.()
  const read = misspelt !== undefined ? `; it ${misspelt}` : reads === undefined ? '' : `: ${reads}`
  return { unmet: `\`retry.until: ${retry.until}\` did not hold after ${attempts}${shown}${read}.` }
}

/**
 * A step that would pass although the request was still to be repeated, unless one of its checks asks for that status; what
 * another engine made of it is left alone.
 */
function describeOn({ run, retry, last }: RetryState, attempts: string): RetryDecision {
  // What a condition asks of the body, a check of the status does not answer.
  const isOfBody = typeof retry.on === 'string' && /^(?!.*\bstatus_code\b).*\bbody\b/s.test(retry.on)
  const isAsked = !isOfBody && last.rows.some(({ field }) => field === 'status_code')
  if (retry.on === undefined || last.failures.length > 0 || isAsked || run.plan.rules.endsRetry) return {}
  const on = Array.isArray(retry.on) ? `[${retry.on.join(', ')}]` : retry.on
  const answer = `the answer has status ${last.response?.status_code}`
  return { unmet: `\`retry.on: ${on}\` still held after ${attempts}: ${answer}.` }
}

function wantsRetry(state: RetryState, until: ConditionVerdict | undefined): boolean {
  const { retry, last } = state
  const { response } = last
  if (until?.passed || last.final) return false
  if (retry.on === undefined) return until !== undefined || last.failures.length > 0
  if (!response) return false
  if (Array.isArray(retry.on)) return retry.on.some((status) => matchesStatus(response.status_code, status))
  const { passed, value, misspelt } = evaluate(state, retry.on)
  const why =
    value !== 'false'
      ? `Expected \`retry.on: ${retry.on}\` to be true or false, got ${value}`
      : misspelt && `\`retry.on: ${retry.on}\` did not hold, and ${misspelt}`
  if (!passed && why !== undefined)
    last.warnings.push(warnAt(retry.at, `${why}: the request is not repeated.`))
  return passed
}

function evaluate({ run, loop, last: { response } }: RetryState, condition: string): ConditionVerdict {
  if (!response) return { passed: false, value: 'no response' }
  const scope = { ...createScope(run, loop), locals: listLocals(response) }
  return judgeCondition(run.environment.engine, condition, scope)
}

/** Fixed or doubled waits, or what the server asks for if that is longer; never more than the cap. */
function computeDelay(retry: RetryPlan, last: AttemptOutcome, made: number): number {
  const backoff = retry.backoff === 'exponential' ? retry.baseDelay * 2 ** (made - 1) : retry.baseDelay
  return Math.min(Math.max(backoff, readRetryAfter(last) ?? 0), retry.maxDelay)
}

/** The `Retry-After` header in ms: seconds or an HTTP date (RFC 9110, section 10.2.3), which is one of the suite's `clock`. */
function readRetryAfter({ response }: AttemptOutcome): number | undefined {
  const header = response?.headers['retry-after']
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
