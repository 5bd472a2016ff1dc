import { readTimestamp } from '../timestamp.ts'
import { readMessage } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { StepPlan } from '../suite/plan/plan.ts'
import { decideSkip } from './decide-skip.ts'
import { resolveVariables } from '../interpolation/variables/variables.ts'
import { fillSettings, type FilledSettings } from './fill-settings.ts'
import { fillName } from './fill-name.ts'
import { finishStep, type StepEnd } from './finish-step.ts'
import { listGiven, markMissing, recordFailure, recordSkipped } from './record-outcome.ts'
import type { Attempt, StepResult } from './result.ts'
import { decideRetry } from './attempt/retry.ts'
import { runAttempt } from './attempt/run-attempt.ts'
import { createAttempt, RunStopped, type AttemptOutcome, type StepContext } from './attempt/attempt.ts'
import { createScope, listVisible, resolveSuiteVariables, type SuiteRun } from './suite-run.ts'
import type { SentExchange, StepFailure, StepOutcome } from './step-outcome.ts'
import { wait } from './wait.ts'

/** Runs one step: skips it if something it needs is not there, else sends its request, repeats it as `retry` says, and judges the answer. */
export async function runStep(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext = {},
): Promise<StepOutcome> {
  try {
    return await runOpened(run, step, context)
  } finally {
    delete run.local
  }
}

async function runOpened(run: SuiteRun, step: StepPlan, context: StepContext): Promise<StepOutcome> {
  const started = performance.now()
  resolveSuiteVariables(run)
  const broken = openVariables(run, step, context.loop)
  const base = createResult(run, step, context.loop)
  const { failure = broken, reason, wanted = false } = decideSkip(run, step, context.loop)
  if (reason !== undefined) return skipStep(run, step, { reason, wanted, ...context })
  if (failure) return failStep(run, step, { failure, ...context })
  const settings = fillSettings(run, step, context.loop)
  if ('message' in settings) return failStep(run, step, { failure: settings, ...context })
  if (context.signal?.aborted) {
    const ended = readSkip(context.signal)
    return ended === undefined
      ? failStep(run, step, { failure: describeStop(step, context.signal), ...context })
      : skipStep(run, step, { reason: ended, ...context })
  }
  const { surround, compareSnapshot, loop } = context
  const attempt = (stop?: AbortSignal): ReturnType<typeof repeat> =>
    repeat(run, step, {
      ...context,
      ...settings,
      ...(stop && { signal: context.signal ? AbortSignal.any([stop, context.signal]) : stop }),
    })
  const { value, findings } = surround
    ? await surround(attempt)
    : { value: await attempt(), findings: undefined }
  const { skipped, failures } = value.last
  if (skipped) return skipStep(run, step, { ...skipped, ...context })
  const ended = failures.some(({ kind }) => kind === 'stopped') ? readSkip(context.signal) : undefined
  if (ended !== undefined) return skipStep(run, step, { reason: ended, ...context })
  const duration = performance.now() - started
  return finishStep(run, step, { base, ...value, findings, compareSnapshot, loop, duration })
}

/** Fills in the step's own variables, which no later step sees; says why one has no value. */
function openVariables(run: SuiteRun, step: StepPlan, loop: JsonObject | undefined): StepFailure | undefined {
  if (!step.variables) return undefined
  run.local = step.variables
  const { values, problems } = resolveVariables(step.variables, createScope(run, loop))
  run.local = values
  const [problem] = problems
  return (
    problem && {
      message: `The step's variable \`${String(problem.path[0])}\` has no value: ${problem.message}`,
      at: step.at,
    }
  )
}

/** Waits before the first attempt too: what the application does meanwhile belongs to the step. */
async function repeat(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext & FilledSettings,
): Promise<Pick<StepEnd, 'last' | 'attempts' | 'earlier'>> {
  const { signal, loop, retry } = context
  const attempts: Attempt[] = []
  const earlier = new Map<number, SentExchange>()
  if (context.delay > 0) await wait(context.delay, signal)
  if (signal?.aborted) {
    const last = { ...createAttempt(), failures: [describeStop(step, signal)] }
    return { last, attempts, earlier }
  }
  let delay = 0
  for (;;) {
    const startTime = readTimestamp()
    const started = performance.now()
    const last = await runAttempt(run, step, context)
    const decision = retry ? decideRetry({ run, retry, last, made: attempts.length + 1, loop }) : {}
    if (decision.unmet !== undefined) addUnmet(last, decision.unmet, step.retry?.at ?? step.at)
    attempts.push({
      attempt: attempts.length + 1,
      start_time: startTime,
      duration_ms: Math.round(performance.now() - started),
      delay_ms: delay,
      status: last.failures.length === 0 && decision.delay === undefined ? 'success' : 'failure',
      ...(last.response && { status_code: last.response.status_code }),
      ...(last.failures[0] && { error_message: last.failures[0].message }),
    })
    if (decision.delay !== undefined) keepExchange(attempts, earlier, last)
    if (decision.delay !== undefined) await wait((delay = decision.delay), signal)
    if (signal?.aborted && (last.failures.length > 0 || decision.delay !== undefined)) {
      // That no answer came says the same.
      if (!last.response) last.failures = last.failures.filter(({ kind }) => kind !== 'request')
      last.failures.unshift(describeStop(step, signal))
    }
    if (decision.delay === undefined || signal?.aborted) return { last, attempts, earlier }
  }
}

/** Attempts that keep what was sent and answered, and bytes of such an answer. */
const [mostKept, largestKept] = [20, 65_536]

/** Keeps the request and answer of an attempt that another one follows. */
function keepExchange(attempts: Attempt[], earlier: Map<number, SentExchange>, last: AttemptOutcome): void {
  const { exchange, details } = last
  const attempt = attempts.at(-1)
  if (!exchange || !attempt || attempts.length > mostKept) return
  if ((exchange.response?.body.byteLength ?? 0) > largestKept) return
  earlier.set(attempts.length, exchange)
  const { request_details, response_details } = details
  Object.assign(attempt, request_details && { request_details }, response_details && { response_details })
}

function addUnmet(last: AttemptOutcome, message: string, at: StepFailure['at']): void {
  last.failures.push({ message, at })
  const actual = last.response?.status_code ?? null
  last.rows.push({ field: 'retry', expected: 'no further attempt', actual, passed: false, message })
}

/** Why a step that was stopped is skipped: the run was to end for something else than the step. */
function readSkip(signal: AbortSignal | undefined): string | undefined {
  const reason: unknown = signal?.reason
  return reason instanceof RunStopped && reason.skips ? reason.message : undefined
}

/** The failure of a step that was stopped before its end, with the reason. */
export function describeStop(step: StepPlan, signal: AbortSignal): StepFailure {
  return { kind: 'stopped', message: `The step was stopped: ${readMessage(signal.reason)}`, at: step.at }
}

/** A step that does not run; `wanted` when its own `skip`, or that of what it calls, says so. */
export function skipStep(
  run: SuiteRun,
  step: StepPlan,
  { reason, wanted, loop }: { reason: string; wanted?: boolean; loop?: JsonObject | undefined },
): StepOutcome {
  if (wanted) recordSkipped(run, step)
  else markMissing(run, step, listGiven(step))
  const base = createResult(run, step, loop)
  return {
    result: { ...base, skip_reason: reason, available_variables: listVisible(run, loop) },
    failures: [],
    ...(wanted && { isLeftOut: true as const }),
  }
}

/** A step that failed before anything was sent. */
export function failStep(
  run: SuiteRun,
  step: StepPlan,
  { failure, loop }: { failure: StepFailure; loop?: JsonObject | undefined },
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
