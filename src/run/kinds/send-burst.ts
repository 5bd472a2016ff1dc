import { readFields, type CheckTools, type ResponseContext } from '../../assertion/check-context.ts'
import type { Check, CheckResult } from '../../assertion/check.ts'
import { evaluateChecks } from '../../assertion/judge/evaluate-checks.ts'
import { takeCaptures } from '../../capture/take-captures.ts'
import type { JsonObject } from '../../json.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { BurstPlan } from '../../suite/plan/plan.ts'
import { roundMs } from '../../text/units.ts'
import { failRequest, type PreparedStep, type StepAttempt } from '../attempt/attempt.ts'
import { createCheckTools } from '../attempt/check-tools.ts'
import { createResponseContext } from '../attempt/describe-exchange.ts'
import { addCaptures, addCheck, warnUnjudged } from '../attempt/judge-response.ts'

/** What became of a request, and how many ms after the first one it was sent. */
type Sent = { at_ms: number; exchange: Exchange }

/** An answer, and what its checks need. */
type Answer = { context: ResponseContext; tools: CheckTools }

/** Sends a step's request many times at once, judges all answers, and gives the one that the report shows: the first that failed, else the first. */
export async function sendBurst(
  attempt: StepAttempt,
  { spec, options, describe }: PreparedStep,
  burst: BurstPlan,
): Promise<ResponseContext | undefined> {
  const { run, step, outcome } = attempt
  const sent = await sendAll(burst, () => run.environment.client.send(spec, options))
  const [first] = sent as [Sent]
  const unanswered = sent.flatMap(({ exchange: { failure } }) => failure ?? [])
  if (unanswered[0])
    failRequest(
      attempt,
      `${unanswered.length} of ${sent.length} requests got no answer; the first of them: ${unanswered[0].message}`,
    )
  const answered = sent.filter(({ exchange: { response, failure } }) => response && !failure)
  const contexts = answered.map(({ exchange }) => createResponseContext(exchange, run, step))
  const shown = await judgeAll(attempt, contexts)
  describe((answered[shown] ?? first).exchange)
  outcome.details.burst = {
    times: burst.times,
    concurrent: burst.concurrent,
    shown,
    responses: contexts.map(({ status_code, duration_ms, size_bytes, body }, index) => {
      const { at_ms } = answered[index] as Sent
      return { at_ms, status_code, duration_ms, size_bytes, body }
    }),
  }
  return contexts[shown]
}

async function sendAll({ times, concurrent }: BurstPlan, send: () => Promise<Exchange>): Promise<Sent[]> {
  const exchanges: Sent[] = []
  const start = performance.now()
  let next = 0
  const sendInTurn = async (): Promise<void> => {
    while (next < times) {
      const index = next++
      const at_ms = roundMs(performance.now() - start)
      exchanges[index] = { at_ms, exchange: await send() }
    }
  }
  await Promise.all(Array.from({ length: concurrent }, sendInTurn))
  return exchanges
}

/** Makes each check on every answer, and gives the index of the first answer that failed one. */
async function judgeAll(attempt: StepAttempt, contexts: readonly ResponseContext[]): Promise<number> {
  const { step, outcome } = attempt
  const responses = contexts.map(listParts)
  const answers: Answer[] = []
  for (const context of contexts) {
    const response = Object.assign(context, { responses })
    answers.push({ context, tools: await createCheckTools(attempt, response) })
  }
  const [first] = answers
  if (!first) return 0
  const checks = step.checks.filter(({ target }) => target !== 'responses')
  // All at once: of several values of a header one has to pass all its checks.
  const judged = answers.map(({ context, tools }) => evaluateChecks(checks, context, tools))
  let shown = Infinity
  for (const check of step.checks) {
    const column = judged.map((results) => results[checks.indexOf(check)] as CheckResult)
    const { result, index } =
      check.target === 'responses' ? { result: count(check, answers), index: -1 } : joinResults(column)
    addCheck(outcome, result)
    if (index !== -1) shown = Math.min(shown, index)
  }
  warnUnjudged(attempt, [], contexts.find(({ status_code }) => status_code >= 500) ?? first.context)
  addCaptures(outcome, takeCaptures(step.captures, first.context, first.tools))
  return shown === Infinity ? 0 : shown
}

/** What captures and conditions see of an answer. */
function listParts(context: ResponseContext): JsonObject {
  const { request: _, ...parts } = readFields(context)
  return parts
}

/** A check holds if it holds for every answer; a failure is that of the first it does not hold for, which is `index`. */
function joinResults(results: readonly CheckResult[]): { result: CheckResult; index: number } {
  const index = results.findIndex(({ passed }) => !passed)
  const result = results[Math.max(index, 0)] as CheckResult
  if (index === -1) return { result, index }
  const failed = results.filter(({ passed }) => !passed).length
  const which = `response ${index + 1} of ${results.length}${failed > 1 ? `, one of ${failed} that fail` : ''}`
  return { result: { ...result, message: `${result.message} (${which})` }, index }
}

/** A check on how many answers there are of some kind; a failure says which there were. */
function count(check: Check, answers: readonly Answer[]): CheckResult {
  const [first] = answers as [Answer]
  const failures = answers.map(({ context, tools }) =>
    evaluateChecks(check.checks ?? [], context, tools).filter(({ passed }) => !passed),
  )
  const countResponses = (): number => failures.filter(({ length }) => length === 0).length
  const [result] = evaluateChecks([check], first.context, { ...first.tools, countResponses }) as [CheckResult]
  // Where another check has ruled an answer out, nothing need be there to compare with.
  const unmade = failures.filter((list) => list.every(({ unjudged }) => unjudged))
  const broken = unmade.flat().find(({ unjudged }) => unjudged === 'operand')
  if (broken) return { ...result, passed: false, message: broken.message }
  if (!result.passed) {
    const statuses = Map.groupBy(answers, ({ context }) => context.status_code)
    const seen = [...statuses].map(([status, { length }]) => `${length} × ${status}`).join(', ')
    return { ...result, message: `${result.message}; the answers: ${seen}` }
  }
  // A count of none holds for whatever comes where the checks look at what no answer has.
  const [missing] = unmade.length === failures.length ? unmade.flat() : []
  if (!missing || countResponses() > 0) return result
  return {
    ...result,
    warning: `The checks of \`where\` could be made on no answer: ${missing.message}.`,
  }
}
