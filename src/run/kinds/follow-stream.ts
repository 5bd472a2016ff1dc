import type { ConditionVerdict, ResponseContext } from '../../assertion/check-context.ts'
import type { ResponseHead } from '../../request/exchange.ts'
import { createEventReader, type EventReader } from '../../request/receive/event-reader.ts'
import { closedCodes, readErrorCode } from '../../request/render/describe-failure.ts'
import { RequestProblem } from '../../request/request-problem.ts'
import type { StreamPlan, TriggerPlan } from '../../suite/plan/plan.ts'
import { MOST_EVENTS } from '../../suite/schema/schema-exchange.ts'
import { countOf } from '../../text/units.ts'
import { showValue } from '../../text/show-value.ts'
import { warn, type StepAttempt } from '../attempt/attempt.ts'
import { judgeCondition } from '../attempt/judge-condition.ts'
import { sendStep, type PreparedStep } from '../attempt/send-step.ts'
import { sendTrigger } from './send-trigger.ts'

/** Sends a step's request and reads the response as a stream, until it has brought what the plan asks for. */
export async function followStream(
  attempt: StepAttempt,
  { spec, options, filled }: PreparedStep,
  plan: StreamPlan,
): Promise<ResponseContext | undefined> {
  const { run, scope, details, failures } = attempt
  const { until, events: wanted = MOST_EVENTS, within = Infinity, trigger } = plan
  let verdict: ConditionVerdict = { passed: false, value: 'false' }
  const reader = await createEventReader((event, count) => {
    if (until === undefined) return count >= wanted
    verdict = judgeCondition(until, { ...scope, locals: { event } }, run)
    // Checked here too: conditions on events of one chunk come without a pause and would keep all suites waiting.
    return verdict.passed || verdict.failure === 'timeout' || count >= wanted || event.at_ms > within
  })
  const opened = Promise.withResolvers<boolean>()
  const begin = (head: ResponseHead): boolean => {
    const isStream = reader.begin(head)
    if (isStream) opened.resolve(true)
    return isStream
  }
  // `within` replaces the timeout of the request.
  const bounded = plan.within === undefined ? spec : { ...spec, timeout: plan.within, timeoutName: 'within' }
  const failed = new AbortController()
  const signal = AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])])
  const sent = { spec: bounded, options: { ...options, signal, reader: { ...reader, begin } }, filled }
  const sendWhenOpen = async (plan: TriggerPlan): Promise<void> => {
    if ((await opened.promise) && !(await sendTrigger(attempt, plan))) failed.abort()
  }
  const [response] = await Promise.all([
    sendStep(attempt, sent).finally(() => opened.resolve(false)),
    trigger && sendWhenOpen(trigger),
  ])
  // Without the trigger, nothing was waited for any longer.
  const cut = failed.signal.aborted ? failures.findIndex(({ kind }) => kind === 'request') : -1
  if (cut !== -1) failures.splice(cut, 1)
  if (response) judgeEnding(attempt, plan, { reader, verdict, response })
  else if (trigger && !details.response_details) {
    const why = 'it waits for the head of the response, which the server must send before the first event'
    warn(attempt, trigger.at, `The \`trigger\` was not sent: ${why}.`)
  }
  return response
}

/** Records the events of a response, and adds a row that says whether they were as expected. */
function judgeEnding(
  attempt: StepAttempt,
  plan: StreamPlan,
  {
    reader,
    verdict,
    response,
  }: { reader: EventReader; verdict: ConditionVerdict; response: ResponseContext },
): void {
  const { details, rows, failures } = attempt
  const { events, oddity } = reader
  const { until, at } = plan
  const added = { events: [...events], ...(events[0] && { first_event_ms: events[0].at_ms }) }
  Object.assign(response, added)
  Object.assign(details.response_details ?? {}, added)
  const problem = explainEnding(reader, plan, verdict)
  const row = { field: 'stream', expected: describeEnd(plan), actual: countOf(events.length, 'event') }
  rows.push({ ...row, passed: problem === undefined, message: problem ?? 'OK' })
  if (verdict.passed && verdict.doubt !== undefined)
    warn(attempt, at, `\`stream.until: ${until}\` held, but it ${verdict.doubt}.`)
  if (oddity !== undefined) warn(attempt, at, oddity)
  if (problem !== undefined) failures.push({ message: problem, at, about: 'stream' })
}

function describeEnd({ until, events }: Pick<StreamPlan, 'until' | 'events'>): string {
  if (until !== undefined) return `until ${until}`
  return events === undefined ? 'its end' : countOf(events, 'event')
}

/** Why a stream did not end as expected; undefined if it did. */
function explainEnding(
  { events, ending }: EventReader,
  { until, events: wanted, within = Infinity }: StreamPlan,
  verdict: ConditionVerdict,
): string | undefined {
  if (typeof ending === 'object' && 'other' in ending)
    return `Expected the response to be a stream, text/event-stream, NDJSON such as application/x-ndjson or multipart/mixed, but ${ending.other}.`
  const reason =
    typeof ending === 'object' && ending.reason instanceof RequestProblem ? ending.reason : undefined
  const isQuiet = wanted === 0 && events.length === 0 && reason?.code === 'TIMEOUT'
  const isMet = until === undefined ? isQuiet || ending === (wanted ? 'enough' : 'end') : verdict.passed
  if (isMet) return undefined
  const awaited = until === undefined ? describeEnd({ events: wanted }) : `an event with \`until: ${until}\``
  const last = events.at(-1)
  if (wanted === 0 && last)
    return `Expected no event, but one came after ${Math.round(last.at_ms)} ms: ${showValue(last.data)}.`
  const { value, failure, doubt, showReads } = verdict
  const read = doubt === undefined ? showReads?.() : undefined
  const came = last
    ? `${countOf(events.length, 'event')} came, the last after ${Math.round(last.at_ms)} ms: ${read ?? showValue(last.data)}`
    : 'no event came'
  const gave = ['false', 'true'].includes(value) ? doubt : `gave ${value}`
  let enough = 'the maximum number of events was reached'
  if (failure === 'timeout') enough = '`until` took too long'
  else if (Number(last?.at_ms) > within) enough = `\`within\` (${within} ms) had passed`
  const hint = reason?.hint
  return `The stream did not reach ${awaited}: ${ending === 'enough' ? enough : explainStop(ending)}; ${came}${gave ? `; for that event, \`until\` ${gave}` : ''}.${hint ? ` ${hint}.` : ''}`
}

function explainStop(ending: Exclude<EventReader['ending'], 'enough' | { other: string }>): string {
  if (ending === 'end') return 'it ended before that'
  const { reason } = ending
  if (reason instanceof RequestProblem) return reason.message
  const code = readErrorCode(reason, 'body')
  return `the connection ${closedCodes.has(code) ? 'was closed before that' : `broke: ${reason.message}`} (${code})`
}
