import { readOwn, type Json } from '../json.ts'
import { listProvided, type StepPlan } from '../suite/plan/plan.ts'
import type { RunSettings } from './environment.ts'
import type { SuiteRun } from './suite-run.ts'

export function readOnFailure({
  plan,
  environment,
}: Pick<SuiteRun, 'plan' | 'environment'>): RunSettings['onFailure'] {
  return plan.onFailure ?? environment.settings.onFailure
}

/** A step as named in skip reasons. */
export function describeStep({ name, at }: StepPlan): string {
  return `“${name}” (line ${at[0]})`
}

/** A skip reason for another suite: with the file that its lines are in. */
export function placeReason(reason: string, file: string): string {
  return reason.replace(/\(line (\d+)\)/g, (_, line) => `(${file}:${line})`)
}

/** Records that what a step provides is missing, so that steps that need it are skipped; what another step has provided stays. */
export function recordMissing(run: SuiteRun, step: StepPlan): void {
  for (const name of listProvided(step, run.plan.calls)) {
    const { isSoft = false } = run.absent.get(name) ?? { isSoft: true }
    if (isSoft && !Object.hasOwn(run.captures, name))
      run.absent.set(name, { provider: describeStep(step), why: 'did not provide' })
  }
}

/** Records what a step did not provide on purpose (left out, or in a branch not taken), unless it has a value from elsewhere. */
export function recordAbsent(run: SuiteRun, step: StepPlan, why: string): void {
  const { row, variables, environment, captures, exports, absent } = run
  const known: object[] = [captures, row, variables, environment.settings.variables, exports]
  for (const name of listProvided(step, run.plan.calls))
    if (!absent.has(name) && !known.some((layer) => Object.hasOwn(layer, name)))
      absent.set(name, { provider: describeStep(step), why, isSoft: true })
}

export function recordFailure(run: SuiteRun, step: StepPlan): void {
  if (step.continueOnFailure) return
  recordMissing(run, step)
  const onFailure = readOnFailure(run)
  if (onFailure === 'stop') run.stopped = `the suite stopped after ${describeStep(step)} failed`
  else if (step.phase === 'setup' && onFailure !== 'continue')
    run.stopped = `the set-up step ${describeStep(step)} failed`
}

/** The state of a suite that a step can change, from before the step ran. */
export type StateBefore = Pick<SuiteRun, 'exports' | 'stopped' | 'leftOut' | 'variables' | 'resolved'> & {
  given: [string, Json | undefined][]
}

/** Saves the state that a step can change, so that Vitest can repeat its test. */
export function rememberState(run: SuiteRun, step: StepPlan): StateBefore {
  const { captures, exports, stopped, leftOut, variables, resolved } = run
  const given = step.provides.map((name): StateBefore['given'][number] => [name, readOwn(captures, name)])
  return { given, exports, stopped, leftOut, variables, resolved }
}

/** Restores the state from before the step ran. */
export function restoreState(run: SuiteRun, step: StepPlan, { given, ...state }: StateBefore): void {
  for (const [name, value] of given) {
    if (value === undefined) delete run.captures[name]
    else run.captures[name] = value
  }
  for (const name of listProvided(step, run.plan.calls))
    if (run.absent.get(name)?.provider === describeStep(step)) run.absent.delete(name)
  Object.assign(run, state)
}
