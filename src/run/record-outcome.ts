import { readOwn, type Json, type JsonObject } from '../json.ts'
import type { StepPlan } from '../suite/plan/plan.ts'
import type { RunSettings } from './environment.ts'
import type { SuiteRun } from './suite-run.ts'

/** What a failed step does to the later ones: the suite's own setting, else the plugin's. */
export function readOnFailure({ plan, environment }: RunOf): RunSettings['onFailure'] {
  return plan.onFailure ?? environment.settings.onFailure
}

type RunOf = Pick<SuiteRun, 'plan' | 'environment'>

/** A step in the words of a skip reason. */
export function describeStep({ name, at }: StepPlan): string {
  return `“${name}” (line ${at[0]})`
}

/** Notes that names a step gives are not there, so that the steps that need them are skipped; what another step gave stays. */
export function markMissing(run: SuiteRun, step: StepPlan, names: readonly string[]): void {
  for (const name of names)
    if (!run.missing.has(name) && !Object.hasOwn(run.captures, name))
      run.missing.set(name, describeStep(step))
}

/** A step that its own `skip`, or that of what it calls, left out: what it would have given may come from a variable of that name or another call instead. */
export function recordSkipped(run: SuiteRun, step: StepPlan): void {
  const fallbacks = [...listFallbacks(run), run.exports]
  for (const name of listGiven(step))
    if (!fallbacks.some((layer) => Object.hasOwn(layer, name)))
      run.uncaptured.set(name, `${describeStep(step)} did not give`)
}

/** Notes what a passed step could have captured and did not, because no branch did. */
export function recordUncaptured(run: SuiteRun, step: StepPlan): void {
  const known = [run.captures, ...listFallbacks(run)]
  for (const name of step.gives)
    if (!known.some((layer) => Object.hasOwn(layer, name)))
      run.uncaptured.set(name, `${describeStep(step)} did not capture: no branch with it was taken`)
}

/** Where a value may come from that a step did not give. */
function listFallbacks(run: SuiteRun): JsonObject[] {
  return [run.row, run.variables, run.environment.settings.variables]
}

/** Decides what a failed step does to the steps after it: those that need what it did not give are skipped, or all. */
export function recordFailure(run: SuiteRun, step: StepPlan): void {
  if (step.continueOnFailure) return
  markMissing(run, step, listGiven(step))
  const onFailure = readOnFailure(run)
  if (step.phase === 'teardown' || run.stopped !== undefined) return
  if (onFailure === 'stop') run.stopped = `the suite stopped after ${describeStep(step)} failed`
  else if (step.phase === 'setup' && onFailure !== 'continue')
    run.stopped = `the set-up step ${describeStep(step)} failed`
}

/** Names that later steps can read because of a step: its captures, and the node id of the suite it calls. */
export function listGiven({ gives, call }: StepPlan): readonly string[] {
  return call && !/\.ya?ml$/i.test(call.suite) ? [...gives, call.suite] : gives
}

/** What a step can change in the state of its suite, as it was before the step ran. */
export type StateBefore = { given: [name: string, value: Json | undefined][]; stopped: string | undefined }

/** Takes down the state that a step can change, so that the step can be run again from there. */
export function rememberState(run: SuiteRun, step: StepPlan): StateBefore {
  return { given: step.gives.map((name) => [name, readOwn(run.captures, name)]), stopped: run.stopped }
}

/** Puts the state of the suite back to what it was before the step ran: for a test that Vitest runs again. */
export function restoreState(run: SuiteRun, step: StepPlan, before: StateBefore): void {
  for (const [name, value] of before.given) {
    if (value === undefined) delete run.captures[name]
    else run.captures[name] = value
  }
  for (const name of listGiven(step))
    for (const absent of [run.missing, run.uncaptured])
      if (absent.get(name)?.startsWith(describeStep(step))) absent.delete(name)
  if (before.stopped === undefined) delete run.stopped
  else run.stopped = before.stopped
}
