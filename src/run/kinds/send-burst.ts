import { setImmediate } from 'node:timers/promises'
import { readFields, type CheckTools, type ResponseContext } from '../../assertion/check-context.ts'
import type { Check, CheckResult } from '../../assertion/check.ts'
import { evaluateChecks } from '../../assertion/judge/evaluate-checks.ts'
import { takeCaptures } from '../../capture/take-captures.ts'
import type { Exchange, ReceivedResponse } from '../../request/exchange.ts'
import type { SendOptions } from '../../request/send-request.ts'
import type { BodyHold } from '../../request/transport/body-budget.ts'
import type { BurstPlan } from '../../suite/plan/plan.ts'
import { roundMs } from '../../text/units.ts'
import { failRequest, type StepAttempt } from '../attempt/attempt.ts'
import { createResponseContext, noteExchange } from '../attempt/describe-exchange.ts'
import { addCaptures, addCheckResult, createCheckTools, judgeGraphql } from '../attempt/judge-response.ts'
import { runAfterEach, type PreparedStep } from '../attempt/send-step.ts'

/** The result of a request, and how many ms after the first one it was sent. */
type Sent = { at_ms: number; exchange: Exchange }

type Answered = Sent & { exchange: Exchange & { response: ReceivedResponse } }

/** A response with the results of each check and, for checks that count responses, of their `where`. */
type Answer = { context: ResponseContext; tools: CheckTools; results: CheckResult[]; where: CheckResult[][] }

/** Sends a request many times concurrently, judges all responses and returns the one to report: the first that failed a check, else the first. */
export async function sendBurst(
  attempt: StepAttempt,
  { spec, options, filled }: PreparedStep,
  burst: BurstPlan,
): Promise<ResponseContext | undefined> {
  const { client } = attempt.run.environment
  const limited = limitBodies(attempt, options)
  const sent = await sendAll(burst, () => client.send(spec, limited))
  const unanswered = sent.flatMap(({ exchange: { failure } }) => failure ?? [])
  const count = `${unanswered.length} of ${sent.length} requests got no response`
  if (unanswered[0] && attempt.failures.length === 0)
    failRequest(attempt, `${count}; the first of them: ${unanswered[0].message}`)
  const answered = sent.filter((one): one is Answered => !!one.exchange.response && !one.exchange.failure)
  const contexts = answered.map(({ exchange }) => createResponseContext(exchange, attempt))
  const shown = await judgeAll(attempt, contexts)
  const warnings = [...new Set(sent.flatMap(({ exchange }) => exchange.warnings ?? []))]
  noteExchange(attempt, { ...(answered[shown] ?? (sent[0] as Sent)).exchange, warnings }, filled)
  const responses = contexts.map(({ status_code, duration_ms, size_bytes, body }, index) => {
    const { at_ms } = answered[index] as Sent
    return { at_ms, status_code, duration_ms, size_bytes, body }
  })
  attempt.details.burst = { ...burst, shown, responses }
  return contexts[shown]
}

/** Fails and stops a burst whose bodies are too large together: all are kept until the last response has come. */
function limitBodies(attempt: StepAttempt, options: SendOptions): SendOptions {
  const { hold, signal } = options
  if (!hold) return options
  const stop = new AbortController()
  let held = 0
  const take: BodyHold['take'] = (bytes, reading) => {
    hold.take(bytes, reading)
    held += bytes
    if (held <= hold.limit || stop.signal.aborted) return
    const limit = `${hold.limit} bytes together (option \`limits.bodies\`)`
    failRequest(attempt, `The bodies of the burst are larger than ${limit}.`)
    stop.abort()
  }
  const signals = signal ? [signal, stop.signal] : [stop.signal]
  return { ...options, hold: { ...hold, take }, signal: AbortSignal.any(signals) }
}

async function sendAll({ times, concurrent }: BurstPlan, send: () => Promise<Exchange>): Promise<Sent[]> {
  const exchanges: Sent[] = []
  const start = performance.now()
  let next = 0
  const sendInTurn = async (): Promise<void> => {
    while (next < times)
      exchanges[next++] = { at_ms: roundMs(performance.now() - start), exchange: await send() }
  }
  await Promise.all(Array.from({ length: concurrent }, sendInTurn))
  return exchanges
}

/** Makes each check on every response; returns the index of the first response that failed one, else 0. */
async function judgeAll(attempt: StepAttempt, contexts: readonly ResponseContext[]): Promise<number> {
  const { step, signal } = attempt
  const responses = contexts.map((context) => {
    const { request: _, ...parts } = readFields(context)
    return parts
  })
  const answers: Answer[] = []
  for (const context of contexts) {
    Object.assign(context, { responses })
    await runAfterEach(attempt, context)
    const tools = await createCheckTools(attempt, context)
    const judge = (checks: readonly Check[] = []): CheckResult[] => evaluateChecks(checks, context, tools)
    const where = step.checks.map(({ target, checks }) => (target === 'responses' ? judge(checks) : []))
    // All checks at once: of several values of a header, a single one has to pass all its checks.
    answers.push({ context, tools, results: judge(step.checks), where })
    // Other suites go on in between.
    await setImmediate()
    if (signal?.aborted) break
  }
  const [first] = answers
  if (!first) return 0
  let shown = Infinity
  for (const [at, check] of step.checks.entries()) {
    if (check.target === 'responses') {
      addCheckResult(attempt, countAnswers(check, answers, at))
      continue
    }
    const results = answers.map((one) => one.results[at] as CheckResult)
    const failed = results.filter(({ passed }) => !passed)
    const [result = results[0] as CheckResult] = failed[0] ? failed : results.filter((row) => row.warning)
    const index = results.indexOf(result)
    const others = failed.length > 1 ? `, one of ${failed.length} that failed` : ''
    const which = failed[0] ? ` (response ${index + 1} of ${results.length}${others})` : ''
    addCheckResult(attempt, { ...result, message: `${result.message}${which}` })
    if (failed[0]) shown = Math.min(shown, index)
  }
  // A step that counts responses may expect some from a gateway, such as 429, which are no GraphQL responses.
  const isCounted = step.checks.some(({ target }) => target === 'responses')
  const own = contexts.filter(({ status_code }) => !isCounted || status_code < 400)
  judgeGraphql(attempt, step.checks, own)
  const [worst = first.context] = contexts.toSorted((a, b) => b.status_code - a.status_code)
  attempt.judged = { response: worst, branches: [] }
  addCaptures(attempt, takeCaptures(step.captures, first.context, first.tools))
  return shown === Infinity ? 0 : shown
}

/** Checks how many responses pass the `where` of a check. A failure lists all statuses. */
function countAnswers(check: Check, answers: Answer[], at: number): CheckResult {
  const [{ context, tools }] = answers as [Answer]
  const judged = answers.map(({ where }) => where[at] ?? [])
  const failures = judged.map((results) => results.filter(({ passed }) => !passed))
  const count = failures.filter(({ length }) => length === 0).length
  const counter = { ...tools, countResponses: () => count }
  const [result] = evaluateChecks([check], context, counter) as [CheckResult]
  // A missing value only matters if no other check has ruled the response out.
  const unmade = failures.filter((list) => list.every(({ unjudged }) => unjudged))
  const broken = unmade.flat().find(({ unjudged }) => unjudged === 'operand')
  if (broken) return { ...result, passed: false, message: broken.message }
  if (!result.passed) {
    const statuses = Map.groupBy(answers, (each) => each.context.status_code)
    const seen = [...statuses].map(([status, { length }]) => `${length} × ${status}`).join(', ')
    return { ...result, message: `${result.message}; the responses: ${seen}` }
  }
  // If the checks look at something that no response has, a count of 0 would always hold.
  const [missing] = unmade.length === failures.length && count === 0 ? unmade.flat() : []
  const doubt = missing && `The checks of \`where\` could not be made on any response: ${missing.message}.`
  const counting = judged.filter((results) => results.every(({ passed }) => passed)).flat()
  const warning = doubt ?? counting.find((one) => one.warning)?.warning
  return { ...result, ...(warning !== undefined && { warning }) }
}
