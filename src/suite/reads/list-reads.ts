import type { ValuePath } from '../../json.ts'
import { listSteps, type SuiteNeed, type SuitePlan } from '../plan/plan.ts'
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
  const suites = new Set(plan.foreign.map(({ root }) => root))
  const given: string[] = []
  for (const step of listSteps(plan)) {
    const { variables = {}, pointer, request } = step
    // The step's name shows only what is known before the run. Its own variables hide those of the suite from the step.
    const isOwn = ({ root, path }: PlacedReference): boolean =>
      path[2] !== 'name' && !Object.hasOwn(variables, root)
    const ofStep = (groups.get(pointer) ?? []).filter(isOwn)
    const shared = (request ? SHARED : []).flatMap((key) => groups.get(key) ?? []).filter(isOwn)
    const read = followReads([...ofStep, ...shared], groups)
    step.externalReads = read.members.filter((member) => suites.has(member.split('.')[0] as string))
    // A step that reads all variables reads everything provided so far.
    step.reads = read.names.includes('variables') ? [...read.names, ...given] : read.names
    given.push(...step.provides)
    // In a lenient suite, a missing value does not keep a step from running.
    const needed = followReads(plan.isLenient ? [] : ofStep.filter(isNeeded), groups, isRequired)
    step.needs = [...needed.names, ...needed.members]
  }
  for (const name of plan.exports)
    if (Object.hasOwn(plan.variables, name)) plan.exportReads[name] = followVariables([name], groups)
}

const isRequired = ({ optional }: PlacedReference): boolean => !optional

/** True for what a step cannot do without. `skip` and conditions of scenarios may ask whether something exists. */
function isNeeded({ optional, condition, path }: PlacedReference): boolean {
  return !optional && path[2] !== 'skip' && !(condition && path.at(-3) === 'scenarios')
}

/** The names that are read, directly or through suite variables, and what is read of them: `auth.token`. */
function followReads(
  references: readonly PlacedReference[],
  groups: GroupedReferences,
  isMeant?: (reference: PlacedReference) => boolean,
): { names: string[]; members: string[] } {
  const roots = references.map(({ root }) => root)
  const names = followVariables(roots, groups, isMeant)
  const ofVariables = names.flatMap((name) => groups.get(`/variables/${name}`) ?? [])
  const all = [...references, ...(isMeant ? ofVariables.filter(isMeant) : ofVariables)]
  const members = all.flatMap(({ root, members: [name] }) => (name === undefined ? [] : `${root}.${name}`))
  return { names, members: [...new Set(members)] }
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
