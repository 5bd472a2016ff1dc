import { InterpolationError } from '../interpolation/errors.ts'
import { interpolate } from '../interpolation/interpolate.ts'
import { hasTemplate } from '../interpolation/template.ts'
import { readOwn, type Json, type JsonObject } from '../json.ts'
import type { StepPlan, SuitePlan } from '../suite/plan.ts'
import { createScope, type StepFailure, type SuiteRun } from './suite-run.ts'

/** The most iterations a loop may have. */
const MAX_ITERATIONS = 10_000

/** Iterations of a step that are known before anything ran: one object of loop variables each; undefined when only the run can tell. */
export function listStaticLoops(plan: SuitePlan, step: StepPlan): JsonObject[] | undefined {
  const { iterate } = step
  if (!iterate) return undefined
  if ('range' in iterate) return toLoops(listRange(iterate.range), iterate.as)
  const name =
    typeof iterate.over === 'string' ? /^\{\{\s*([\w-]+)\s*\}\}$/.exec(iterate.over)?.[1] : undefined
  const list = name === undefined ? iterate.over : readOwn(plan.variables, name)
  if (
    !Array.isArray(list) ||
    list.length === 0 ||
    list.length > MAX_ITERATIONS ||
    hasTemplate(JSON.stringify(list))
  )
    return undefined
  return toLoops(list, iterate.as)
}

/** Iterations of a step during the run, or why there are none; a step without a loop has one iteration without variables. */
export function listLoops(run: SuiteRun, step: StepPlan): (JsonObject | undefined)[] | StepFailure {
  const { iterate } = step
  if (!iterate) return [undefined]
  if ('range' in iterate) return toLoops(listRange(iterate.range), iterate.as)
  const fail = (message: string): StepFailure => ({ kind: 'interpolation', message, at: step.at })
  try {
    const { value } = interpolate(iterate.over as Json, createScope(run))
    if (!Array.isArray(value))
      return fail(
        `Expected \`iterate.over\` to be a list, got \`${String(JSON.stringify(value)).slice(0, 60)}\`.`,
      )
    if (value.length > MAX_ITERATIONS)
      return fail(`\`iterate.over\` has ${value.length} items; the most is ${MAX_ITERATIONS}.`)
    return toLoops(value, iterate.as)
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error
    return fail(error.message)
  }
}

function toLoops(list: readonly Json[], name: string): JsonObject[] {
  return list.map((value, index) => Object.assign(Object.create(null), { [name]: value, index }))
}

function listRange(range: string): number[] {
  const [first = 0, last = 0] = range.split('..').map(Number)
  const count = Math.min(Math.abs(last - first) + 1, MAX_ITERATIONS)
  return Array.from({ length: count }, (_, index) => (first <= last ? first + index : first - index))
}
