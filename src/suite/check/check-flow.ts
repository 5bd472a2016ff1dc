import { findCycles } from '../../interpolation/variables/variables.ts'
import {
  followVariables,
  listVariableReads,
  type GroupedReferences,
  type PlacedReference,
} from '../reads/list-reads.ts'
import type { LoadContext } from '../load-context.ts'
import { listSteps, pathOf, type StepPlan, type SuitePlan } from '../plan/plan.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import type { Json, JsonObject } from '../../json.ts'
import { findNode, type ValuePath } from '../source-tree.ts'
import { findWritten, narrow } from '../../source.ts'
import { suggestField } from '../../text/suggest.ts'

/** Names that the runner itself gives to every suite. */
export const BUILT_IN = ['app_url', 'echo_url', 'base_url', 'variables']

type Flow = { context: LoadContext; groups: GroupedReferences }

/** Static checks over a whole suite: ids, exports, and the order in which variables are captured and read. */
export function checkFlow(plan: SuitePlan, flow: Flow): void {
  checkIds(plan, flow.context)
  checkClock(plan, flow.context)
  checkExports(plan, flow.context)
  checkVariables(plan, flow.context)
  checkOrder(plan, flow)
  checkHidden(plan, flow.context)
  checkForeignTemplates(plan, flow.context)
}

function checkIds(plan: SuitePlan, context: LoadContext): void {
  const seen = new Map<string, StepPlan>()
  for (const step of listSteps(plan)) {
    const first = seen.get(step.id)
    if (first)
      context.report([...pathOf(step), 'step_id'], {
        message: `The step id \`${step.id}\` is taken by the step on line ${first.at[0]}.`,
        hint: 'Give each step its own `step_id`.',
      })
    seen.set(step.id, step)
  }
}

function checkClock(plan: SuitePlan, context: LoadContext): void {
  if (plan.clock !== undefined) return
  for (const step of listSteps(plan).filter(({ advance }) => advance > 0))
    context.report([...pathOf(step), 'advance'], {
      message: '`advance` moves the clock of the suite, which has none.',
      hint: 'Give the suite a `clock`, such as `clock: 2026-01-01T00:00:00Z`.',
    })
}

function checkExports(plan: SuitePlan, context: LoadContext): void {
  const given = new Set([...listSteps(plan).flatMap((step) => step.gives), ...Object.keys(plan.variables)])
  for (const [index, name] of plan.exports.entries()) {
    if (given.has(name)) continue
    const nearest = suggestField(name, [...given])
    context.report(['exports', index], {
      code: 'unknown-export',
      severity: 'doubt',
      message: `Nothing in this suite captures \`${name}\`.`,
      hint: nearest ? `Did you mean \`${nearest}\`?` : 'Capture it in a step, or remove the export.',
    })
  }
}

const MAX_CYCLES = 20

function checkVariables(plan: SuitePlan, context: LoadContext): void {
  for (const { path, message } of findCycles(plan.variables, listRowNames(plan)).slice(0, MAX_CYCLES)) {
    const { range } = findNode(context.tree, ['variables', ...path])
    const { source, range: written } = findWritten(range, context.source)
    const start = written[0] + Math.max(0, source.text.slice(...written).indexOf('{{'))
    context.reportAt(narrow(range, start, Math.max(start + 2, written[1])), {
      code: 'variable-cycle',
      severity: 'doubt',
      message: `${message}.`,
      hint: 'Write out the value of one of them.',
    })
  }
}

/** Names that every row has: they are read from the row, never from the suite's variables. */
function listRowNames({ each = [] }: SuitePlan): ReadonlySet<string> {
  const [first = {}, ...others] = each
  return new Set(Object.keys(first).filter((name) => others.every((row) => Object.hasOwn(row, name))))
}

/** Names known before the first step: variables, row keys, the plugin's variables, what the runner gives. */
function listKnown(plan: SuitePlan, context: LoadContext): Set<string> {
  const rows = (plan.each ?? []).flatMap((row) => Object.keys(row))
  return new Set([...Object.keys(plan.variables), ...rows, ...(context.options.variables ?? []), ...BUILT_IN])
}

/** Warns of reads before the step that captures, and leaves reads that only another suite can satisfy in `plan.foreign`. */
function checkOrder(plan: SuitePlan, { context, groups }: Flow): void {
  const known = listKnown(plan, context)
  const atStart = new Set(known)
  const steps = listSteps(plan)
  const givers = new Map<string, StepPlan>()
  for (const step of steps) for (const name of step.gives) if (!givers.has(name)) givers.set(name, step)
  for (const name of Object.keys(plan.variables))
    for (const reference of listVariableReads(name, groups)) {
      const giver =
        reference.hasDefault && !known.has(reference.root) ? givers.get(reference.root) : undefined
      if (giver) reportFrozen(context, reference, { name, giver })
    }
  const foreign: PlacedReference[] = []
  for (const step of steps) {
    for (const reference of groups.get(step.pointer) ?? []) {
      const { root, path, optional } = reference
      const isThere = (name: string): boolean =>
        known.has(name) || (step.gives.includes(name) && seesOwn(path, step))
      if (isLocal(reference, step)) continue
      if (step.defaultAuth && path[3] === 'auth' && step.gives.includes(root) && !known.has(root)) {
        reportOwnToken(context, step, root)
        continue
      }
      if (!optional && Object.hasOwn(plan.variables, root))
        for (const name of followVariables([root], groups, (read) => !read.optional)) {
          const giver = isThere(name) ? undefined : givers.get(name)
          if (giver) reportLate(context, reference, { name, step, giver })
        }
      if (isThere(root)) continue
      const giver = givers.get(root)
      if (root === plan.nodeId) reportSelf(context, reference)
      else if (!giver) foreign.push(reference)
      else if (!optional) reportLate(context, reference, { name: root, step, giver })
    }
    for (const name of step.gives) known.add(name)
  }
  const inSteps = new Set(steps.map(({ pointer }) => pointer))
  for (const reference of [...groups].flatMap(([key, references]) => (inSteps.has(key) ? [] : references))) {
    const { root, path, optional } = reference
    const giver = path[0] === 'skip' && !optional && !atStart.has(root) ? givers.get(root) : undefined
    if (giver) reportLate(context, reference, { name: root, step: giver, giver })
    else if (!known.has(root)) foreign.push(reference)
  }
  // What is said once for all steps is read once.
  const read = new Set<string>()
  plan.foreign = foreign.map(toForeignRead).filter(({ root, range: [, , written] }) => {
    const place = written && `${root} ${written.source.path} ${written.range[0]}`
    return place === undefined || (!read.has(place) && read.add(place))
  })
}

/** Warns of loop variables and keys of rows that a capture hides: `{{name}}` is the captured value from then on. */
function checkHidden(plan: SuitePlan, context: LoadContext): void {
  const givers = new Map<string, StepPlan>()
  const report = (path: ValuePath, name: string, what: string): void => {
    const giver = givers.get(name)
    if (giver)
      context.report(path, {
        code: 'bad-value',
        severity: 'warning',
        message: `\`${giver.name}\` on line ${giver.at[0]} captures \`${name}\`, which wins over ${what}: \`{{${name}}}\` is what was captured.`,
        hint: 'Give one of them another name.',
      })
  }
  for (const step of listSteps(plan)) {
    for (const name of step.gives) if (!givers.has(name)) givers.set(name, step)
    if (step.iterate) report([...pathOf(step), 'iterate'], step.iterate.as, 'the variable of this loop')
  }
  for (const name of new Set(plan.each?.flatMap((row) => Object.keys(row))))
    report(['each'], name, 'the value of each row')
}

/** Warns of `${name}`, the template of other languages, where this suite has a value of that name; those in the path of a url are told elsewhere. */
function checkForeignTemplates(plan: SuitePlan, context: LoadContext): void {
  if (!context.source.text.includes('${')) return
  const names = new Set([...listKnown(plan, context), ...listSteps(plan).flatMap(({ gives }) => gives)])
  const visit = (part: Json | undefined, path: ValuePath): void => {
    if (typeof part === 'object' && part !== null)
      for (const [key, value] of Object.entries(part)) visit(value, [...path, key])
    if (typeof part !== 'string' || hasTemplate(part)) return
    const [found, name = '', root = ''] = /\$\{((\w+)[\w.]*)\}/.exec(part) ?? []
    if (names.has(root))
      context.report(path, {
        code: 'bad-value',
        severity: 'warning',
        message: `\`${found}\` is not a template: it is sent as it is written.`,
        hint: `Write \`{{${name}}}\` to insert the variable.`,
      })
  }
  for (const step of listSteps(plan)) {
    const { url, ...request } = (step.request ?? {}) as JsonObject
    const query = typeof url === 'string' ? url.replace(/^[^?]*/, '') : ''
    visit({ ...request, url: query }, [...pathOf(step), 'request'])
  }
}

function toForeignRead(reference: PlacedReference): SuitePlan['foreign'][number] {
  const { root, members, hasDefault, condition, path, range } = reference
  const [name] = members
  const isJudged = condition && !path.includes('skip')
  return {
    root,
    range,
    ...(name !== undefined && { name: String(name) }),
    ...(hasDefault && { optional: true }),
    ...(condition && { condition }),
    ...(isJudged && { answer: path[2] === 'stream' ? 'event.data' : 'body' }),
  }
}

/** Where what a step itself captures is there: in its next iteration, the turns of its WebSocket and the variables of a branch; its texts are no values. */
function seesOwn([, , key, , , part]: ValuePath, { iterate }: StepPlan): boolean {
  const isSet = key === 'scenarios' && part === 'variables'
  return iterate !== undefined || isSet || /^(?:websocket|name|description)$/.test(String(key))
}

/** The step's own variables and those of its loop. */
function isLocal({ root }: PlacedReference, { variables, iterate }: StepPlan): boolean {
  if (variables && Object.hasOwn(variables, root)) return true
  return iterate !== undefined && (root === iterate.as || root === 'index')
}

function reportSelf(context: LoadContext, { root, members, range }: PlacedReference): void {
  context.reportAt(range, {
    code: 'unknown-variable',
    severity: 'doubt',
    message: `\`${root}\` is this suite itself: its own captures are read without the node id.`,
    hint: `Write \`{{${members.join('.') || 'name'}}}\`.`,
  })
}

/** A step that logs in cannot send what it logs in for. */
function reportOwnToken(context: LoadContext, step: StepPlan, name: string): void {
  context.report([...pathOf(step), 'request'], {
    code: 'unknown-variable',
    message: `\`${step.name}\` captures \`${name}\`, which its own request would need: \`defaults.auth\` reads it.`,
    hint: 'Write `auth: none` in this request.',
  })
}

function reportFrozen(
  context: LoadContext,
  { root, range }: PlacedReference,
  { name, giver }: { name: string; giver: StepPlan },
): void {
  context.reportAt(range, {
    code: 'ignored',
    severity: 'warning',
    message: `\`${root}\` is captured by \`${giver.name}\` on line ${giver.at[0]}, and \`${name}\` keeps its default: the variables of a suite get theirs before its first step.`,
    hint: `Write \`{{${root} || …}}\` where \`${name}\` is read.`,
  })
}

function reportLate(
  context: LoadContext,
  { root, range, path, condition }: PlacedReference,
  { name, step, giver }: { name: string; step: StepPlan; giver: StepPlan },
): void {
  const isOwn = giver === step && path[0] !== 'skip'
  const when = isOwn
    ? 'by this step itself, after its checks'
    : `only later, by \`${giver.name}\` on line ${giver.at[0]}`
  const through = name === root ? '' : `, which the variable \`${root}\` reads,`
  // A default that others share is right: it is this step that comes too early.
  context.reportAt(range[2] ? findNode(context.tree, [...pathOf(step), 'name']).range : range, {
    code: 'unknown-variable',
    severity: context.options.isStrict || (isOwn && condition) ? 'doubt' : 'warning',
    message: `\`${name}\`${through} is captured ${when}.`,
    hint:
      path[0] === 'skip'
        ? "A suite's `skip` is decided before its first step: ask in the `skip` of later steps."
        : isOwn
          ? 'Read the answer itself, such as `body.id`, or capture the value in an earlier step.'
          : 'Move that step up, or capture the value earlier.',
  })
}
