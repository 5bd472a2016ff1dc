import { toPointer } from '../../path/field-path.ts'
import type { ValuePath } from '../../json.ts'
import { findCycles } from '../../interpolation/variables/variables.ts'
import { isStepList } from '../plan/step-id.ts'
import { followVariables, type GroupedReferences, type PlacedReference } from '../reads/list-reads.ts'
import type { LoadContext } from '../load-context.ts'
import { listSteps, pathOf, type StepPlan, type SuitePlan } from '../plan/plan.ts'
import type { Place } from '../../source.ts'
import { findNode } from '../source-tree.ts'
import { suggestName } from '../../text/suggest.ts'

type Flow = {
  plan: SuitePlan
  groups: GroupedReferences
  context: LoadContext
  /** Names known so far: variables, row keys, the plugin's variables, the runner's values, and what earlier steps provide. */
  known: Set<string>
  /** The first step that provides each name. */
  providers: ReadonlyMap<string, StepPlan>
}

/** Checks a suite without running it: exports, cycles, order of captures and reads. Sets `plan.foreign`, the reads that only another suite can satisfy. */
export function checkFlow(plan: SuitePlan, groups: GroupedReferences, context: LoadContext): void {
  const rows = (plan.each ?? []).flatMap((row) => Object.keys(row))
  const { variables = [], hasApp = true } = context.options
  const builtIn = ['echo_url', 'variables', ...(hasApp ? ['app_url'] : [])]
  const known = new Set([...Object.keys(plan.variables), ...rows, ...variables, ...builtIn])
  const given = listSteps(plan).flatMap((step) => step.provides.map((name) => [name, step] as const))
  const flow: Flow = { plan, groups, context, known, providers: new Map(given.toReversed()) }
  checkExports(flow)
  checkCycles(flow)
  plan.foreign = checkOrder(flow)
}

function checkExports({ plan, providers, context }: Flow): void {
  const names = [...providers.keys(), ...Object.keys(plan.variables)]
  for (const [index, name] of plan.exports.entries()) {
    if (names.includes(name)) continue
    const nearest = suggestName(name, names)
    context.report(['exports', index], {
      code: 'unknown-export',
      severity: 'doubt',
      message: `Nothing in this suite captures \`${name}\`.`,
      hint: nearest ? `Did you mean \`${nearest}\`?` : 'Capture it in a step, or remove the export.',
    })
  }
}

function checkCycles({ plan: { variables, each = [] }, context }: Flow): void {
  // Keys of a row hide suite variables, so they close no cycle.
  for (const { path, message } of findCycles(variables, new Set(Object.keys(each[0] ?? {}))))
    context.report(['variables', ...path], {
      code: 'variable-cycle',
      severity: 'doubt',
      message: `${message}.`,
      hint: 'Write out the value of one of them.',
    })
}

/** Reports reads before the step that captures; returns those that only another suite can satisfy. */
function checkOrder(flow: Flow): SuitePlan['foreign'] {
  const { plan, groups, known } = flow
  const steps = listSteps(plan)
  const foreign: PlacedReference[] = []
  for (const step of steps) {
    for (const reference of groups.get(step.pointer) ?? []) foreign.push(...checkRead(reference, step, flow))
    for (const name of step.provides) known.add(name)
    checkLoop(step, flow)
  }
  const requests = steps.filter(({ request }) => request)
  // `defaults` were copied into the steps. Shared settings except mocks are filled in with the variables of each step.
  const isOwn = (root: string): boolean => requests.length > 0 && requests.every((step) => hasOwn(step, root))
  for (const [key, references] of groups) {
    if (/^\/(?:setup|steps|teardown|defaults)\//.test(key)) continue
    const isFilled = key !== 'mocks' && !key.startsWith('/')
    foreign.push(...references.filter(({ root }) => !known.has(root) && !(isFilled && isOwn(root))))
  }
  return foreign.map(toForeignRead)
}

/** Warns of a loop whose variable is hidden by a capture of the same name. */
function checkLoop(step: StepPlan, { plan, providers, context }: Flow): void {
  const provider = providers.get(step.iterate?.as ?? '')
  const steps = listSteps(plan)
  if (!provider || steps.indexOf(provider) > steps.indexOf(step)) return
  context.report([...pathOf(step), 'iterate', 'as'], {
    severity: 'warning',
    message: `\`${step.iterate?.as}\` is captured by \`${provider.name}\` on line ${provider.at[0]}, and captures take precedence: all later iterations read the captured value instead of their item.`,
    hint: 'Give the loop variable or the capture another name.',
  })
}

function hasOwn({ variables = {}, iterate }: StepPlan, name: string): boolean {
  return Object.hasOwn(variables, name) || (iterate !== undefined && [iterate.as, 'index'].includes(name))
}

/** Reports what a step reads too early. Returns the reference if only another suite can satisfy it. */
function checkRead(reference: PlacedReference, step: StepPlan, flow: Flow): PlacedReference[] {
  const { providers, groups, context, known } = flow
  const { root, path, optional } = reference
  if (path[2] !== 'iterate' && hasOwn(step, root)) return []
  const names = optional ? [root] : followVariables([root], groups, (read) => !read.optional)
  const late = names.filter(
    (name) => !known.has(name) && !(step.provides.includes(name) && seesOwn(path, step)),
  )
  for (const name of optional ? [] : late) {
    const provider = providers.get(name)
    if (provider) reportLate(reference, { name, step, provider }, context)
  }
  return late.includes(root) && !providers.has(root) ? [reference] : []
}

/** True where a step may read its own captures: in later iterations, turns of its WebSocket, variables of a branch, and its name. */
function seesOwn([, , key, , , part]: ValuePath, { iterate }: StepPlan): boolean {
  const isSet = key === 'scenarios' && part === 'variables'
  return iterate !== undefined || isSet || /^(?:websocket|name)$/.test(String(key))
}

function toForeignRead(reference: PlacedReference): SuitePlan['foreign'][number] {
  const { root, members, hasDefault, condition, path, range } = reference
  const [name] = members
  const isJudged = condition && !path.includes('skip')
  // What is written elsewhere, as in `defaults`, belongs to no single step and counts once.
  const isOwn = isStepList(path[0]) && !range[2]
  return {
    root,
    range,
    ...(name !== undefined && { name: String(name) }),
    ...(hasDefault && { optional: true }),
    ...(condition && { condition }),
    ...(isOwn && { step: toPointer(path.slice(0, 2)) }),
    ...(path[2] === 'call' && { input: true }),
    ...(isJudged && { answer: path[2] === 'stream' ? 'event.data' : 'body' }),
  }
}

function reportLate(
  reference: PlacedReference,
  { name, step, provider }: { name: string; step: StepPlan; provider: StepPlan },
  context: LoadContext,
): void {
  const { root, path, range, condition } = reference
  const isOwn = provider === step
  const isDefault = isInherited(reference, context)
  const readers = [name !== root && `the variable \`${root}\``, isDefault && `\`defaults.${path[3]}\``]
  const through = readers.filter(Boolean).join(' of ')
  const when = isOwn
    ? 'set by this step itself, after its checks'
    : `captured only later, by \`${provider.name}\` on line ${provider.at[0]}`
  // Many steps share a default, so the problem is placed at the step that comes too early.
  const stepPlace = (key: string): Place => findNode(context.tree, [...pathOf(step), key]).range
  const problem = {
    code: 'unknown-variable',
    severity: context.options.isStrict || (isOwn && condition) ? 'doubt' : 'warning',
    message: `\`${name}\`${through && `, which ${through} reads,`} is ${when}.`,
  } as const
  if (isDefault)
    return context.reportAt(stepPlace('request'), {
      ...problem,
      ...(isOwn && path[3] === 'auth' && { severity: 'error' }),
      hint: hintToOmit(path),
    })
  const hint = isOwn
    ? 'Read the response itself, such as `body.id`, or capture the value in an earlier step.'
    : 'Move that step up, or capture the value earlier.'
  context.reportAt(range[2] ? stepPlace('name') : range, { ...problem, hint })
}

/** True for what a request takes from `defaults`, the suite's own or those of another file. */
function isInherited({ path, range: [at, , written] }: PlacedReference, { tree }: LoadContext): boolean {
  const [start = at, end = at] = tree.children?.get('defaults')?.range ?? []
  return path[2] === 'request' && (written !== undefined || (start <= at && at < end))
}

function hintToOmit([, , , key, ...below]: ValuePath): string {
  const field = below.find((name) => typeof name === 'string')
  return `Write \`${key === 'auth' ? 'auth: none' : `${key}: { ${field}: null }`}\` in this request.`
}
