import { cut } from '../text/show-value.ts'
import { hasTemplate } from '../interpolation/template.ts'
import { descend, readVariable } from '../interpolation/variables/scope.ts'
import { makeMap, stringifyJson, toText, type Json, type JsonObject } from '../json.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../suite/plan/plan.ts'

/** Maximum characters of a variable that a test name shows. */
const MAX_SHOWN = 40

/** Formats the value of a variable or member for use in a name. */
type Show = (value: Json, name: string) => string

/**
 * The name of a step with each plain `{{name}}` filled in from the first layer that has it; anything else
 * stays as written. Only `show` may truncate values: a truncated secret would not be recognised.
 */
export function fillName(name: string, given: (JsonObject | undefined)[], show: Show = toText): string {
  if (!hasTemplate(name)) return name
  const layers = given.filter((layer) => layer !== undefined)
  return name.replaceAll(/\{\{\s*([\w-]+(?:\.[\w-]+)*)\s*\}\}/g, (written, path: string) => {
    const [root = '', ...members] = path.split('.')
    const value = descend(readVariable({ layers, exports: {} }, root), members)
    return value === undefined || hasTemplate(stringifyJson(value))
      ? written
      : show(value, members.at(-1) ?? root)
  })
}

/** A layer that keeps captures of earlier steps as written: their values are not known before the run. */
export function hideCaptured(plan: SuitePlan, step: StepPlan): JsonObject | undefined {
  if (!hasTemplate(step.name)) return undefined
  const steps = listSteps(plan)
  const earlier = steps.slice(0, steps.indexOf(step)).flatMap(({ provides }) => provides)
  const named = earlier.filter((name) => step.name.includes(name))
  return makeMap(named.map((name) => [name, `{{${name}}}`] as const))
}

/** Shows a value in a test name: cut to `MAX_SHOWN` characters, texts without quotes. */
export function showInName(value: Json): string {
  return cut(toText(value), MAX_SHOWN)
}
