import { failAllChecks } from '../../assertion/judge/evaluate-checks.ts'
import type { ResponseContext } from '../../assertion/check-context.ts'
import { failRequest, type StepAttempt } from './attempt.ts'
import { listLocals } from './describe-exchange.ts'
import { judgeResponse, toRow } from './judge-response.ts'
import { prepareStep, sendStep } from './send-step.ts'

/** Sends a step's request (or makes its call) once and judges the answer; without an answer every check fails. */
export async function runAttempt(attempt: StepAttempt): Promise<void> {
  const { run, step, failures, rows } = attempt
  if (step.call) await attempt.call?.(attempt)
  else attempt.response = await send(attempt)
  const { response } = attempt
  if (response) {
    if (run.environment.hooks?.afterEach && step.request) await showAnswer(attempt, response)
    if (!step.burst) await judgeResponse(attempt, response)
    return
  }
  const reason = failures[0]?.message ?? 'There is no response: no request was sent.'
  rows.push(...failAllChecks(step.checks, reason).map(toRow))
  if (failures.length === 0 && step.checks.length + step.captures.length > 0) failRequest(attempt, reason)
}

/** Sends a step by what it is, which is loaded when a step needs it; a burst judges its answers itself. */
async function send(attempt: StepAttempt): Promise<ResponseContext | undefined> {
  const { websocket, burst } = attempt.step
  const prepared = await prepareStep(attempt)
  if (!prepared) return undefined
  if (websocket) return (await import('../kinds/hold-dialogue.ts')).holdDialogue(attempt, prepared, websocket)
  if (burst) return (await import('../kinds/send-burst.ts')).sendBurst(attempt, prepared, burst)
  return sendStep(attempt, prepared)
}

/** Shows the answer to the user's `afterEach`; what that throws fails the step. */
async function showAnswer({ run, step, failures }: StepAttempt, response: ResponseContext): Promise<void> {
  const { id, name, at } = step
  const { request } = response
  await run.environment.hooks
    ?.afterEach?.({ step: { id, name }, request, response: listLocals(response) })
    .catch(({ message }: Error) => failures.push({ message, at }))
}
