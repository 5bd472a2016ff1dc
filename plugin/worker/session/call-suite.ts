import type { JsonObject } from '../../../src/json.ts'
import { interpolatePart } from '../../../src/run/attempt/interpolate-part.ts'
import { createAttempt, type AttemptOutcome, type StepContext } from '../../../src/run/attempt/attempt.ts'
import { describeStop } from '../../../src/run/run-step.ts'
import { createScope, type SuiteRun } from '../../../src/run/suite-run.ts'
import { showPosition } from '../../../src/source.ts'
import type { StepOutcome } from '../../../src/run/step-outcome.ts'
import { listSteps, type StepPlan } from '../../../src/suite/plan/plan.ts'
import type { Session } from './session-interface.ts'

/** Node ids of the suites that the steps of a suite call: a `call` may name a file. */
export async function resolveCalls({ plan, links }: Session): Promise<Map<StepPlan, string>> {
  const calls = new Map<StepPlan, string>()
  for (const step of listSteps(plan)) {
    const load = step.call && links.plans.get(step.call.suite)
    if (load) calls.set(step, (await load()).plan.nodeId)
  }
  return calls
}

/** Runs a step or the whole of another suite with inputs; its captures come back under its node id, the last response of what was asked for as this step's. */
export async function runCall(
  session: Session,
  step: StepPlan,
  { loop, signal }: StepContext,
): Promise<AttemptOutcome> {
  const attempt = createAttempt()
  const call = step.call as NonNullable<StepPlan['call']>
  const fail = (message: string): AttemptOutcome => {
    attempt.failures.push({ message, at: step.at })
    attempt.final = true
    return attempt
  }
  const load = session.links.plans.get(call.suite)
  if (!load) return fail(`The suite \`${call.suite}\` was not found.`)
  const run = session.run as SuiteRun
  const { value, warnings, failures } = interpolatePart({
    run,
    scope: createScope(run, loop),
    value: call.variables ?? {},
    pointer: `${step.pointer}/call/variables`,
    at: step.at,
  })
  attempt.warnings.push(...warnings)
  if (failures.length > 0) return Object.assign(attempt, { failures, final: true })
  const called = session.openOther(await load(), { prerequisites: 'needed', inputs: value as JsonObject })
  const wanted = listSteps(called.plan).find(({ id, name }) => id === call.step || name === call.step)
  if (call.step !== undefined && !wanted) {
    const known = listSteps(called.plan).map(({ id }) => id)
    return fail(`The suite \`${call.suite}\` has no step \`${call.step}\`. It has: ${known.join(', ')}.`)
  }
  try {
    if (wanted) await called.runStep(wanted, { selected: [wanted], signal })
    else await called.runFor(undefined, signal)
  } catch (error) {
    fail(`The suite \`${call.suite}\` could not be run: ${(error as Error).message}`)
  }
  // All that no step tells, such as a suite that was read and failed.
  for (const { message, at } of wanted ? await called.finish() : called.takeProblems())
    fail(`${showPosition(called.plan.file, at)}: ${message}`)
  return summarise(attempt, called, { step, signal, wanted: wanted ? [wanted] : called.plan.steps })
}

function summarise(
  attempt: AttemptOutcome,
  called: Session,
  { step, signal, wanted }: { step: StepPlan; signal: AbortSignal | undefined; wanted: readonly StepPlan[] },
): AttemptOutcome {
  const { plan, records, run } = called
  const outcomes = records.steps().flatMap((each) => records.outcomes(each))
  const asked = wanted.flatMap((each) => records.outcomes(each))
  // The inputs are among the captures.
  const given = Object.entries(run?.captures ?? {}).filter(([name]) =>
    outcomes.some(({ result }) => Object.hasOwn(result.captured_variables, name)),
  )
  attempt.exports = { [plan.nodeId]: Object.assign(Object.create(null), Object.fromEntries(given)) }
  if (run?.stopped !== undefined && outcomes.every(isSkipped))
    attempt.failures.push({
      message: `The suite \`${plan.nodeId}\` did not run: ${run.stopped}`,
      at: step.at,
    })
  for (const outcome of outcomes)
    addOutcome(attempt, outcome, { called, step, isAsked: asked.includes(outcome) })
  if (attempt.failures.length > 0) return attempt
  if (signal?.aborted && isCut(outcomes, signal)) {
    attempt.failures.push(describeStop(step, signal))
    return attempt
  }
  if (asked.length === 0 || !asked.every(isSkipped)) return attempt
  const reason = `what it calls of \`${plan.file}\` was skipped: ${asked[0]?.result.skip_reason}`
  attempt.skipped = { reason, wanted: asked.some(({ isLeftOut }) => isLeftOut) }
  return attempt
}

/** True where the end of the run kept a step from running: what was skipped for a reason of its own is whole. */
function isCut(outcomes: readonly StepOutcome[], { reason }: AbortSignal): boolean {
  const { message } = reason as Error
  return outcomes.length === 0 || outcomes.some(({ result }) => result.skip_reason === message)
}

function isSkipped({ result }: StepOutcome): boolean {
  return result.status === 'skipped'
}

function addOutcome(
  attempt: AttemptOutcome,
  { result, failures, snapshots = [], response, exchange }: StepOutcome,
  { called, step, isAsked }: { called: Session; step: StepPlan; isAsked: boolean },
): void {
  const { details, rows } = attempt
  // What was sent and answered is shown beside the first failure.
  const isTold = attempt.failures.length > 0
  for (const snapshot of snapshots)
    attempt.snapshots.push({ ...snapshot, row: rows.length + snapshot.row, at: step.at })
  rows.push(...result.assertions_results)
  attempt.warnings.push(
    ...(result.warnings ?? []).map(({ message }) => ({ message: `${called.plan.file}: ${message}` })),
  )
  // A failure of a called step is told at the step that calls it.
  for (const { at, message, ...failure } of failures)
    attempt.failures.push({
      ...failure,
      at: step.at,
      message: `${showPosition(called.plan.file, at)} “${result.step_name}”: ${message}`,
    })
  // What only makes ready or clears up is no answer of the call.
  if (isTold || (!isAsked && failures.length === 0)) return
  if (result.request_details) {
    details.request_details = result.request_details
    delete details.response_details
  }
  if (result.response_details) details.response_details = result.response_details
  if (result.timings) details.timings = result.timings
  if (response) attempt.response = response
  if (exchange) attempt.exchange = exchange
}
