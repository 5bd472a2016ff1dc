import type { ValuePath } from '../../json.ts'
import { listSteps, type StepPlan, type SuiteNeed, type SuitePlan } from '../plan/plan.ts'
import { stepLists } from '../plan/step-id.ts'
import type { Place } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import type { SuiteInput } from '../schema/schema.ts'
import { findNode } from '../source-tree.ts'
import type { Reference } from '../../interpolation/references.ts'

/** A variable that a `{{…}}` or condition reads, with its place in the suite. */
export type PlacedReference = {
  root: string
  /** Path segments below the root. */
  members: Reference['path']
  kind: Reference['kind']
  /** True if it may be missing: the expression has a default, a condition or the like. */
  optional: boolean
  /** True if the expression replaces a missing value or asks whether it exists, so that nothing needs to provide it. */
  hasDefault: boolean
  /** Read by a condition, where a missing value can make a check pass. */
  condition?: true
  /** Path, in the suite, of the text that reads it. */
  path: ValuePath
  range: Place
}

/** Keys of the suite that every request uses. */
const SHARED: readonly string[] = ['base_url', 'proxy', 'tls', 'mocks', 'retry', 'timeout']

/** References by where they are: a suite key, a step (`/steps/0`) or a suite variable (`/variables/name`). */
export type GroupedReferences = ReadonlyMap<string, PlacedReference[]>

/** Groups the references to variables in a suite by where they are. */
export function groupReferences(references: readonly PlacedReference[]): GroupedReferences {
  const variables = references.filter(({ kind }) => kind !== 'env' && kind !== 'faker')
  return Map.groupBy(variables, ({ path: [list, item] }) =>
    SHARED.includes(String(list)) ? String(list) : `/${list}/${item}`,
  )
}

/** Sets what the steps and exports of a plan read and need, of its own and, as `plan.foreign` tells, of other suites. */
export function setReads(plan: SuitePlan, groups: GroupedReferences): void {
  const roots = new Set(plan.foreign.map(({ root }) => root))
  const given: string[] = []
  for (const step of listSteps(plan)) {
    step.reads = listReads(step, groups)
    // A step that reads all variables reads everything provided so far.
    if (step.reads.includes('variables')) step.reads.push(...given)
    given.push(...step.provides)
    // In a lenient suite, a missing value does not keep a step from running.
    step.needs = plan.isLenient ? [] : listNeeded(step, groups)
    step.externalReads = listExternalReads(step, groups, roots)
  }
  for (const name of plan.exports)
    if (Object.hasOwn(plan.variables, name)) plan.exportReads[name] = followVariables([name], groups)
}

/** References in a step, and in the suite keys that every request uses. Leaves out its name, which shows only what is known before the run. */
function listOwn({ pointer, request }: StepPlan, groups: GroupedReferences): PlacedReference[] {
  const keys = [pointer, ...(request ? SHARED : [])]
  return keys.flatMap((key) => groups.get(key) ?? []).filter(({ path }) => path[2] !== 'name')
}

/** Names of the variables a step reads, directly or through suite variables. */
function listReads(step: StepPlan, groups: GroupedReferences): string[] {
  const roots = new Set(listOwn(step, groups).map(({ root }) => root))
  // A step's own variables hide those of the suite from the step, but not from other variables of the suite.
  for (const name of Object.keys(step.variables ?? {})) roots.delete(name)
  return followVariables(roots, groups)
}

/** The names, and those that suite variables among them read, recursively, if the read `isMeant`. */
export function followVariables(
  names: Iterable<string>,
  groups: GroupedReferences,
  isMeant: (reference: PlacedReference) => boolean = () => true,
): string[] {
  const reads = new Set(names)
  // Iterating over a set includes what is added meanwhile.
  for (const name of reads)
    for (const reference of groups.get(`/variables/${name}`) ?? [])
      if (isMeant(reference)) reads.add(reference.root)
  return [...reads]
}

/** Variables and exports that a step needs, having no default for them. Leaves out `skip` and conditions of scenarios, which may ask whether something exists. */
function listNeeded({ pointer, variables = {} }: StepPlan, groups: GroupedReferences): string[] {
  const needed = (groups.get(pointer) ?? []).filter(
    ({ root, optional, condition, path }) =>
      !optional &&
      !Object.hasOwn(variables, root) &&
      !/^(?:name|skip)$/.test(String(path[2])) &&
      !(condition && path.at(-3) === 'scenarios'),
  )
  const roots = needed.map(({ root }) => root)
  const names = followVariables(roots, groups, ({ optional }) => !optional)
  const ofVariables = names.flatMap((name) => groups.get(`/variables/${name}`) ?? [])
  const members = [...needed, ...ofVariables.filter(({ optional }) => !optional)]
  const exports = members.flatMap(({ root, members: [name] }) =>
    name === undefined ? [] : `${root}.${name}`,
  )
  return [...new Set([...names, ...exports])]
}

/** Exports of other suites a step reads, as `<node_id>.<name>`; `roots` are the names of other suites. */
function listExternalReads(step: StepPlan, groups: GroupedReferences, roots: ReadonlySet<string>): string[] {
  if (!step.reads.some((name) => roots.has(name))) return []
  const ofVariables = step.reads.flatMap((name) => groups.get(`/variables/${name}`) ?? [])
  const names = [...listOwn(step, groups), ...ofVariables].flatMap(({ root, members: [name] }) =>
    roots.has(root) && name !== undefined ? [`${root}.${name}`] : [],
  )
  return [...new Set(names)]
}

/** Lists the other suites that a suite names in `depends` and in `call`. */
export function listNeeds(suite: Partial<SuiteInput>, context: LoadContext): SuiteNeed[] {
  const rangeOf = (...path: ValuePath): Place => findNode(context.tree, path).range
  const calls = stepLists.flatMap((list) =>
    (suite[list] ?? []).flatMap(({ call }, index): SuiteNeed[] => {
      if (call?.suite === undefined) return []
      const path = [list, index, 'call']
      const step =
        call.step === undefined ? {} : { step: { name: call.step, range: rangeOf(...path, 'step') } }
      const inputs = Object.keys(call.variables ?? {}).map((name) => {
        const { key, range } = findNode(context.tree, [...path, 'variables', name])
        return { name, range: key ?? range }
      })
      return [{ suite: call.suite, range: rangeOf(...path, 'suite'), isCall: true, inputs, ...step }]
    }),
  )
  const { depends = [] } = suite
  return [...depends.map((name, index) => ({ suite: name, range: rangeOf('depends', index) })), ...calls]
}
