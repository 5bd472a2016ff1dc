import { readMessage } from '../../../src/errors.ts'
import { waitForCalls } from '../../../src/interpolation/sandbox/wait-for-calls.ts'
import { pickFields, type JsonObject } from '../../../src/json.ts'
import { markAttempt, warn, type StepAttempt } from '../../../src/run/attempt/attempt.ts'
import { fillPart } from '../../../src/run/attempt/fill-part.ts'
import { describeStep, placeReason } from '../../../src/run/record-outcome.ts'
import { describeStop, type StepOutcome } from '../../../src/run/step-outcome.ts'
import { createScope } from '../../../src/run/suite-run.ts'
import { showPosition } from '../../../src/source.ts'
import { listCalled, type StepPlan } from '../../../src/suite/plan/plan.ts'
import type { LinkedPlan } from './links.ts'
import type { SuiteSession } from './session.ts'
import { listProviders } from './prerequisites.ts'
import { isSkipped } from './step-records.ts'

/** Runs one step or all of another suite. Later steps read its captures; its last response is this step's. */
export async function runCall(session: SuiteSession, attempt: StepAttempt): Promise<void> {
  const { step, signal, failures } = attempt
  const { suite, step: name, variables = {} } = step.call as NonNullable<StepPlan['call']>
  const fail = (message: string): void => {
    failures.push({ message, at: step.at })
    attempt.isFinal = step.retry?.until === undefined
  }
  const cannotRun = (error: unknown): void =>
    fail(`The suite \`${suite}\` could not be run: ${readMessage(error)}`)
  const pointer = `${step.pointer}/call/variables`
  const fill = () => fillPart(attempt, variables, { pointer, at: step.at, isNeeded: true }) as JsonObject
  const inputs = await waitForCalls(fill, { mark: () => markAttempt(attempt), signal })
  if (failures.length > 0) return void (attempt.isFinal = true)
  // Linking has found the suite, but it may be broken.
  const linked = await (session.linked.open(suite) as Promise<LinkedPlan>).catch(cannotRun)
  // No other attempt can do better, whatever `until` waits for.
  if (!linked) return void (attempt.isFinal = true)
  const called = session.openOther(linked, { prerequisites: 'needed', inputs })
  const [wanted] = name === undefined ? [] : listCalled(called.plan, name)
  await (
    wanted ? called.runStep(wanted, { signal }) : called.runFor(listProviders(called.plan), signal)
  ).catch(cannotRun)
  // Problems outside the steps, such as a suite that it reads and that failed.
  for (const { message, at } of await called.finish())
    fail(`${showPosition(called.plan.file, at)}: ${message}`)
  takeOutcomes(attempt, called, wanted ? [wanted] : called.plan.steps)
  if (!attempt.skipped) keepExports(attempt, called)
}

/** Takes over the outcomes of the called steps. Reports show the response of the first failure; checks judge the last one asked for. */
function takeOutcomes(attempt: StepAttempt, called: SuiteSession, wanted: readonly StepPlan[]): void {
  const { step, signal, failures } = attempt
  const { plan, records, run } = called
  const outcomes = records.all()
  const asked = wanted.flatMap((each) => records.outcomes(each))
  if (run?.stopped !== undefined && outcomes.every(isSkipped))
    failures.push({ message: `The suite \`${plan.nodeId}\` did not run: ${run.stopped}`, at: step.at })
  for (const outcome of outcomes) takeOutcome(attempt, plan.file, outcome)
  // A response of setup or teardown is not the response of the call.
  const last = asked.findLast(({ result }) => result.request_details)
  const failed = outcomes.find((outcome) => outcome.failures.length > 0)
  const shown = failed ?? last
  if (shown) {
    Object.assign(attempt, pickFields(shown, ['exchange']))
    const told = pickFields(shown.result, ['request_details', 'response_details', 'timings'])
    Object.assign(attempt.details, told)
  }
  const { response } = last ?? failed ?? {}
  // The checks of the calling step use the namespace prefixes of its own suite.
  attempt.response = response && { ...response, namespaces: attempt.run.plan.xmlNamespaces ?? {} }
  if (failures.length > 0) return
  if (signal?.aborted) failures.push(describeStop(step, signal))
  else if (asked.length > 0 && asked.every(isSkipped)) {
    const why = placeReason(asked[0]?.result.skip_reason ?? '', plan.file)
    const reason = `what it calls in \`${plan.file}\` was skipped: ${why}`
    attempt.skipped = { reason, wanted: asked.some(({ isLeftOut }) => isLeftOut) }
    attempt.isFinal = step.retry?.until === undefined
  }
}

function takeOutcome(attempt: StepAttempt, file: string, outcome: StepOutcome): void {
  const { failures, rows, snapshots, details } = attempt
  const { at } = attempt.step
  const { result } = outcome
  attempt.isFlaky ||= result.flaky
  if (result.mock_calls) details.mock_calls = [...(details.mock_calls ?? []), ...result.mock_calls]
  for (const snapshot of outcome.snapshots ?? [])
    snapshots.push({ ...snapshot, row: rows.length + snapshot.row, at })
  rows.push(...result.assertions_results)
  for (const { message, line, column } of result.warnings ?? [])
    warn(attempt, at, `${showPosition(file, [line, column])}: ${message}`)
  for (const failure of outcome.failures) {
    const place = `${showPosition(file, failure.at)} “${result.step_name}”`
    // Those with the same cause are merged already. Those of other steps of the suite have their own.
    failures.push({
      ...pickFields(failure, ['kind', 'common', 'diff']),
      at,
      message: `${place}: ${failure.message}`,
    })
  }
}

/** Gives a call's captures to its checks and captures and to later steps, instead of an earlier attempt's. */
function keepExports(attempt: StepAttempt, { plan, records, run: called }: SuiteSession): void {
  const { run, scope, loop, local } = attempt
  const { nodeId, file } = plan
  const values = Object.assign(Object.create(null), scope.exports[nodeId])
  for (const [name, value] of Object.entries(called?.captures ?? {})) {
    values[name] = attempt.called[`${nodeId}.${name}`] = value
    run.absent.delete(`${nodeId}.${name}`)
  }
  // What a step that ran captures in a branch that was not taken is missing here, too.
  const left = new Set(records.listOpen().map(describeStep))
  for (const [name, absence] of called?.absent ?? [])
    if (absence.isSoft && !left.has(absence.provider) && !Object.hasOwn(values, name))
      run.absent.set(`${nodeId}.${name}`, { ...absence, provider: placeReason(absence.provider, file) })
  run.exports = Object.assign(Object.create(null), run.exports, { [nodeId]: values })
  run.absent.delete(nodeId)
  attempt.scope = createScope(run, loop, local)
}
