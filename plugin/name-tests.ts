import { escapeControl } from '../src/escape-control.ts'
import { hasTemplate } from '../src/interpolation/template.ts'
import type { JsonObject } from '../src/json.ts'
import { fillName, showInName } from '../src/run/fill-name.ts'
import { listStaticLoops } from '../src/run/loops.ts'
import type { StepPlan, SuitePlan } from '../src/suite/plan.ts'

/** Name of a describe block: the suite's, with the row of its `each`. */
export function nameSuite(plan: Pick<SuitePlan, 'name'>, row?: JsonObject, index = 0): string {
  if (!row) return escapeControl(plan.name)
  const cells = Object.entries(row).slice(0, 4)
  return escapeControl(
    `${plan.name} [${index + 1}: ${cells.map(([name, value]) => `${name}=${showInName(value)}`).join(', ')}]`,
  )
}

/** A test of a step: its name, and the loop variables of the one iteration it runs, when they are known before the run. */
export type NamedTest = { name: string; loop?: JsonObject }

/** The tests of a step: one, or one per iteration that is known before the run. Known `{{name}}` are filled in. */
export function nameTests(plan: SuitePlan, step: StepPlan, row?: JsonObject): NamedTest[] {
  const known = row ? [row, plan.variables] : [plan.variables]
  const loops = listStaticLoops(plan, step)
  if (!loops) return [{ name: escapeControl(fillName(step.name, known)) }]
  return loops.map((loop) => {
    const name = escapeControl(fillName(step.name, [loop, ...known]))
    return { loop, name: hasTemplate(step.name) ? name : `${name} [${escapeControl(showLoop(loop))}]` }
  })
}

function showLoop(loop: JsonObject): string {
  const shown = Object.entries(loop).filter(([name]) => name !== 'index')
  return shown.map(([name, value]) => `${name}=${showInName(value)}`).join(', ')
}
