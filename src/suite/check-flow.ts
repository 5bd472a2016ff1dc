import { findNearest } from './describe-issue.ts'
import type { PlacedReference } from './collect-templates.ts'
import type { LoadContext } from './load-context.ts'
import { listSteps, type StepPlan, type SuitePlan } from './plan.ts'

/** Names that the runner itself gives to every suite. */
const BUILT_IN = [
  'app_url',
  'echo_url',
  'base_url',
  'variables',
  'undefined',
  'Math',
  'Date',
  'JSON',
  'crypto',
]

type Flow = { context: LoadContext; references: readonly PlacedReference[] }

/** Static checks over a whole suite: ids, exports, and the order in which variables are captured and read. */
export function checkFlow(plan: SuitePlan, flow: Flow): void {
  checkIds(plan, flow.context)
  checkExports(plan, flow.context)
  checkReads(plan, flow)
  checkUnused(plan, flow)
}

function checkIds(plan: SuitePlan, context: LoadContext): void {
  const seen = new Map<string, StepPlan>()
  for (const step of listSteps(plan)) {
    const first = seen.get(step.id)
    if (first)
      context.report(pathOf(step, 'step_id'), {
        code: 'bad-value',
        message: `The step id \`${step.id}\` is taken by the step on line ${first.at[0]}.`,
        hint: 'Give each step its own `step_id`.',
      })
    seen.set(step.id, step)
  }
}

function checkExports(plan: SuitePlan, context: LoadContext): void {
  const given = new Set([...listSteps(plan).flatMap((step) => step.gives), ...Object.keys(plan.variables)])
  for (const [index, name] of plan.exports.entries()) {
    if (given.has(name)) continue
    const nearest = findNearest(name, given)
    context.report(['exports', index], {
      code: 'unknown-export',
      severity: context.options.compat ? 'warning' : 'error',
      message: `Nothing in this suite captures \`${name}\`.`,
      hint: nearest ? `Did you mean \`${nearest}\`?` : 'Capture it in a step, or remove the export.',
    })
  }
}

/** Names known before the first step: variables, row keys, the plugin's variables, what the runner gives. */
function listKnown(plan: SuitePlan, context: LoadContext): Set<string> {
  const rows = (plan.each ?? []).flatMap((row) => Object.keys(row))
  return new Set([...Object.keys(plan.variables), ...rows, ...(context.options.variables ?? []), ...BUILT_IN])
}

function checkReads(plan: SuitePlan, { context, references }: Flow): void {
  const known = listKnown(plan, context)
  const steps = listSteps(plan)
  const foreign: PlacedReference[] = []
  for (const step of steps) {
    const own = new Set([...known, ...(step.iterate ? [step.iterate.as] : [])])
    for (const reference of references) {
      const { root } = reference
      if (
        !startsWith(reference, step) ||
        reference.kind === 'env' ||
        reference.kind === 'faker' ||
        own.has(root)
      )
        continue
      const later = steps.slice(steps.indexOf(step) + 1).find((each) => each.gives.includes(root))
      if (step.gives.includes(root)) continue
      if (later) reportLate(context, { reference, later })
      else foreign.push(reference)
    }
    for (const name of step.gives) known.add(name)
    if (step.call) known.add(step.call.suite)
  }
  const unknown = references.filter(
    ({ root, kind }) => (kind === 'reference' || kind === 'expression') && !known.has(root),
  )
  plan.foreign = [...new Set([...foreign, ...unknown])]
    .filter(({ root }) => !known.has(root))
    .map(({ root, range, members }) => {
      const name = members[0]
      return { root, range, ...(typeof name === 'string' && { name }) }
    })
}

function startsWith(reference: PlacedReference, step: StepPlan): boolean {
  const [list, index] = pathOf(step)
  return reference.path[0] === list && reference.path[1] === index
}

function reportLate(context: LoadContext, late: { reference: PlacedReference; later: StepPlan }): void {
  context.problems.push({
    code: 'unknown-variable',
    severity: 'warning',
    message: `\`${late.reference.root}\` is captured only later, by \`${late.later.name}\` on line ${late.later.at[0]}.`,
    hint: 'Move that step up, or capture the value earlier.',
    range: late.reference.range,
  })
}

function checkUnused(plan: SuitePlan, { context, references }: Flow): void {
  const read = new Set([
    ...references.map(({ root }) => root),
    ...listSteps(plan).flatMap((step) => step.reads),
    ...plan.exports,
  ])
  for (const step of listSteps(plan))
    for (const capture of step.captures)
      if (!read.has(capture.name))
        context.report([...pathOf(step, 'capture'), capture.name], {
          code: 'unused-capture',
          severity: 'info',
          message: `Nothing reads the capture \`${capture.name}\`.`,
          hint: 'Use it as `{{' + capture.name + '}}`, export it, or remove it.',
        })
}

function pathOf(step: StepPlan, key?: string): (string | number)[] {
  const list = step.phase === 'step' ? 'steps' : step.phase
  return key ? [list, step.number - 1, key] : [list, step.number - 1]
}
