import { readTimestamp } from '../timestamp.ts'
import { readScopeValues } from '../interpolation/expression-values.ts'
import { EngineError, InterpolationError } from '../interpolation/errors.ts'
import { interpolate } from '../interpolation/interpolate.ts'
import type { JsonObject } from '../json.ts'
import type { StepPlan } from '../suite/plan.ts'
import { locateTemplate } from './locate-template.ts'
import type { Attempt, StepResult } from './result.ts'
import { runAttempt, type AttemptOutcome } from './run-attempt.ts'
import { nextDelay } from './retry.ts'
import {
  createScope,
  listVisible,
  markMissing,
  resolveSuiteVariables,
  type StepFailure,
  type StepOutcome,
  type SuiteRun,
} from './suite-run.ts'
import { wait } from './wait.ts'

/** How one step is run. */
export type StepContext = {
  /** Aborts the request and every wait. */
  signal?: AbortSignal
  /** Variables of an `iterate` loop. */
  loop?: JsonObject
}

/** Runs one step: skips it if something it needs is not there, else sends its request, repeats it as `retry` says, and judges the answer. */
export async function runStep(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext = {},
): Promise<StepOutcome> {
  const started = performance.now()
  resolveSuiteVariables(run)
  const base = createResult(run, step, context.loop)
  const decision = decideSkip(run, step, context.loop)
  if ('failure' in decision) return failStep(run, step, decision.failure)
  if (decision.reason !== undefined) {
    markMissing(run, step, step.gives)
    return {
      result: { ...base, skip_reason: decision.reason, available_variables: listVisible(run, context.loop) },
      failures: [],
    }
  }
  if (step.delay > 0) await wait(step.delay, context.signal)
  const { last, attempts } = await repeat(run, step, context)
  finishStep(run, step, last)
  const result: StepResult = {
    ...base,
    ...last.details,
    status: last.failures.length === 0 ? 'success' : 'failure',
    duration_ms: Math.round(performance.now() - started),
    assertions_results: last.rows,
    captured_variables: last.captured,
    available_variables: listVisible(run, context.loop),
    ...(attempts.length > 1 && { attempts }),
    ...(last.warnings.length > 0 && { warnings: last.warnings }),
    ...(last.failures.length > 0 && {
      error_message: last.failures.map(({ message }) => message).join('\n'),
    }),
  }
  return { result, failures: last.failures }
}

async function repeat(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext,
): Promise<{ last: AttemptOutcome; attempts: Attempt[] }> {
  const retry = step.retry ?? run.environment.settings.retry
  const attempts: Attempt[] = []
  let delay = 0
  for (;;) {
    const startTime = readTimestamp()
    const started = performance.now()
    const last = await runAttempt(run, step, context)
    attempts.push({
      attempt: attempts.length + 1,
      start_time: startTime,
      duration_ms: Math.round(performance.now() - started),
      delay_ms: delay,
      status: last.failures.length === 0 ? 'success' : 'failure',
      ...(last.response && { status_code: last.response.status_code }),
      ...(last.failures[0] && { error_message: last.failures[0].message }),
    })
    const next =
      retry && !context.signal?.aborted
        ? nextDelay({ run, step, retry, last, made: attempts.length })
        : undefined
    if (next === undefined) return { last, attempts }
    delay = next
    await wait(delay, context.signal)
    if (context.signal?.aborted) return { last, attempts }
  }
}

type SkipDecision = { reason: string | undefined } | { failure: StepFailure }

function decideSkip(run: SuiteRun, step: StepPlan, loop?: JsonObject): SkipDecision {
  if (run.stopped && step.phase !== 'teardown') return { reason: run.stopped }
  for (const name of step.reads) {
    const broken = run.broken.get(name)
    if (broken !== undefined && !Object.hasOwn(run.captures, name))
      return {
        failure: {
          kind: 'variable',
          message: `The variable \`${name}\` has no value: ${broken}`,
          at: step.at,
        },
      }
    const source = run.missing.get(name)
    if (
      source !== undefined &&
      !Object.hasOwn(run.captures, name) &&
      run.environment.settings.onFailure !== 'continue'
    )
      return { reason: `needs \`${name}\`, which ${source} did not give` }
  }
  return decideCondition(run, step, loop)
}

function decideCondition(run: SuiteRun, step: StepPlan, loop?: JsonObject): SkipDecision {
  if (step.skip === undefined || step.skip === false) return { reason: undefined }
  if (step.skip === true) return { reason: 'skip: true' }
  const scope = createScope(run, loop)
  try {
    if (step.skip.includes('{{')) {
      const { value } = interpolate(step.skip, scope)
      return { reason: value === true ? `skip: ${step.skip}` : undefined }
    }
    const value = run.environment.engine.evaluate(step.skip, readScopeValues(scope))
    if (typeof value === 'boolean') return { reason: value ? `skip: ${step.skip}` : undefined }
    const shown = value === undefined ? 'undefined' : JSON.stringify(value)
    return {
      failure: {
        kind: 'interpolation',
        message: `Expected \`skip\` to be true or false, got ${shown}.`,
        at: step.at,
      },
    }
  } catch (error) {
    if (error instanceof EngineError)
      return {
        failure: {
          kind: 'interpolation',
          message: `\`skip\` could not be decided: ${error.message}`,
          at: step.at,
        },
      }
    if (!(error instanceof InterpolationError)) throw error
    return {
      failure: {
        kind: 'interpolation',
        message: error.message,
        at: locateTemplate(run.plan, `${step.pointer}/skip`, error) ?? step.at,
      },
    }
  }
}

/** A step that failed before anything was sent. */
export function failStep(run: SuiteRun, step: StepPlan, failure: StepFailure): StepOutcome {
  markMissing(run, step, step.gives)
  const result: StepResult = {
    ...createResult(run, step),
    status: 'failure',
    error_message: failure.message,
    available_variables: listVisible(run),
  }
  return { result, failures: [failure] }
}

/** A result with nothing in it yet. */
export function createResult(run: SuiteRun, step: StepPlan, loop?: JsonObject): StepResult {
  return {
    step_id: step.id,
    qualified_step_id: `${run.plan.nodeId}::${step.id}`,
    step_name: step.name,
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

/** Keeps what the last attempt captured, and decides what its failure does to the steps after it. */
function finishStep(run: SuiteRun, step: StepPlan, last: AttemptOutcome): void {
  Object.assign(run.captures, last.captured)
  const failed = last.failures.length > 0
  if (!failed || step.continueOnFailure) return
  markMissing(
    run,
    step,
    step.gives.filter((name) => !Object.hasOwn(run.captures, name)),
  )
  const onFailure =
    run.plan.onFailure ?? (run.environment.settings.compat ? 'stop' : run.environment.settings.onFailure)
  if (onFailure === 'stop' && step.phase !== 'teardown')
    run.stopped ??= `the suite stopped after “${step.name}” (line ${step.at[0]}) failed`
}
