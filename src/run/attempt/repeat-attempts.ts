import { failAllChecks } from '../../assertion/judge/evaluate-checks.ts'
import { explainUnreadable } from '../../assertion/check-context.ts'
import type { ConditionVerdict, ResponseContext } from '../../assertion/check-context.ts'
import { matchesStatus } from '../../assertion/operators/status.ts'
import { waitForCalls } from '../../interpolation/sandbox/wait-for-calls.ts'
import { readTimestamp } from '../../timestamp.ts'
import type { RetryPlan } from '../../suite/plan/plan.ts'
import type { Attempt } from '../result.ts'
import { countOf } from '../../text/units.ts'
import { describeStop, type SentExchange } from '../step-outcome.ts'
import { wait } from '../wait.ts'
import {
  createAttempt,
  failRequest,
  markAttempt,
  mentions,
  warn,
  type RunningStep,
  type StepAttempt,
} from './attempt.ts'
import { listLocals } from './describe-exchange.ts'
import { judgeCondition } from './judge-condition.ts'
import { judgeResponse, toRow, warnUnjudged } from './judge-response.ts'
import { prepareStep, sendStep, runAfterEach } from './send-step.ts'

/** Settings of a step when it runs; `delay` in ms. */
export type FilledSettings = { delay: number; retry: RetryPlan | undefined }

/** The last attempt of a step, all of them as results show them, and the exchanges of earlier ones by number. */
export type Attempts = { last: StepAttempt; attempts: Attempt[]; earlier: Map<number, SentExchange> }

/** Attempts a step until its `retry` asks for no more. The wait before the first attempt belongs to the step, as does what the application does meanwhile. */
export async function repeatAttempts(
  running: RunningStep,
  { delay: first, retry }: FilledSettings,
): Promise<Attempts> {
  const { step, signal } = running
  const attempts: Attempt[] = []
  const earlier = new Map<number, SentExchange>()
  if (first > 0) await wait(first, signal)
  for (let waited = 0; ;) {
    const last = createAttempt(running)
    if (signal?.aborted && attempts.length === 0) {
      last.failures.push(describeStop(step, signal))
      return { last, attempts, earlier }
    }
    const start_time = readTimestamp()
    const started = performance.now()
    await runAttempt(last)
    const decide = (): RetryDecision => (retry ? decideRetry(last, retry, attempts.length + 1) : {})
    const { delay, unmet } = await waitForCalls(decide, { mark: () => markAttempt(last), signal })
    if (unmet !== undefined) addUnmet(last, unmet)
    const attempt: Attempt = {
      attempt: attempts.length + 1,
      start_time,
      duration_ms: Math.round(performance.now() - started),
      delay_ms: waited,
      status: last.failures.length === 0 && delay === undefined ? 'success' : 'failure',
      ...(last.response && { status_code: last.response.status_code }),
      ...(last.failures[0] && { error_message: last.failures[0].message }),
    }
    attempts.push(attempt)
    if (delay !== undefined) {
      running.learn?.({ ...last.details, assertions_results: last.rows, captured_variables: last.captured })
      keepExchange(attempt, earlier, last)
      await wait((waited = delay), signal)
    }
    // Of a burst, some responses may not have been checked.
    if (signal?.aborted && (step.burst || last.failures.length > 0 || delay !== undefined)) {
      // That the request failed would only repeat that the step was stopped.
      if (!last.response) last.failures = last.failures.filter(({ kind }) => kind !== 'request')
      last.failures.unshift(describeStop(step, signal))
    }
    if (delay !== undefined && !signal?.aborted) continue
    warnUnjudged(last)
    return { last, attempts, earlier }
  }
}

/** Sends a step's request (or makes its call) once and judges the response; without one, every check fails. */
async function runAttempt(attempt: StepAttempt): Promise<void> {
  const { step, failures, rows } = attempt
  if (step.call) await attempt.call?.(attempt)
  else attempt.response = await send(attempt)
  const { response } = attempt
  if (response) {
    if (step.burst) return
    const { listCalls, details } = attempt
    if ((listCalls ?? details.mock_calls) && mentions(attempt, 'mock_calls'))
      response.mock_calls = [...(details.mock_calls ?? []), ...((await listCalls?.()) ?? [])]
    if (step.request) await runAfterEach(attempt, response)
    return judgeResponse(attempt, response)
  }
  const reason = failures[0]?.message ?? 'There is no response: no request was sent.'
  rows.push(...failAllChecks(step.checks, reason).map(toRow))
  if (failures.length === 0 && step.checks.length + step.captures.length > 0) failRequest(attempt, reason)
}

/** Sends a step according to its kind; modules for special kinds are loaded on demand. A burst judges its responses itself. */
async function send(attempt: StepAttempt): Promise<ResponseContext | undefined> {
  const { websocket, burst, stream } = attempt.step
  const prepared = await prepareStep(attempt)
  if (!prepared) return undefined
  if (websocket) return (await import('../kinds/hold-dialogue.ts')).holdDialogue(attempt, prepared, websocket)
  if (burst) return (await import('../kinds/send-burst.ts')).sendBurst(attempt, prepared, burst)
  if (stream) return (await import('../kinds/follow-stream.ts')).followStream(attempt, prepared, stream)
  return sendStep(attempt, prepared)
}

/** Maximum number of attempts whose exchange is kept, and of bytes of such a response. */
const [mostKept, largestKept] = [20, 65_536]

function keepExchange(attempt: Attempt, earlier: Attempts['earlier'], last: StepAttempt): void {
  const { exchange, details } = last
  if (!exchange || attempt.attempt > mostKept) return
  if ((exchange.response?.body.byteLength ?? 0) > largestKept) return
  earlier.set(attempt.attempt, exchange)
  const { request_details, response_details } = details
  Object.assign(attempt, request_details && { request_details }, response_details && { response_details })
}

function addUnmet({ step, response, failures, rows }: StepAttempt, message: string): void {
  // It explains why the checks failed, so it comes first; without a response, the failed request says it all.
  if (response || failures.length === 0) failures.unshift({ message, at: step.retry?.at ?? step.at })
  const actual = response?.status_code ?? null
  rows.push({ field: 'retry', expected: 'no further attempt', actual, passed: false, message })
}

/** `delay`: ms until the next attempt, if there is one. `unmet`: says that attempts ran out or `until` never held. */
type RetryDecision = { delay?: number; unmet?: string }

function decideRetry(last: StepAttempt, retry: RetryPlan, made: number): RetryDecision {
  const until = retry.until === undefined ? undefined : evaluate(last, retry.until)
  if (until?.passed && until.doubt !== undefined)
    warn(last, retry.at, `\`retry.until: ${retry.until}\` held, but it ${until.doubt}.`)
  const isWanted = wantsRetry(last, retry, until)
  if (isWanted && made < retry.max_attempts) return { delay: computeDelay(last, retry, made) }
  const attempts = countOf(made, 'attempt')
  if (until === undefined) return isWanted ? describeOn(last, retry, attempts) : {}
  // Even if `on` asks for no further attempt, `until` has to hold.
  if (!isWanted && (until.passed || last.isFinal || !last.response)) return {}
  const gave = until.value === 'false' ? '' : `; it gave ${until.value}`
  const reads = until.doubt === undefined ? until.showReads?.() : `it ${until.doubt}`
  const why = reads === undefined ? '' : `: ${reads}`
  return { unmet: `\`retry.until: ${retry.until}\` did not hold after ${attempts}${gave}${why}.` }
}

/** Fails a step that would pass although `on` still holds, unless a check of its own is about the status. Not in suites of flow-test-engine. */
function describeOn(
  { run, rows, failures, response }: StepAttempt,
  { on }: RetryPlan,
  attempts: string,
): RetryDecision {
  // A check of the status does not cover a condition on anything else.
  const isOfStatus = typeof on !== 'string' || on.includes('status_code')
  const isAsked = isOfStatus && rows.some(({ field }) => field === 'status_code')
  if (on === undefined || failures.length > 0 || isAsked || run.plan.isLenient) return {}
  const shown = Array.isArray(on) ? `[${on.join(', ')}]` : on
  const answer = `the response has status ${response?.status_code}`
  return { unmet: `\`retry.on: ${shown}\` still held after ${attempts}: ${answer}.` }
}

function wantsRetry(last: StepAttempt, { on, at }: RetryPlan, until: ConditionVerdict | undefined): boolean {
  const { response, failures } = last
  if (until?.passed || last.isFinal) return false
  if (on === undefined) return until !== undefined || failures.length > 0
  if (!response) return false
  if (Array.isArray(on)) return on.some((status) => matchesStatus(response.status_code, status))
  const { passed, value, doubt, failure } = evaluate(last, on)
  let why = doubt && `\`retry.on: ${on}\` did not hold, and ${doubt}`
  if (failure) why = `\`retry.on: ${on}\` failed with \`${value}\``
  else if (value !== 'true' && value !== 'false')
    why = `Expected \`retry.on: ${on}\` to be true or false, got ${value}`
  if (!passed && why !== undefined) warn(last, at, `${why}: the request is not repeated.`)
  return passed
}

function evaluate({ run, scope, response }: StepAttempt, condition: string): ConditionVerdict {
  if (!response) return { passed: false, value: 'no response' }
  // As in checks, `body.state !== 'busy'` must not hold just because the body is not JSON.
  const reason = explainUnreadable(condition, response)
  if (reason !== undefined) return { passed: false, value: reason }
  return judgeCondition(condition, { ...scope, locals: listLocals(response) }, run)
}

/** ms to wait: fixed or doubled each time, or longer if the server asks for it, but never above the cap. */
function computeDelay(last: StepAttempt, retry: RetryPlan, made: number): number {
  const { backoff, base_delay_ms: base, max_delay_ms: most } = retry
  const delay = backoff === 'exponential' ? base * 2 ** (made - 1) : base
  return Math.min(Math.max(delay, readRetryAfter(last)), most)
}

/** The `Retry-After` header in ms, 0 without one: seconds or an HTTP date (RFC 9110, 10.2.3) compared with the suite's `clock`. */
function readRetryAfter({ response }: StepAttempt): number {
  const text = [response?.headers['retry-after'] ?? ''].flat()[0]?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  return Math.max(0, Date.parse(text) - Date.now()) || 0
}
