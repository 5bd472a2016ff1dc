import type { ValuePath } from '../../json.ts'
import type { StepPlan, SuiteNeed } from '../plan/plan.ts'
import type { Place } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import type { SuiteInput } from '../schema/schema.ts'
import { findNode } from '../source-tree.ts'
import type { Reference } from '../../interpolation/references.ts'

/** What a `{{…}}` or a condition reads, with its place in the suite. */
export type PlacedReference = {
  root: string
  /** Segments read below the root. */
  members: Reference['path']
  kind: Reference['kind']
  /** It may be missing: the expression has a default, a condition or the like. */
  optional: boolean
  /** Something is in its place where it is missing, or the expression asks whether it is there: nothing needs to give it. */
  hasDefault: boolean
  /** It is read by a condition, where a missing value can make a check pass. */
  condition?: true
  /** Where in the suite the text stands. */
  path: ValuePath
  range: Place
}

/** Suite keys that every request uses. */
const SHARED: readonly string[] = ['base_url', 'mocks', 'retry', 'timeout']

/** References by the suite key, step (`/steps/0`) or suite variable (`/variables/name`) they are in. */
export type GroupedReferences = ReadonlyMap<string, PlacedReference[]>

/** Groups the variable references of a suite by where they are. */
export function groupReferences(references: readonly PlacedReference[]): GroupedReferences {
  const variables = references.filter(({ kind }) => kind !== 'env' && kind !== 'faker')
  return Map.groupBy(variables, ({ path: [list, item] }) =>
    SHARED.includes(String(list)) ? String(list) : `/${list}/${item}`,
  )
}

/** What is read in the templates and conditions of a step, and in what every request uses. */
function listOwn({ pointer, request }: StepPlan, groups: GroupedReferences): PlacedReference[] {
  return [pointer, ...(request ? SHARED : [])].flatMap((key) => groups.get(key) ?? [])
}

/** Names of the variables a step reads, also through suite variables. */
export function listReads(step: StepPlan, groups: GroupedReferences): string[] {
  const roots = listOwn(step, groups).map(({ root }) => root)
  return followVariables(roots, groups).filter((name) => !Object.hasOwn(step.variables ?? {}, name))
}

/** Names, and those that the suite variables among them read. */
export function followVariables(
  names: Iterable<string>,
  groups: GroupedReferences,
  isMeant: (reference: PlacedReference) => boolean = () => true,
): string[] {
  const reads = new Set(names)
  // A set is walked while it grows.
  for (const name of reads)
    for (const reference of groups.get(`/variables/${name}`) ?? [])
      if (isMeant(reference)) reads.add(reference.root)
  return [...reads]
}

/** Variables and exports that a step has no default for, without what decides whether it or a branch of it is taken, which may ask whether they are there. */
export function listNeeded({ pointer, variables = {} }: StepPlan, groups: GroupedReferences): string[] {
  const needed = (groups.get(pointer) ?? []).filter(
    ({ optional, condition, path }) =>
      !optional && path[2] !== 'skip' && !(condition && path.at(-3) === 'scenarios'),
  )
  const roots = needed.map(({ root }) => root)
  const names = followVariables(roots, groups, ({ optional }) => !optional)
  const ofVariables = names.flatMap((name) => groups.get(`/variables/${name}`) ?? [])
  const members = [...needed, ...ofVariables.filter(({ optional }) => !optional)]
  const all = [...names, ...members.map(({ root, members: [name] }) => `${root}.${name}`)]
  return all.filter((name) => !Object.hasOwn(variables, name))
}

/** Exports of other suites a step reads, as `<node_id>.<name>`; `roots` are the names that stand for other suites. */
export function listExternalReads(
  step: StepPlan,
  groups: GroupedReferences,
  roots: ReadonlySet<string>,
): string[] {
  if (!step.reads.some((name) => roots.has(name))) return []
  const ofVariables = step.reads.flatMap((name) => groups.get(`/variables/${name}`) ?? [])
  const names = [...listOwn(step, groups), ...ofVariables].flatMap(({ root, members: [name] }) =>
    roots.has(root) && name !== undefined ? [`${root}.${name}`] : [],
  )
  return [...new Set(names)]
}

/** Where a suite names other suites: in `depends` and in the `call` of its steps. */
export function listNeeds(suite: Partial<SuiteInput>, context: LoadContext): SuiteNeed[] {
  const rangeOf = (...path: ValuePath): Place => findNode(context.tree, path).range
  const calls = (['setup', 'steps', 'teardown'] as const).flatMap((list) =>
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
