import { cut } from '../text/show-value.ts'
import { EngineError } from '../interpolation/errors.ts'
import { hasTemplate, hasTemplateInside, readPlainReference } from '../interpolation/template.ts'
import { descend, readVariable, type ExpressionEngine } from '../interpolation/variables/scope.ts'
import { resolveVariables, type ResolvedVariables } from '../interpolation/variables/variables.ts'
import { makeMap, toText, type Json, type JsonObject } from '../json.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../suite/plan/plan.ts'

/** Maximum characters of a variable that a test name shows. */
const MAX_SHOWN = 40

type Show = (value: Json, name: string) => string

/** The name of a step with each plain `{{name}}` filled in from the first layer that has it. Only `show` may truncate values: a truncated secret would not be recognised. */
export function fillName(name: string, given: (JsonObject | undefined)[], show: Show = toText): string {
  if (!hasTemplate(name)) return name
  const layers = given.filter((layer) => layer !== undefined)
  return name.replaceAll(/\{\{[^{}]*\}\}/g, (written) => {
    const read = readPlainReference(written, 0)
    const value = read && descend(readVariable({ layers, exports: {} }, read.root), read.path)
    if (value === undefined || hasTemplateInside(value)) return written
    return show(value, String(read?.path.findLast((part) => typeof part === 'string') ?? read?.root))
  })
}

/** Before the run, no expression is evaluated. */
const engine: ExpressionEngine = { evaluate: refuse, test: refuse, dispose() {} }

function refuse(): never {
  throw new EngineError('missing', 'Expressions are not evaluated before the run')
}

/** Fills in variables as far as they are known before the run. */
export function resolveKnown(variables: JsonObject, layers: readonly JsonObject[]): ResolvedVariables {
  return resolveVariables(variables, { layers, exports: {}, env: {}, engine })
}

/** A layer that keeps captures of earlier steps in a text as written: their values are not known before the run. */
export function hideCaptured(plan: SuitePlan, step: StepPlan, text: string): JsonObject | undefined {
  if (!hasTemplate(text)) return undefined
  const steps = listSteps(plan)
  const earlier = steps.slice(0, steps.indexOf(step)).flatMap(({ provides }) => provides)
  const named = earlier.filter((name) => text.includes(name))
  return makeMap(named.map((name) => [name, `{{${name}}}`] as const))
}

/** Shows a value in a test name: cut to `MAX_SHOWN` characters, texts without quotes. */
export function showInName(value: Json): string {
  return cut(toText(value), MAX_SHOWN)
}
