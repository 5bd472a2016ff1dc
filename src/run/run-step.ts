import { resolveVariables } from '../interpolation/variables/variables.ts'
import { waitForCalls } from '../interpolation/sandbox/wait-for-calls.ts'
import { toText } from '../json.ts'
import type { StepPlan } from '../suite/plan/plan.ts'
import { showValue } from '../text/show-value.ts'
import { MAX_TIMER_DELAY, parseDuration } from '../text/units.ts'
import { readTimestamp } from '../timestamp.ts'
import { RunStopped, type RunningStep, type StepContext } from './attempt/attempt.ts'
import { fillPart, locateTemplate } from './attempt/fill-part.ts'
import { repeatAttempts, type FilledSettings } from './attempt/repeat-attempts.ts'
import { decideSkip } from './decide-skip.ts'
import { createResult, finishStep, finishUnsent } from './finish-step.ts'
import { describeStop, type SkipDecision, type StepFailure, type StepOutcome } from './step-outcome.ts'
import { createScope, markRun, resolveSuiteVariables, type SuiteRun } from './suite-run.ts'

/** Runs a step. Skips it if something it needs is missing; otherwise sends its request, retries, and judges the response. */
export async function runStep(
  run: SuiteRun,
  step: StepPlan,
  context: StepContext = {},
): Promise<StepOutcome> {
  const started = performance.now()
  const start_time = readTimestamp()
  const { running, skip, settings } = await waitForCalls(() => openStep(run, step, context), {
    mark: () => markRun(run),
    signal: context.signal,
  })
  const { signal } = context
  const warnings = [...(context.loopWarnings ?? []), ...(skip.warnings ?? [])]
  if (skip.reason !== undefined) return finishUnsent(running, { ...skip, warnings })
  if (signal?.aborted) return finishUnsent(running, decideStopped(running))
  if ('message' in settings) return finishUnsent(running, { failure: settings, warnings })
  const base = createResult(running, start_time)
  const watch = context.watch?.(running)
  running.listCalls = watch?.listCalls
  try {
    const stop = watch?.signal
    if (stop) running.signal = signal ? AbortSignal.any([stop, signal]) : stop
    const repeated = await repeatAttempts(running, settings)
    repeated.last.warnings.unshift(...warnings)
    const findings = await watch?.end()
    const { skipped, failures } = repeated.last
    const stopped = failures.some(({ kind }) => kind === 'stopped')
    const unsent = skipped ?? (stopped && signal?.aborted ? decideStopped({ ...running, signal }) : {})
    if (unsent.reason !== undefined)
      return finishUnsent(running, { ...unsent, warnings: repeated.last.warnings })
    return finishStep({ ...repeated, base, findings, duration: performance.now() - started })
  } finally {
    watch?.close()
  }
}

/** Fills in what decides whether and how a step runs. */
function openStep(run: SuiteRun, step: StepPlan, context: StepContext) {
  resolveSuiteVariables(run)
  const running: RunningStep = { ...context, run, step, scope: createScope(run, context.loop) }
  const broken = openVariables(running)
  const skip = decideSkip(running)
  return { running, skip, settings: skip.failure ?? broken ?? fillSettings(running) }
}

/** Fills in the step's own variables, which later steps do not see. Returns a failure if one has no value. */
function openVariables(running: RunningStep): StepFailure | undefined {
  const { run, step, loop } = running
  if (!step.variables) return undefined
  const { values, problems } = resolveVariables(step.variables, createScope(run, loop, step.variables))
  running.local = values
  running.scope = createScope(run, loop, values)
  const [problem] = problems
  if (!problem) return undefined
  const { path, message } = problem
  const at = locateTemplate(run.plan, `${step.pointer}/variables`, { path, offset: 0 }) ?? step.at
  return { message: `The step's variable \`${String(path[0])}\` has no value: ${message}`, at }
}

/** The decision on a stopped step: it fails, or counts as not run if the reason for the stop says so. */
export function decideStopped({ step, signal }: Pick<RunningStep, 'step' | 'signal'>): SkipDecision {
  const reason: unknown = signal?.reason
  if (reason instanceof RunStopped && reason.skips) return { reason: reason.message, isStopped: true }
  return { failure: describeStop(step, signal as AbortSignal) }
}

function fillSettings(running: RunningStep): FilledSettings | StepFailure {
  const { run, step } = running
  const { delay } = step
  const retry = step.burst ? undefined : (step.retry ?? run.environment.settings.retry)
  if (typeof delay === 'number' && !retry?.open) return { delay, retry }
  const failures: StepFailure[] = []
  const read = (text: string, pointer: string, isCount = false): number => {
    const at = locateTemplate(run.plan, pointer) ?? step.at
    const value = fillPart({ ...running, failures, warnings: [] }, text, { pointer, at })
    const name = pointer.replace(/^.*\//, '')
    const number = typeof value === 'number' ? value : parseDuration(isCount ? '' : toText(value))
    const [least, most] = isCount ? [1, 1000] : [0, MAX_TIMER_DELAY]
    if (number >= least && number <= most && (!isCount || Number.isInteger(number))) return number
    const kind = isCount ? 'a whole number from 1 to 1000' : 'milliseconds or a duration such as `5s`'
    const message = `Expected \`${name}: ${text}\` to be ${kind}, got ${showValue(value)}.`
    failures.push({ message, at })
    return 0
  }
  const filled = retry && { ...retry }
  const wait = typeof delay === 'number' ? delay : read(delay, `${step.pointer}/delay_ms`)
  for (const { key, text, pointer } of retry?.open ?? [])
    if (filled) filled[key] = read(text, pointer, key === 'max_attempts')
  return failures[0] ?? { delay: wait, retry: filled }
}
