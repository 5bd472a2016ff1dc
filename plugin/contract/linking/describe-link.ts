import type { Problem } from '../../../src/errors.ts'
import { extensionFunctions } from '../../../src/interpolation/sandbox/extension-functions.ts'
import { findElsewhere } from '../../../src/interpolation/names-elsewhere.ts'
import { LOCALS } from '../../../src/path/exchange-fields.ts'
import { listCalled, listSteps, listVariables } from '../../../src/suite/plan/plan.ts'
import type { ForeignRead, SuiteNeed, SuitePlan } from '../../../src/suite/plan/plan.ts'
import { findWritten, type SourceFile } from '../../../src/source.ts'
import { listNames } from '../../../src/text/show-value.ts'
import { suggestName } from '../../../src/text/suggest.ts'
import type { OtherSuite } from './suite-lookup.ts'

type NodeIds = Pick<ReadonlyMap<string, unknown>, 'keys'>

/** Mistakes in a `depends` or `call`: there is no such suite or step, or it reads no such variable. */
export function describeNeed(need: SuiteNeed, other: OtherSuite | undefined, nodeIds: NodeIds): Problem[] {
  const { step, suite } = need
  if (!other)
    return /\.ya?ml$/i.test(suite)
      ? refuse(`The suite file \`${suite}\` does not exist.`, 'File names are relative to this suite.', need)
      : refuse(`No suite has the node id \`${suite}\`.`, suggest(suite, [...nodeIds.keys()], 'Known'), need)
  if (!other.plan) return []
  if (!step || listCalled(other.plan, step.name).length > 0) return describeInputs(need, other.plan)
  const names = listSteps(other.plan).flatMap(({ id, name }) => [name, id])
  const hint = suggest(step.name, names, 'It has')
  return refuse(`The suite \`${other.plan.nodeId}\` has no step \`${step.name}\`.`, hint, step)
}

function refuse(message: string, hint: string, kind: Pick<Problem, 'range'> & Partial<Problem>): Problem[] {
  const { code = 'unknown-reference', severity = 'error', range } = kind
  return [{ code, severity, message, hint, range }]
}

/** Warns about passed variables that the called suite never reads. Their names may be misspelt. */
function describeInputs({ inputs = [] }: SuiteNeed, target: SuitePlan): Problem[] {
  const read = new Set([
    ...Object.keys(target.variables),
    ...target.reads,
    ...listSteps(target).flatMap(({ reads }) => reads),
    ...target.foreign.map(({ root }) => root),
  ])
  // A suite that reads `variables` as a whole may read any of them.
  const unread = read.has('variables') ? [] : inputs.filter(({ name }) => !read.has(name))
  return unread.flatMap(({ name, range }) => {
    const message = `The suite \`${target.nodeId}\` reads no variable \`${name}\`, so passing it has no effect.`
    const hint = suggest(name, [...read], 'It reads')
    return refuse(message, hint, { code: 'ignored', severity: 'warning', range })
  })
}

/** Mistakes in reading `{{root.name}}` of another suite. After a call (`isGiven`) its captures count too. */
export function describeRead(
  { root, name, optional, range }: ForeignRead,
  { plan: target }: OtherSuite,
  isGiven: boolean,
): Problem[] {
  if (!target || name === undefined) return []
  const given = listSteps(target).flatMap(({ provides }) => provides)
  const readable = isGiven ? [...target.exports, ...given] : target.exports
  if (readable.includes(name)) return []
  const isCaptured = given.includes(name) || Object.hasOwn(target.variables, name)
  const hint = isCaptured
    ? `Add \`${name}\` to the \`exports\` of ${target.file}.`
    : suggest(name, readable, 'It exports')
  const severity = optional ? 'warning' : 'error'
  const message = `The suite \`${root}\` does not export \`${name}\`.`
  return refuse(message, hint, { code: 'unknown-export', severity, range })
}

/** What conditions of other tools call the parts of a response. */
const OF_RESPONSE = new Map([
  ['status', 'status_code'],
  ['responsecode', 'status_code'],
  ['responsebody', 'body'],
  ['elapsed', 'response_time_ms'],
  ['latency', 'response_time_ms'],
])

/** Mistakes in reading `{{root.name}}` when nothing is called `root`. */
export function describeUnknown(
  { root, name, optional, condition, answer, range }: ForeignRead,
  plan: SuitePlan,
  place: {
    source: SourceFile
    nodeIds: NodeIds
    /** Unresolved names are errors, not warnings. */
    isStrict: boolean
    /** The names of what calls of other suites may pass. */
    passed: ReadonlySet<string>
    /** The suites in `depends` and `call`, by node id. */
    named: ReadonlyMap<string, OtherSuite>
  },
): Problem[] {
  const { source, range: written } = findWritten(range, place.source)
  const [before, after] = [source.text.slice(0, written[0]), source.text.slice(written[1])]
  const [, owner, start = ''] = /(?:\b(headers|cookies)\??\.)?((?:\w+-)*)$/.exec(before.slice(-99)) ?? []
  const hyphened = start + root + (/^(?:-\w+)*/.exec(after)?.[0] ?? '')
  const known = hyphened === root ? [] : [...listVariables(plan), ...place.nodeIds.keys()]
  const isSubtracted = known.includes(hyphened)
  // Such a name is reported once, at the first of its parts that has no value.
  if (isSubtracted ? start !== '' && !known.includes(start.slice(0, -1)) : optional) return []
  const isInput = place.passed.has(root) && !LOCALS.has(root) && !isSubtracted
  const whole = name === undefined ? root : `${root}.${name}`
  function findHint(): string {
    if (isSubtracted || (owner && start))
      return `A hyphen subtracts here. Write \`${owner ?? 'variables'}['${hyphened}']\` for the value of that name.`
    if (LOCALS.has(root))
      return 'There is no response yet at this point. To use the one of an earlier step, capture it there.'
    if (isInput)
      return 'Only calls from other suites pass it. For a run of this suite by itself, define it in `variables`; what a call passes wins.'
    if (extensionFunctions.has(root)) return `It is a function. Call it, such as \`{{${root}()}}\`.`
    const giver = place.named.keys().find((nodeId) => provides(place.named.get(nodeId)?.plan, root))
    if (giver !== undefined) return `Write \`${giver}.${root}\` for what the suite \`${giver}\` captures.`
    // Node ids are not suggested for `{{name}}`: in a template a node id alone has no value.
    const nodeIds = name === undefined && !condition ? [] : [...place.nodeIds.keys()]
    const others = nodeIds.filter((id) => id !== plan.nodeId)
    const own = listVariables(plan)
    const locals = condition ? LOCALS : []
    const names = [...locals, ...own, ...place.passed, ...extensionFunctions.keys(), ...others]
    const nearest = (condition ? OF_RESPONSE.get(root.toLowerCase()) : undefined) ?? suggestName(root, names)
    if (own.includes(whole) && name !== undefined)
      return `A dot reads a field. Write \`variables['${whole}']\`, or give the variable a name without dots.`
    if (nearest) return `Did you mean \`${nearest}\`?`
    if (name !== undefined && own.includes(name)) return `Write \`${name}\` without \`${root}.\`.`
    if (!name && /[=!]==?\s*$/.test(before))
      return `If \`${root}\` is a string, put it in quotes: \`'${root}'\`.`
    const elsewhere = findElsewhere(root)
    if (elsewhere !== undefined) return elsewhere
    if (/^[\w.]*\s*\(/.test(after))
      return 'Functions of your own belong in a module that the option `extend` of suites() names.'
    const isOfEvent = answer === 'event.data' && /^(?:events|data|id|at_ms)$/.test(root)
    const field = isOfEvent ? `event.${whole}`.replace('.events', '') : `${answer}.${whole}`
    const define = answer
      ? `If it is a field of the response, write \`${field}\`; otherwise, define`
      : 'Define'
    const last = condition ? `check \`typeof ${root}\`` : 'give it a default: `{{… || 1}}`'
    return `${define} it in \`variables\` or an environment, capture it, or ${last}.`
  }
  // A warning would not do for a condition: `!(respons_time > 500)` would pass for any response.
  const isError = (condition || place.isStrict || isSubtracted) && !plan.isLenient && !isInput
  const severity = isError ? 'error' : 'warning'
  const message = `Nothing gives \`${whole}\` a value: \`${root}\` is not a variable or capture here, nor a node id.`
  return refuse(message, findHint(), { code: 'unknown-variable', severity, range })
}

function provides(plan: SuitePlan | undefined, name: string): boolean | undefined {
  return plan && [plan.exports, ...listSteps(plan).map((step) => step.provides)].flat().includes(name)
}

function suggest(name: string, known: readonly string[], label: string): string {
  const nearest = suggestName(name, known)
  if (nearest !== undefined) return `Did you mean \`${nearest}\`?`
  return `${label}: ${listNames(known) || 'nothing'}.`
}
