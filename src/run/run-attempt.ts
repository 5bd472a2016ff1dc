import type { AssertionResult } from '../assertion/check.ts'
import { failAllChecks } from '../assertion/evaluate-checks.ts'
import type { ResponseContext } from '../assertion/response-context.ts'
import type { JsonObject } from '../json.ts'
import type { StepPlan } from '../suite/plan.ts'
import { judgeResponse, toRow } from './judge-response.ts'
import type { ResultWarning, StepResult } from './result.ts'
import type { StepContext } from './run-step.ts'
import { sendStep } from './send-step.ts'
import type { PendingSnapshot } from './settle-snapshots.ts'
import type { StepFailure, SuiteRun } from './suite-run.ts'
import { takeInputs } from './take-inputs.ts'

/** What one attempt of a step gave. */
export type AttemptOutcome = {
  failures: StepFailure[]
  rows: AssertionResult[]
  snapshots: PendingSnapshot[]
  captured: JsonObject
  /** What a called suite gave back: node id → values. */
  exports?: Record<string, JsonObject>
  warnings: ResultWarning[]
  response?: ResponseContext
  details: Partial<StepResult>
  /** True when another attempt could only fail in the same way, since nothing was sent. */
  final?: boolean
}

/** An attempt that has not given anything yet. */
export function createAttempt(): AttemptOutcome {
  return {
    failures: [],
    rows: [],
    snapshots: [],
    captured: Object.create(null),
    warnings: [],
    details: {},
  }
}

/** Sends a step's request (or makes its call) once and judges the answer; without an answer every check fails. */
export async function runAttempt(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext,
): Promise<AttemptOutcome> {
  const outcome = step.call && context.call ? await context.call() : createAttempt()
  if (!step.call && !step.request) {
    takeInputs(run, step, outcome)
    return outcome
  }
  const response = step.call ? outcome.response : await sendStep(run, step, { context, outcome })
  if (response) {
    outcome.response = response
    await judgeResponse(run, step, { context, outcome, response })
    takeInputs(run, step, outcome)
    return outcome
  }
  const reason = outcome.failures[0]?.message ?? 'There is no response: no request was sent.'
  outcome.rows.push(...failAllChecks(step.checks, reason).map(toRow))
  if (outcome.failures.length === 0 && step.checks.length + step.captures.length > 0)
    outcome.failures.push({ kind: 'request', message: reason, at: step.at })
  return outcome
}
