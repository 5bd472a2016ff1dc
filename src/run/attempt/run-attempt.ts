import { failAllChecks } from '../../assertion/judge/evaluate-checks.ts'
import type { ResponseContext } from '../../assertion/check-context.ts'
import type { StepPlan } from '../../suite/plan/plan.ts'
import type { SuiteRun } from '../suite-run.ts'
import {
  createAttempt,
  failRequest,
  type AttemptOutcome,
  type StepAttempt,
  type StepContext,
} from './attempt.ts'
import { listLocals } from './describe-exchange.ts'
import { judgeResponse, toRow } from './judge-response.ts'
import { prepareStep, sendStep } from './send-step.ts'

/** Sends a step's request (or makes its call) once and judges the answer; without an answer every check fails. */
export async function runAttempt(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext,
): Promise<AttemptOutcome> {
  const outcome = step.call && context.call ? await context.call() : createAttempt()
  const attempt: StepAttempt = { run, step, context, outcome }
  if (!outcome.skipped) keepExports(attempt)
  const response = step.call ? outcome.response : await send(attempt)
  if (response) {
    outcome.response = response
    await showAnswer(attempt, response)
    if (!step.burst) await judgeResponse(attempt, response)
    return outcome
  }
  const reason = outcome.failures[0]?.message ?? 'There is no response: no request was sent.'
  outcome.rows.push(...failAllChecks(step.checks, reason).map(toRow))
  if (outcome.failures.length === 0 && step.checks.length + step.captures.length > 0)
    failRequest(attempt, reason)
  return outcome
}

/** Keeps what a call gave for its own checks and captures, and for the steps after it. */
function keepExports({ run, outcome: { exports = {} } }: StepAttempt): void {
  for (const [nodeId, values] of Object.entries(exports)) {
    run.exports[nodeId] = Object.assign(Object.create(null), run.exports[nodeId], values)
    run.missing.delete(nodeId)
    run.uncaptured.delete(nodeId)
  }
}

/** Shows the answer to the user's `afterEach`; what that throws fails the step. */
async function showAnswer({ run, step, outcome }: StepAttempt, response: ResponseContext): Promise<void> {
  const { hooks } = run.environment
  const { id, name, at, request } = step
  if (!hooks?.afterEach || !request) return
  try {
    await hooks.afterEach({ step: { id, name }, request: response.request, response: listLocals(response) })
  } catch (error) {
    outcome.failures.push({ message: (error as Error).message, at })
  }
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
