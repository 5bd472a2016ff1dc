import { markFailed, trace } from '../../../src/request/trace.ts'
import type { StepContext } from '../../../src/run/attempt/attempt.ts'
import { runStep } from '../../../src/run/run-step.ts'
import type { StepOutcome } from '../../../src/run/step-outcome.ts'
import type { SuiteRun } from '../../../src/run/suite-run.ts'
import type { StepPlan } from '../../../src/suite/plan/plan.ts'

/** Runs a step, in its own span if tracing is on. */
export function traceStep(run: SuiteRun, step: StepPlan, context: StepContext): Promise<StepOutcome> {
  const attributes = { 'suitecase.suite': run.plan.nodeId, 'suitecase.step': step.id }
  return trace(step.name, attributes, async (span) => {
    const outcome = await runStep(run, step, context)
    const { status, response_details } = outcome.result
    span?.setAttribute('suitecase.status', status)
    if (status === 'failure') markFailed(span)
    if (response_details) span?.setAttribute('http.response.status_code', response_details.status_code)
    return outcome
  })
}
