import { EngineError, InterpolationError } from '../interpolation/errors.ts'
import { interpolate } from '../interpolation/interpolate.ts'
import { stringifyJson, type Json, type JsonObject } from '../json.ts'
import type { VariableProblem } from '../interpolation/variables/variables.ts'
import type { SkipPlan, StepPlan } from '../suite/plan/plan.ts'
import { locateTemplate } from './attempt/interpolate-part.ts'
import { describeStep, readOnFailure } from './record-outcome.ts'
import { createScope, type SuiteRun } from './suite-run.ts'
import type { SkipDecision } from './step-outcome.ts'

/** Decides whether a step is skipped: the suite was stopped or is left out, something the step reads is not there, or its `skip` says so. */
export function decideSkip(run: SuiteRun, step: StepPlan, loop?: JsonObject): SkipDecision {
  if (step.todo) return { reason: 'todo', wanted: true }
  const ofSuite = decideSuite(run)
  if (ofSuite.reason !== undefined || ofSuite.failure) return ofSuite
  if (run.stopped !== undefined && step.phase !== 'teardown') return { reason: run.stopped }
  const goesOn = readOnFailure(run) === 'continue'
  const isLast = step.phase === 'teardown'
  for (const name of step.reads) {
    if (Object.hasOwn(run.captures, name) || (loop && Object.hasOwn(loop, name))) continue
    const broken = run.broken.get(name)
    if (broken !== undefined) return fail(`The variable \`${name}\` has no value: ${broken}`, step)
    const source = run.missing.get(name)
    // An earlier iteration of this very step is no reason.
    const isOther = source !== undefined && source !== describeStep(step)
    if (isOther && !goesOn && (!isLast || step.needs.includes(name)))
      return { reason: `needs \`${name}\`, which ${source} did not give` }
  }
  for (const name of goesOn ? [] : step.needs) {
    if (Object.hasOwn(run.captures, name) || (loop && Object.hasOwn(loop, name))) continue
    const why = run.uncaptured.get(name)
    if (why !== undefined && !why.startsWith(describeStep(step)))
      return { reason: `needs \`${name}\`, which ${why}` }
  }
  for (const name of goesOn ? [] : step.foreignReads) {
    const reason = run.missing.get(name)
    if (reason !== undefined && (!isLast || step.needs.some((root) => name.startsWith(`${root}.`))))
      return { reason: `needs \`${name}\`, which ${reason} did not give` }
  }
  const unfilled = run.environment.settings.unresolved === 'error' && findUnfilled(run, step)
  if (unfilled)
    return fail(`The variable \`${String(unfilled.path[0])}\` has no value: ${unfilled.message}.`, step)
  return decideCondition(run, step, loop)
}

/** A suite variable that a step reads and that waits for a value. */
function findUnfilled({ resolved, captures }: SuiteRun, { reads }: StepPlan): VariableProblem | undefined {
  return resolved?.problems.find(({ code, path: [name] }) => {
    const root = String(name)
    return code === 'unresolved' && reads.includes(root) && !Object.hasOwn(captures, root)
  })
}

/** Decides once whether the whole suite is left out; where that cannot be told its first step says so. */
function decideSuite(run: SuiteRun): SkipDecision {
  if (run.leftOut) return run.leftOut
  const decision = decideCondition(run, { ...run.plan, pointer: '' })
  run.leftOut = decision.failure ? { reason: 'the `skip` of the suite could not be decided' } : decision
  return decision
}

type Skippable = SkipPlan & Pick<StepPlan, 'at' | 'pointer'>

function decideCondition(run: SuiteRun, step: Skippable, loop?: JsonObject): SkipDecision {
  const { skip, skipAt: at = step.at } = step
  if (skip === undefined || skip === false) return {}
  if (skip === true) return { reason: step.skipReason ?? 'skip: true', wanted: true }
  try {
    const value = evaluateSkip(run, skip, loop)
    if (value === true) return { reason: step.skipReason ?? `skip: ${skip}`, wanted: true }
    if (value === false) return {}
    const shown = value === undefined ? 'undefined' : stringifyJson(value)
    return fail(`Expected \`skip: ${skip}\` to be true or false, got ${shown}.`, { at })
  } catch (error) {
    if (error instanceof EngineError)
      return fail(`\`skip: ${skip}\` could not be decided: ${error.message}`, { at })
    if (!(error instanceof InterpolationError)) throw error
    return fail(error.message, {
      at: locateTemplate(run.plan, `${step.pointer}/skip`, error) ?? at,
    })
  }
}

function evaluateSkip(run: SuiteRun, skip: string, loop?: JsonObject): Json | undefined {
  const scope = createScope(run, loop)
  if (!skip.includes('{{')) return run.environment.engine.evaluate(skip, scope)
  const { value, unresolved } = interpolate(skip, scope)
  // A `{{name}}` that names nothing is undefined in a condition, as in every other expression.
  return unresolved.length > 0 ? undefined : value
}

function fail(message: string, { at }: Pick<StepPlan, 'at'>): SkipDecision {
  return { failure: { message, at } }
}
