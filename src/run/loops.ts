import { warnAt, type ResultWarning } from '../errors.ts'
import { InterpolationError } from '../interpolation/errors.ts'
import { interpolate } from '../interpolation/interpolate.ts'
import type { Scope } from '../interpolation/variables/scope.ts'
import { hasTemplate } from '../interpolation/template.ts'
import { stringifyJson, readOwn, toText, type Json, type JsonObject } from '../json.ts'
import { listRange, MOST_ITERATIONS } from '../suite/schema/patterns.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../suite/plan/plan.ts'
import { locateTemplate } from './attempt/fill-part.ts'
import { createScope, resolveSuiteVariables, type SuiteRun } from './suite-run.ts'
import { decideSkip } from './decide-skip.ts'
import type { SkipDecision } from './step-outcome.ts'
import { cut } from '../text/show-value.ts'

/** Iterations of a step that are known before the run, one object of loop variables each; undefined if only the run can tell. */
export function listStaticLoops(plan: SuitePlan, step: StepPlan): JsonObject[] | undefined {
  const { iterate } = step
  if (!iterate) return undefined
  const list = iterate.range === undefined ? findStaticList(plan, iterate.over) : listRange(iterate.range)
  if (!list || list.length === 0 || list.length > MOST_ITERATIONS) return undefined
  return toLoops(list, iterate.as)
}

/** The list as written, or that of a suite variable that nothing hides. */
function findStaticList(plan: SuitePlan, over: Json | undefined): Json[] | undefined {
  const name = typeof over === 'string' ? /^\{\{\s*([\w-]+)\s*\}\}$/.exec(over)?.[1] : undefined
  if (name !== undefined && isHidden(plan, name)) return undefined
  const list = name === undefined ? over : readOwn(plan.variables, name)
  return Array.isArray(list) && !hasTemplate(stringifyJson(list)) ? list : undefined
}

/** True if captures or row values hide the suite variable of that name. */
function isHidden(plan: SuitePlan, name: string): boolean {
  return (
    (plan.each ?? []).some((row) => Object.hasOwn(row, name)) ||
    listSteps(plan).some(({ provides }) => provides.includes(name))
  )
}

/** Iterations of a step, one object of loop variables each, and warnings to report with the first. */
type Loops = { loops: (JsonObject | undefined)[]; warnings?: ResultWarning[] }

/** Iterations of a step during the run, or why there are none. A step without a loop has one iteration, without variables. */
export function listLoops(run: SuiteRun, step: StepPlan): Loops | SkipDecision {
  const { iterate, pointer } = step
  if (!iterate) return { loops: [undefined] }
  resolveSuiteVariables(run)
  const key = iterate.range === undefined ? 'over' : 'range'
  const at = locateTemplate(run.plan, `${pointer}/iterate/${key}`) ?? step.at
  const scope = createScope(run)
  const read = readList(iterate, scope, run.environment.settings.unresolved === 'error')
  if (typeof read !== 'string' && read.list.length > 0) {
    const warnings = read.unresolved.map((message) => warnAt(at, `${message} It is left as written.`))
    return { loops: toLoops(read.list, iterate.as), warnings }
  }
  // The list may be missing or empty because the step that provides it failed. The step's own `skip` may need an item, and then decides nothing.
  for (const each of [{ ...step, skip: undefined }, step]) {
    const skip = decideSkip({ run, step: each, scope })
    if (skip.reason !== undefined || (skip.failure && each !== step)) return skip
  }
  return typeof read === 'string'
    ? { failure: { message: read, at } }
    : { reason: 'the list of `iterate` is empty' }
}

/** The list of a loop and messages on `{{…}}` without a value in it, or why there is no list. */
function readList(
  { range, over }: NonNullable<StepPlan['iterate']>,
  scope: Scope,
  isStrict: boolean,
): { list: Json[]; unresolved: string[] } | string {
  try {
    const { value, unresolved: gaps } = interpolate(range ?? over ?? null, scope)
    const key = range === undefined ? 'over' : 'range'
    const unresolved = [...new Set(gaps.map(({ message }) => `In \`iterate.${key}\` ${message}.`))]
    if (unresolved.length > 0 && (isStrict || !Array.isArray(value))) return unresolved.join(' ')
    if (range !== undefined) {
      const list = listRange(toText(value))
      if (list) return { list, unresolved }
      return `Expected \`iterate.range: ${range}\` to be a range of at most ${MOST_ITERATIONS} whole numbers such as "1..5", got \`${cut(toText(value))}\`.`
    }
    if (!Array.isArray(value))
      return `Expected \`iterate.over\` to be a list, got \`${cut(stringifyJson(value))}\`.`
    if (value.length > MOST_ITERATIONS)
      return `\`iterate.over\` has ${value.length} items; the most is ${MOST_ITERATIONS}.`
    return { list: value, unresolved }
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error
    return error.message
  }
}

function toLoops(list: readonly Json[], name: string): JsonObject[] {
  return list.map((value, index) => Object.assign(Object.create(null), { index }, { [name]: value }))
}
