import { escapeControl } from '../../src/escape-control.ts'
import { readOwn, type Json, type JsonObject } from '../../src/json.ts'
import type { Redactor } from '../../src/secrets/redactor.ts'
import { fillName, hideCaptured, resolveKnown, showInName } from '../../src/run/fill-name.ts'
import { listStaticLoops } from '../../src/run/loops.ts'
import type { StepMeta } from './meta.ts'
import type { Options } from './options.ts'
import { createNameRedactor } from '../../src/secrets/suite-redactor.ts'
import { listSteps, type StepPlan, type SuitePlan } from '../../src/suite/plan/plan.ts'

/** What names in a block depend on: the redactor that hides their secrets, and the row of `each`. */
type NamedBlock = { redactor: Redactor; row?: JsonObject | undefined; index?: number | undefined }

/** The suite that a block is named after. A TypeScript definition that is not loaded yet has no variables. */
type NamedSuite = Pick<SuitePlan, 'name'> & Partial<Pick<SuitePlan, 'variables'>>

/** The options that names depend on. */
export type NameOptions = Pick<Options, 'redact' | 'variables'>

/** A test of a step: its name, its meta and, if known before the run, the loop variables of its one iteration. */
export type NamedTest = {
  name: string
  step: StepPlan
  loop: JsonObject | undefined
  meta: { suitecase: StepMeta }
}

/** A describe block of a suite, with its row of `each`, if any. */
export type ListedBlock = { name: string; row: JsonObject | undefined; index: number; tests: NamedTest[] }

/** Lists the describe blocks of a suite: one, or one per row of `each`, with a test per step or known iteration. */
export function listBlocks(suite: SuitePlan, { redact, variables }: NameOptions): ListedBlock[] {
  const plan = { ...suite, variables: { ...variables, ...suite.variables } }
  const redactor = createNameRedactor(plan, redact)
  return (plan.each ?? [undefined]).map((row, index) => {
    const block = { redactor, row, index }
    const known = { ...plan, variables: resolveKnown(plan.variables, [row ?? {}, plan.variables]).values }
    if (known.variables !== plan.variables) redactor.learn(known.variables)
    const tests = listSteps(plan).flatMap((step) => nameTests(known, step, block))
    return { name: nameSuite(known, block), row, index, tests }
  })
}

/** The name of a block: the suite's, with each `{{name}}` known before the run filled in, and its row. */
export function nameSuite({ name, variables }: NamedSuite, { redactor, row, index = 0 }: NamedBlock): string {
  const filled = fillName(name, [row, variables], (value, member) => showCell(member, value, redactor))
  const cells = row ? ` [${index + 1}: ${showCells(Object.entries(row).slice(0, 4), redactor)}]` : ''
  return escapeControl(redactor.redactText(filled) + cells)
}

function nameTests(plan: SuitePlan, step: StepPlan, { redactor, row }: NamedBlock): NamedTest[] {
  if (step.variables) redactor.learn(step.variables)
  const hidden = hideCaptured(plan, step, step.name)
  const fill = (loop?: JsonObject): string => {
    const layers = [step.variables, hidden, loop, row, plan.variables]
    const filled = fillName(step.name, layers, (value, name) => showCell(name, value, redactor))
    return escapeControl(redactor.redactText(filled))
  }
  const common = fill()
  const step_id = redactor.redactText(step.id)
  return (listStaticLoops(plan, step, row) ?? [undefined]).map((loop) => {
    const own = loop ? fill(loop) : common
    const cells = Object.entries(loop ?? {}).filter(([cell]) => cell !== 'index')
    const name = loop && own === common ? `${own} [${escapeControl(showCells(cells, redactor))}]` : own
    return { name, step, loop, meta: { suitecase: { kind: 'step', step_id, step_name: own } } }
  })
}

function showCells(cells: readonly [name: string, value: Json][], redactor: Redactor): string {
  return cells.map(([name, value]) => `${name}=${showCell(name, value, redactor)}`).join(', ')
}

function showCell(name: string, value: Json, redactor: Redactor): string {
  return showInName(readOwn(redactor.redactJson({ [name]: value }), name) ?? null)
}
