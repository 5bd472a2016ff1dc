import { unwrapExpression } from '../assertion/parse-custom.ts'
import type { Check } from '../assertion/check.ts'
import { compilePath } from '../capture/compile-path.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { listAllChecks } from './list-checks.ts'
import type { PlacedReference } from './collect-templates.ts'
import type { StepPlan } from './plan.ts'
import { isTemplate } from './schema-parts.ts'
import { listConditionReads, validateCondition } from './validate-condition.ts'

/** Values of the response that conditions and templates of checks see beside the variables. */
export const LOCALS: ReadonlySet<string> = new Set([
  'status_code',
  'headers',
  'body',
  'response_time',
  'response_time_ms',
  'duration_ms',
  'size_bytes',
  'request',
])

/** References by the suite key or step (`steps/0`) they stand in. */
export type GroupedReferences = ReadonlyMap<string, PlacedReference[]>

/** Groups the variable references of a suite by where they stand; those inside variables by the variable (`variables/name`). */
export function groupReferences(references: readonly PlacedReference[]): GroupedReferences {
  const groups = new Map<string, PlacedReference[]>()
  for (const reference of references) {
    if (reference.kind === 'env' || reference.kind === 'faker') continue
    const [list, item] = reference.path
    const key = list === 'base_url' || list === 'mocks' ? list : `${list}/${item}`
    const group = groups.get(key)
    if (group) group.push(reference)
    else groups.set(key, [reference])
  }
  return groups
}

/** Names of the variables a step reads: in its own templates and conditions, in what every request uses, and through suite variables. */
export function listReads(step: StepPlan, key: string, groups: GroupedReferences): string[] {
  const shared = step.request ? ['base_url', 'mocks'] : []
  const direct = [key, ...shared].flatMap((group) => (groups.get(group) ?? []).map(({ root }) => root))
  const reads = new Set([...direct, ...listConditionNames(step)])
  // A set is walked while it grows: so names read through variables come in.
  for (const name of reads) for (const { root } of groups.get(`variables/${name}`) ?? []) reads.add(root)
  return [...reads].filter((name) => !LOCALS.has(name))
}

function listConditionNames(step: StepPlan): string[] {
  const { scenarios, retry, skip } = step
  return [
    ...listAllChecks(step).flatMap(readCustom),
    ...scenarios.flatMap(readScenario),
    ...[retry?.on, retry?.until, skip].flatMap(readScript),
  ]
}

function readCustom({ operator, expected }: Check): string[] {
  return operator === 'condition' ? readScript(expected) : []
}

function readScenario({ condition, kind }: Scenario): string[] {
  if (kind === 'js') return readScript(unwrapExpression(condition))
  const compiled = compilePath(condition)
  if ('message' in compiled) return []
  return compiled.rootPaths.flatMap(([root, name]) =>
    root === 'variables' && name !== undefined ? [String(name)] : [],
  )
}

function readScript(source: unknown): string[] {
  if (typeof source !== 'string' || isTemplate(source) || validateCondition(source)) return []
  return listConditionReads(source)
}
