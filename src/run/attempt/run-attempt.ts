import { failAllChecks } from '../../assertion/judge/evaluate-checks.ts'
import type { ResponseContext } from '../../assertion/check-context.ts'
import type { StepPlan } from '../../suite/plan/plan.ts'
import { createAttempt, type AttemptOutcome, type Sending, type StepContext } from './attempt.ts'
import { judgeResponse, toRow } from './judge-response.ts'
import { listLocals } from './describe-exchange.ts'
import { prepareStep, sendStep } from './send-step.ts'
import type { SuiteRun } from '../suite-run.ts'

/** Sends a step's request (or makes its call) once and judges the answer; without an answer every check fails. */
export async function runAttempt(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext,
): Promise<AttemptOutcome> {
  const outcome = step.call && context.call ? await context.call() : createAttempt()
  if (!outcome.skipped) keepExports(run, outcome)
  const response = step.call ? outcome.response : await send(run, step, { context, outcome })
  if (response) {
    outcome.response = response
    await showAnswer(run, step, { outcome, response })
    if (!step.burst) await judgeResponse(run, step, { context, outcome, response })
    return outcome
  }
  const reason = outcome.failures[0]?.message ?? 'There is no response: no request was sent.'
  outcome.rows.push(...failAllChecks(step.checks, reason).map(toRow))
  if (outcome.failures.length === 0 && step.checks.length + step.captures.length > 0)
    outcome.failures.push({ kind: 'request', message: reason, at: step.at })
  return outcome
}

/** Keeps what a call gave for its own checks and captures, and for the steps after it. */
function keepExports(run: SuiteRun, { exports = {} }: AttemptOutcome): void {
  for (const [nodeId, values] of Object.entries(exports)) {
    run.exports[nodeId] = Object.assign(Object.create(null), run.exports[nodeId], values)
    run.missing.delete(nodeId)
    run.uncaptured.delete(nodeId)
  }
}

/** Shows the answer to the user's `afterEach`; what that throws fails the step. */
async function showAnswer(
  { environment }: SuiteRun,
  { id, name, at, request }: StepPlan,
  { outcome, response }: { outcome: AttemptOutcome; response: ResponseContext },
): Promise<void> {
  const { hooks } = environment
  if (!hooks?.afterEach || !request) return
  try {
    await hooks.afterEach({ step: { id, name }, request: response.request, response: listLocals(response) })
  } catch (error) {
    outcome.failures.push({ message: (error as Error).message, at })
  }
}

/** Sends a step by what it is, which is loaded when a step needs it; a burst judges its answers itself. */
async function send(run: SuiteRun, step: StepPlan, sending: Sending): Promise<ResponseContext | undefined> {
  const prepared = await prepareStep(run, step, sending)
  if (!prepared) return undefined
  const ready = { ...sending, prepared }
  if (step.websocket) return (await import('../kinds/hold-dialogue.ts')).holdDialogue(run, step, ready)
  if (step.burst) return (await import('../kinds/send-burst.ts')).sendBurst(run, step, ready)
  return sendStep(run, step, ready)
}
