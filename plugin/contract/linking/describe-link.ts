import type { Problem } from '../../../src/errors.ts'
import {
  documentedGlobals,
  isExtensionFunction,
} from '../../../src/interpolation/sandbox/extension-functions.ts'
import { findElsewhere } from '../../../src/interpolation/names-elsewhere.ts'
import { BUILT_IN } from '../../../src/suite/check/check-flow.ts'
import { LOCALS } from '../../../src/path/exchange-fields.ts'
import {
  listSteps,
  type ForeignRead,
  type StepPlan,
  type SuiteNeed,
  type SuitePlan,
} from '../../../src/suite/plan/plan.ts'
import { suggestField } from '../../../src/text/suggest.ts'

/** A suite that another one names: its plan, or why there is none; undefined when no suite has that name. */
export type LinkTarget = SuitePlan | 'missing' | 'broken' | undefined

/** The node ids of all suites, looked through only for a suggestion. */
type NodeIds = Pick<ReadonlyMap<string, unknown>, 'keys'>

/** What is wrong with a suite being named in `depends` or `call`: it does not exist, or has no such step. */
export function describeNeed(need: SuiteNeed, target: LinkTarget, nodeIds: NodeIds): Problem[] {
  const isFile = /\.ya?ml$/i.test(need.suite)
  if (target === undefined || target === 'missing') {
    const message = isFile
      ? `The suite file \`${need.suite}\` does not exist.`
      : `No suite has the node id \`${need.suite}\`.`
    const hint = isFile
      ? 'File names are relative to this suite.'
      : suggest(need.suite, [...nodeIds.keys()], 'Known')
    return [{ code: 'unknown-reference', severity: 'error', message, hint, range: need.range }]
  }
  const { step } = need
  if (target === 'broken') return []
  const called = listCalled(need, target)
  const rows = new Set(target.each?.flatMap((row) => Object.keys(row)))
  const given = new Set(need.inputs?.map(({ name }) => name))
  const lost = called.flatMap(({ reads }) => reads).find((name) => rows.has(name) && !given.has(name))
  if (need.isCall && lost !== undefined) {
    const message = `A call runs the suite \`${target.nodeId}\` once, without the rows of its \`each\`: nothing gives \`${lost}\`.`
    const hint = 'Give it in the `variables` of the call, and `iterate` there over several.'
    return [{ code: 'bad-value', severity: 'error', message, hint, range: need.range }]
  }
  if (!step || called.length > 0) return describeInputs(need, target, nodeIds)
  const names = listSteps(target).flatMap(({ id, name }) => [name, id])
  return [
    {
      code: 'unknown-reference',
      severity: 'error',
      message: `The suite \`${target.nodeId}\` has no step \`${step.name}\`.`,
      hint: suggest(step.name, names, 'It has'),
      range: step.range,
    },
  ]
}

/** The steps that a call names: one, or all. */
export function listCalled({ step }: SuiteNeed, target: SuitePlan): StepPlan[] {
  return listSteps(target).filter(({ id, name }) => !step || id === step.name || name === step.name)
}

/** Variables given to a suite that reads nothing of that name: most likely it goes on with its own. */
function describeInputs({ inputs = [] }: SuiteNeed, target: SuitePlan, nodeIds: NodeIds): Problem[] {
  const read = new Set([
    ...Object.keys(target.variables),
    ...target.reads,
    ...listSteps(target).flatMap(({ reads }) => reads),
    ...target.foreign.map(({ root }) => root),
  ])
  // Whoever reads them all may read any.
  if (read.has('variables')) return []
  const given = new Set([...BUILT_IN, ...nodeIds.keys()])
  const known = [...read].filter((name) => !given.has(name))
  return inputs
    .filter(({ name }) => !read.has(name))
    .map(({ name, range }) => ({
      code: 'ignored',
      severity: 'warning',
      message: `The suite \`${target.nodeId}\` reads no variable \`${name}\`: it does nothing there.`,
      hint: suggest(name, known, 'It reads'),
      range,
    }))
}

type ReadPlace = {
  target: LinkTarget
  isCalled: boolean
  nodeIds: NodeIds
  /** What cannot be resolved is an error. */
  isStrict: boolean
  /** Another suite may call this one, with inputs that are variables here. */
  hasCallers: boolean
  /** Names of environments, of which none is chosen. */
  environments: readonly string[]
}

/** What is wrong with reading `{{root.name}}`: nothing has that name, or the other suite does not export it. */
export function describeRead(read: ForeignRead, plan: SuitePlan, place: ReadPlace): Problem[] {
  const { root, name, optional, range } = read
  const { target, isCalled } = place
  if (target === undefined) return optional ? [] : [describeUnknown(read, plan, place)]
  if (typeof target === 'string' || name === undefined) return []
  const given = listSteps(target).flatMap(({ gives }) => gives)
  const readable = isCalled ? [...target.exports, ...given] : target.exports
  if (readable.includes(name)) return []
  const isCaptured = given.includes(name) || Object.hasOwn(target.variables, name)
  return [
    {
      code: 'unknown-export',
      severity: optional ? 'warning' : 'error',
      message: `The suite \`${root}\` does not export \`${name}\`.`,
      hint: isCaptured
        ? `Add \`${name}\` to the \`exports\` of ${target.file}.`
        : suggest(name, readable, 'It exports'),
      range,
    },
  ]
}

function describeUnknown(
  { root, name, condition, answer, range }: ForeignRead,
  plan: SuitePlan,
  { nodeIds, isStrict, hasCallers, environments }: ReadPlace,
): Problem {
  const isLocal = LOCALS.has(root)
  // In a template, a node id alone has no value.
  const others =
    name === undefined && !condition ? [] : [...nodeIds.keys()].filter((id) => id !== plan.nodeId)
  const functions = [...documentedGlobals].filter(isExtensionFunction)
  const ofEvent = answer?.startsWith('event.') ? ['event'] : []
  const names = [...(condition ? LOCALS : []), ...ofEvent, ...listNames(plan), ...functions, ...others]
  const nearest = isLocal ? undefined : suggestField(root, names)
  const isInput = hasCallers && !isLocal && !LOCALS.has(nearest ?? '')
  const whole = name === undefined ? root : `${root}.${name}`
  const remedy = isLocal
    ? 'There is no response yet where this is read.'
    : (findElsewhere(name === 'response' ? 'steps' : root) ??
      `${answer ? `If it is a field of the answer, write \`${answer}.${whole}\`; else define` : 'Define'} it in \`variables\`, capture it, or ${condition ? `ask \`typeof ${root}\`` : `give it a default: \`{{${whole} || 1}}\``}.`)
  return {
    code: 'unknown-variable',
    // `!(respons_time > 500)` would pass whatever the response is.
    severity: (condition || isStrict) && !plan.rules.isLenient && !isInput ? 'error' : 'warning',
    message: `Nothing gives \`${whole}\` a value: \`${root}\` is not a variable or capture here, nor a node id.`,
    hint: nearest
      ? `Did you mean \`${nearest}\`?`
      : environments.length > 0 && !isLocal
        ? `No environment is chosen: set SUITECASE_ENV to ${environments.join(' or ')} if that defines it.`
        : remedy,
    range,
  }
}

function listNames(plan: SuitePlan): string[] {
  const rows = (plan.each ?? []).flatMap((row) => Object.keys(row))
  return [...Object.keys(plan.variables), ...listSteps(plan).flatMap(({ gives }) => gives), ...rows]
}

function suggest(name: string, known: readonly string[], label: string): string {
  const nearest = suggestField(name, known)
  if (nearest !== undefined) return `Did you mean \`${nearest}\`?`
  if (known.length === 0) return `${label}: nothing.`
  const shown = known.slice(0, 12).join(', ')
  return `${label}: ${shown}${known.length > 12 ? ` … (${known.length} in all)` : ''}.`
}
