import { readTimestamp } from '../timestamp.ts'
import type { JsonObject } from '../json.ts'
import type { StepPlan } from '../suite/plan.ts'
import { decideSkip } from './decide-skip.ts'
import { fillName } from './fill-name.ts'
import { listGiven, markMissing, recordFailure, recordSkipped } from './record-outcome.ts'
import type { Attempt, StepResult } from './result.ts'
import { decideRetry } from './retry.ts'
import { runAttempt } from './run-attempt.ts'
import type { AttemptOutcome, StepContext } from './attempt.ts'
import { listVisible, resolveSuiteVariables, type SuiteRun } from './suite-run.ts'
import type { StepFailure, StepOutcome } from './step-outcome.ts'
import { wait } from './wait.ts'

/** Runs one step: skips it if something it needs is not there, else sends its request, repeats it as `retry` says, and judges the answer. */
export async function runStep(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext = {},
): Promise<StepOutcome> {
  const started = performance.now()
  resolveSuiteVariables(run)
  const base = createResult(run, step, context.loop)
  const { failure, reason, wanted = false } = decideSkip(run, step, context.loop)
  if (failure) return failStep(run, step, { failure, ...context })
  if (reason !== undefined) return skipStep(run, step, { reason, wanted, ...context })
  if (step.delay > 0) await wait(step.delay, context.signal)
  if (context.signal?.aborted)
    return failStep(run, step, { failure: describeStop(step, context.signal), ...context })
  const { last, attempts } = await repeat(run, step, context)
  applyOutcome(run, step, last)
  const { response, snapshots, failures } = last
  const result: StepResult = {
    ...base,
    ...last.details,
    status: failures.length === 0 ? 'success' : 'failure',
    duration_ms: Math.round(performance.now() - started),
    assertions_results: last.rows,
    captured_variables: listCaptured(last),
    available_variables: listVisible(run, context.loop),
    ...(attempts.length > 1 && { attempts }),
    ...(last.warnings.length > 0 && { warnings: last.warnings }),
    ...(failures.length > 0 && { error_message: failures.map(({ message }) => message).join('\n') }),
  }
  return { result, failures, ...(snapshots.length > 0 && { snapshots }), ...(response && { response }) }
}

async function repeat(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext,
): Promise<{ last: AttemptOutcome; attempts: Attempt[] }> {
  const retry = step.retry ?? run.environment.settings.retry
  const { signal, loop } = context
  const attempts: Attempt[] = []
  let delay = 0
  for (;;) {
    const startTime = readTimestamp()
    const started = performance.now()
    const last = await runAttempt(run, step, context)
    const decision = retry
      ? decideRetry({ run, step, retry, last, made: attempts.length + 1, ...(loop && { loop }) })
      : {}
    if (decision.unmet !== undefined)
      last.failures.push({ kind: 'retry', message: decision.unmet, at: step.retry?.at ?? step.at })
    attempts.push({
      attempt: attempts.length + 1,
      start_time: startTime,
      duration_ms: Math.round(performance.now() - started),
      delay_ms: delay,
      status: last.failures.length === 0 && decision.delay === undefined ? 'success' : 'failure',
      ...(last.response && { status_code: last.response.status_code }),
      ...(last.failures[0] && { error_message: last.failures[0].message }),
    })
    if (decision.delay !== undefined) await wait((delay = decision.delay), signal)
    if (signal?.aborted && (last.failures.length > 0 || decision.delay !== undefined))
      last.failures.unshift(describeStop(step, signal))
    if (decision.delay === undefined || signal?.aborted) return { last, attempts }
  }
}

/** Keeps what the last attempt gave, and decides what its failure does to the steps after it. */
function applyOutcome(run: SuiteRun, step: StepPlan, last: AttemptOutcome): void {
  Object.assign(run.captures, last.captured)
  for (const [nodeId, values] of Object.entries(last.exports ?? {}))
    run.exports[nodeId] = Object.assign(Object.create(null), run.exports[nodeId], values)
  if (last.failures.length > 0) recordFailure(run, step)
}

/** Captures of the step, and what a called suite gave back as `<node_id>.<name>`. */
function listCaptured({ captured, exports = {} }: AttemptOutcome): JsonObject {
  const all: JsonObject = Object.assign(Object.create(null), captured)
  for (const [nodeId, values] of Object.entries(exports))
    for (const [name, value] of Object.entries(values)) all[`${nodeId}.${name}`] = value
  return all
}

function describeStop(step: StepPlan, signal: AbortSignal): StepFailure {
  const reason: unknown = signal.reason
  const message = reason instanceof Error ? reason.message : String(reason)
  return { kind: 'stopped', message: `The step was stopped: ${message}`, at: step.at }
}

/** A step that does not run; `wanted` when its own `skip` says so. */
export function skipStep(
  run: SuiteRun,
  step: StepPlan,
  { reason, wanted, loop }: { reason: string; wanted?: boolean; loop?: JsonObject },
): StepOutcome {
  if (wanted) recordSkipped(run, step)
  else markMissing(run, step, listGiven(step))
  const base = createResult(run, step, loop)
  return {
    result: { ...base, skip_reason: reason, available_variables: listVisible(run, loop) },
    failures: [],
  }
}

/** A step that failed before anything was sent. */
export function failStep(
  run: SuiteRun,
  step: StepPlan,
  { failure, loop }: { failure: StepFailure; loop?: JsonObject },
): StepOutcome {
  recordFailure(run, step)
  const result: StepResult = {
    ...createResult(run, step, loop),
    status: 'failure',
    error_message: failure.message,
    available_variables: listVisible(run, loop),
  }
  return { result, failures: [failure] }
}

/** A result with nothing in it yet. */
export function createResult(run: SuiteRun, step: StepPlan, loop?: JsonObject): StepResult {
  return {
    step_id: step.id,
    qualified_step_id: `${run.plan.nodeId}::${step.id}`,
    step_name: fillName(step.name, loop ? [loop, run.row, run.variables] : [run.row, run.variables]),
    status: 'skipped',
    start_time: readTimestamp(),
    duration_ms: 0,
    assertions_results: [],
    captured_variables: Object.create(null),
    available_variables: Object.create(null),
    line: step.at[0],
    ...(loop && { iteration: loop }),
  }
}
