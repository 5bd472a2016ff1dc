import { findCycles } from '../../interpolation/variables/variables.ts'
import { followVariables, type GroupedReferences, type PlacedReference } from '../reads/list-reads.ts'
import type { LoadContext } from '../load-context.ts'
import { listSteps, pathOf, type StepPlan, type SuitePlan } from '../plan/plan.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { mapLeaves, type JsonObject } from '../../json.ts'
import { findNode, type ValuePath } from '../source-tree.ts'
import { findWritten, narrow } from '../../source.ts'
import { suggestField } from '../../text/suggest.ts'

/** Names that the runner itself gives to every suite. */
export const BUILT_IN = ['app_url', 'echo_url', 'base_url', 'variables']

/** A loaded suite on its way through the checks. */
type Flow = {
  plan: SuitePlan
  steps: readonly StepPlan[]
  /** Names known before the first step: variables, row keys, the plugin's variables, what the runner gives. */
  atStart: ReadonlySet<string>
  /** The first step that gives each name. */
  givers: ReadonlyMap<string, StepPlan>
  groups: GroupedReferences
  context: LoadContext
}

/** Static checks over a whole suite: exports, and the order in which variables are captured and read. */
export function checkFlow(plan: SuitePlan, groups: GroupedReferences, context: LoadContext): void {
  const steps = listSteps(plan)
  const rows = (plan.each ?? []).flatMap((row) => Object.keys(row))
  const { variables = [] } = context.options
  const atStart = new Set([...Object.keys(plan.variables), ...rows, ...variables, ...BUILT_IN])
  const given = steps.flatMap((step) => step.gives.map((name) => [name, step] as const))
  const flow: Flow = { plan, steps, atStart, givers: new Map(given.toReversed()), groups, context }
  checkExports(flow)
  checkCycles(flow)
  checkHidden(flow)
  checkLiterals(flow)
  plan.foreign = checkOrder(flow)
}

function checkExports({ plan, givers, context }: Flow): void {
  for (const [index, name] of plan.exports.entries()) {
    if (givers.has(name) || Object.hasOwn(plan.variables, name)) continue
    const nearest = suggestField(name, [...givers.keys(), ...Object.keys(plan.variables)])
    context.report(['exports', index], {
      code: 'unknown-export',
      severity: 'doubt',
      message: `Nothing in this suite captures \`${name}\`.`,
      hint: nearest ? `Did you mean \`${nearest}\`?` : 'Capture it in a step, or remove the export.',
    })
  }
}

function checkCycles({ plan: { variables, each = [] }, context }: Flow): void {
  // Names that every row has are read from the row, never from the suite's variables.
  const inRows = each
    .map((row) => new Set(Object.keys(row)))
    .reduce((all, row) => all.intersection(row), new Set(Object.keys(each[0] ?? {})))
  for (const { path, message } of findCycles(variables, inRows)) {
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

/** Warns of loop variables and keys of rows that a capture hides: `{{name}}` is the captured value from then on. */
function checkHidden({ plan, steps, givers, context }: Flow): void {
  const warn = (path: ValuePath, name: string, { name: step, at: [line] }: StepPlan): void =>
    context.report(path, {
      severity: 'warning',
      message: `\`${step}\` on line ${line} captures \`${name}\`: from then on \`{{${name}}}\` is what was captured.`,
      hint: 'Give one of them another name.',
    })
  for (const [index, step] of steps.entries()) {
    const { iterate } = step
    const giver = iterate && givers.get(iterate.as)
    if (giver && steps.indexOf(giver) <= index) warn([...pathOf(step), 'iterate'], iterate.as, giver)
  }
  for (const name of new Set(plan.each?.flatMap((row) => Object.keys(row)))) {
    const giver = givers.get(name)
    if (giver) warn(['each'], name, giver)
  }
}

/** Warns of `${name}`, the template of other languages, in what is sent where this suite has a value of that name; those in a url are told elsewhere. */
function checkLiterals({ steps, atStart, givers, context }: Flow): void {
  for (const step of steps)
    mapLeaves({ ...(step.request as JsonObject | undefined), url: '' }, (leaf) => {
      const literal = typeof leaf === 'string' && !hasTemplate(leaf) ? /\$\{((\w+)[\w.]*)\}/.exec(leaf) : null
      const [found, name, root = ''] = literal ?? []
      if (found !== undefined && (atStart.has(root) || givers.has(root)))
        context.report([...pathOf(step), 'request'], {
          severity: 'warning',
          message: `\`${found}\` is not a template: it is sent as it is written.`,
          hint: `Write \`{{${name}}}\` to insert the variable.`,
        })
      return leaf
    })
}

/** Warns of reads before the step that captures; returns those that only another suite can satisfy. */
function checkOrder({ steps, atStart, givers, ...flow }: Flow): SuitePlan['foreign'] {
  const { groups, context } = flow
  const known = new Set(atStart)
  const foreign: PlacedReference[] = []
  const inSteps = new Set(steps.map(({ pointer }) => pointer))
  const ofSuite = [...groups].flatMap(([key, references]) => (inSteps.has(key) ? [] : references))
  for (const reference of ofSuite) {
    const giver = reference.path[0] === 'skip' && !known.has(reference.root) && givers.get(reference.root)
    if (giver && !reference.optional)
      reportLate(reference, { name: reference.root, step: giver, giver }, context)
  }
  for (const step of steps) {
    for (const reference of groups.get(step.pointer) ?? [])
      checkRead(reference, { ...flow, givers, step, known, foreign })
    for (const name of step.gives) known.add(name)
  }
  foreign.push(...ofSuite.filter(({ root }) => !known.has(root)))
  // What is said once for all steps is read once.
  const read = new Set<string>()
  return foreign.map(toForeignRead).filter(({ root, range: [, , written] }) => {
    const place = written && `${root} ${written.source.path} ${written.range[0]}`
    return place === undefined || (!read.has(place) && read.add(place))
  })
}

type Reader = Pick<Flow, 'plan' | 'givers' | 'groups' | 'context'> & {
  step: StepPlan
  known: ReadonlySet<string>
  foreign: PlacedReference[]
}

function checkRead(reference: PlacedReference, reader: Reader): void {
  const { plan, givers, groups, context, step, known, foreign } = reader
  const { root, path, optional } = reference
  // The step's own variables and those of its loop.
  if (step.variables && Object.hasOwn(step.variables, root)) return
  if (step.iterate && (root === step.iterate.as || root === 'index')) return
  if (step.defaultAuth && path[3] === 'auth' && step.gives.includes(root) && !known.has(root))
    return context.report([...pathOf(step), 'request'], {
      code: 'unknown-variable',
      message: `\`${step.name}\` captures \`${root}\`, which its own request would need: \`defaults.auth\` reads it.`,
      hint: 'Write `auth: none` in this request.',
    })
  const names = optional ? [root] : followVariables([root], groups, (read) => !read.optional)
  for (const name of names) {
    if (known.has(name) || (step.gives.includes(name) && seesOwn(path, step))) continue
    const giver = givers.get(name)
    if (giver && !optional) reportLate(reference, { name, step, giver }, context)
    else if (name === root && root === plan.nodeId) reportSelf(reference, context)
    else if (name === root && !giver) foreign.push(reference)
  }
}

/** Where what a step itself captures is there: in its next iteration, the turns of its WebSocket and the variables of a branch; its texts are no values. */
function seesOwn([, , key, , , part]: ValuePath, { iterate }: StepPlan): boolean {
  const isSet = key === 'scenarios' && part === 'variables'
  return iterate !== undefined || isSet || /^(?:websocket|name|description)$/.test(String(key))
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

function reportSelf({ root, members, range }: PlacedReference, context: LoadContext): void {
  context.reportAt(range, {
    code: 'unknown-variable',
    severity: 'doubt',
    message: `\`${root}\` is this suite itself: its own captures are read without the node id.`,
    hint: `Write \`{{${members.join('.') || 'name'}}}\`.`,
  })
}

function reportLate(
  { root, range, path, condition }: PlacedReference,
  { name, step, giver }: { name: string; step: StepPlan; giver: StepPlan },
  context: LoadContext,
): void {
  const isSkip = path[0] === 'skip'
  const isOwn = giver === step && !isSkip
  const when = isOwn
    ? 'by this step itself, after its checks'
    : `only later, by \`${giver.name}\` on line ${giver.at[0]}`
  const through = name === root ? '' : `, which the variable \`${root}\` reads,`
  const hint = isOwn
    ? 'Read the answer itself, such as `body.id`, or capture the value in an earlier step.'
    : 'Move that step up, or capture the value earlier.'
  // A default that others share is right: it is this step that comes too early.
  context.reportAt(range[2] ? findNode(context.tree, [...pathOf(step), 'name']).range : range, {
    code: 'unknown-variable',
    severity: context.options.isStrict || (isOwn && condition) ? 'doubt' : 'warning',
    message: `\`${name}\`${through} is captured ${when}.`,
    hint: isSkip
      ? "A suite's `skip` is decided before its first step: ask in the `skip` of later steps."
      : hint,
  })
}
