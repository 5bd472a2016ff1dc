import { InterpolationError } from '../src/interpolation/errors.ts'
import { interpolate } from '../src/interpolation/interpolate.ts'
import type { Json, JsonObject } from '../src/json.ts'
import { createResult, failStep, type StepContext } from '../src/run/run-step.ts'
import {
  createScope,
  listVisible,
  type StepFailure,
  type StepOutcome,
  type SuiteRun,
} from '../src/run/suite-run.ts'
import { listSteps, type StepPlan } from '../src/suite/plan.ts'
import { SuiteSession } from './session.ts'

/** A step with `call`, and the run it belongs to. */
export type CallInput = { session: SuiteSession; run: SuiteRun; step: StepPlan; context: StepContext }

/** Runs a step or the whole of another suite with inputs; its captures come back under its node id. */
export async function runCall({ session, run, step, context }: CallInput): Promise<StepOutcome> {
  const call = step.call as NonNullable<StepPlan['call']>
  const fail = (message: string): StepOutcome => failStep(run, step, { kind: 'call', message, at: step.at })
  const load = session.links.plans[call.suite]
  if (!load) return fail(`The suite \`${call.suite}\` was not found.`)
  const linked = (await load()).default
  const inputs = fillInputs(run, step, context)
  if ('failure' in inputs) return failStep(run, step, inputs.failure)
  const called = new SuiteSession(linked, {
    ...session.options,
    prerequisites: 'all',
    inputs: inputs.values,
    claims: false,
  })
  const started = performance.now()
  const outcomes = await runCalled(called, {
    wanted: call.step,
    ...(context.signal && { signal: context.signal }),
  })
  if (!outcomes) return fail(`The suite \`${call.suite}\` has no step \`${call.step}\`.`)
  return summarise({ session, run, step, context }, { called, outcomes, started })
}

function fillInputs(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext,
): { values: JsonObject } | { failure: StepFailure } {
  try {
    const { value } = interpolate((step.call?.variables ?? {}) as Json, createScope(run, context.loop))
    return { values: value as JsonObject }
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error
    return { failure: { kind: 'interpolation', message: error.message, at: step.at } }
  }
}

type Called = { wanted: string | undefined; signal?: AbortSignal }

async function runCalled(
  called: SuiteSession,
  { wanted, signal }: Called,
): Promise<StepOutcome[] | undefined> {
  if (wanted === undefined) {
    await called.runAll(signal)
    return [...called.outcomes.values()].flat()
  }
  const step = listSteps(called.plan).find(({ id, name }) => id === wanted || name === wanted)
  if (!step) return undefined
  const outcomes = await called.runStep(step, signal ? { signal } : {})
  await called.finish()
  return outcomes
}

function summarise(
  { run, step, context }: CallInput,
  made: { called: SuiteSession; outcomes: StepOutcome[]; started: number },
): StepOutcome {
  const { called, outcomes, started } = made
  const captures = { ...called.run?.captures } as JsonObject
  run.exports = { ...run.exports, [called.plan.nodeId]: { ...run.exports[called.plan.nodeId], ...captures } }
  const failures = outcomes.flatMap((outcome) =>
    outcome.failures.map((failure): StepFailure => ({
      ...failure,
      at: step.at,
      message: `${called.plan.file}:${failure.at[0]} “${outcome.result.step_name}”: ${failure.message}`,
    })),
  )
  const last = outcomes.at(-1)?.result
  return {
    failures,
    result: {
      ...createResult(run, step, context.loop),
      ...(last?.request_details && { request_details: last.request_details }),
      ...(last?.response_details && { response_details: last.response_details }),
      status: failures.length === 0 ? 'success' : 'failure',
      duration_ms: Math.round(performance.now() - started),
      assertions_results: outcomes.flatMap(({ result }) => result.assertions_results),
      captured_variables: captures,
      available_variables: listVisible(run, context.loop),
      ...(failures.length > 0 && { error_message: failures.map(({ message }) => message).join('\n') }),
    },
  }
}
