import { listSteps, type GrammarRules, type SuitePlan } from '../plan/plan.ts'
import { mapLeaves, type Json, type JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { change, changeItems, joinItems, joinPlaced, listItems, listPlaced } from '../shared/placed.ts'
import type { Placed } from '../shared/placed.ts'
import { defaultNodeId } from '../suite-index.ts'
import { TAG } from '../schema/patterns.ts'
import { adaptStep, resolveReference } from './adapt-step.ts'
import { ignore, put, take, warnIgnored, type Part } from './part.ts'

/** What runs otherwise in a suite of flow-test-engine. */
export const rules: GrammarRules = {
  isLenient: true,
  isLoose: true,
  allowsNothing: true,
  matchesAll: true,
  endsRetry: true,
  sharesExports: true,
}

/** The plan as that engine runs it: the first failure stops it, and nothing that is missing keeps a step from running. */
export function lowerPlan(plan: SuitePlan): SuitePlan {
  for (const step of listSteps(plan)) step.needs = []
  return { ...plan, onFailure: plan.onFailure ?? 'stop' }
}

const PRIORITIES = new Set<Json | undefined>([undefined, 'critical', 'high', 'medium', 'low'])

/**
 * Rewrites a suite of flow-test-engine to our own format, places included, so that everything after it knows one format.
 * What has no counterpart is taken out with a warning.
 */
export function rewriteSuite(value: JsonObject, context: LoadContext): JsonObject {
  const { tree, source } = context
  const suite = listPlaced({ value: writeTemplates(value), node: tree })
  put(suite, 'suite_name', { value: defaultNodeId(source.path), node: tree })
  adaptMetadata(suite, context)
  adaptExports(suite)
  changeItems(suite, 'depends', (item) => adaptDependency(item, context))
  const variables = listPlaced(suite.get('variables') ?? { value: null, node: tree })
  for (const list of ['setup', 'steps', 'teardown'])
    changeItems(suite, list, (step) => adaptStep(step, variables, context))
  if (variables.size > 0) suite.set('variables', joinPlaced(variables, suite.get('variables')?.node ?? tree))
  const rewritten = joinPlaced(suite, tree)
  context.tree = rewritten.node
  return rewritten.value as JsonObject
}

const START = /\$js(?<=\{\{\s*\$js)[.:](?:\s*return\s)?/g

/** Writes `{{$js.code}}`, `{{$js:code}}` and `{{$js.return code}}` as `{{js: code}}`, as long as before: all that follows stays at its place. */
export function writeTemplates(value: Json): Json {
  return mapLeaves(value, (leaf) =>
    typeof leaf === 'string' ? leaf.replaceAll(START, (start) => 'js:'.padEnd(start.length)) : leaf,
  )
}

function adaptMetadata(suite: Part, context: LoadContext): void {
  put(suite, 'metadata', { value: Object.create(null), node: context.tree })
  change(suite, 'metadata', (metadata) => {
    put(metadata, 'priority', take(suite, 'priority'))
    put(metadata, 'tags', take(suite, 'tags'))
    put(suite, 'timeout', take(metadata, 'timeout'))
    if (!PRIORITIES.has(metadata.get('priority')?.value))
      ignore(metadata, ['priority'], { reason: 'it is none of critical, high, medium and low', context })
    const list = metadata.get('tags')
    if (list && Array.isArray(list.value)) metadata.set('tags', { ...list, value: list.value.map(toTag) })
    if (typeof metadata.get('estimated_duration_ms')?.value !== 'number')
      take(metadata, 'estimated_duration_ms')
  })
}

/** Vitest's tags have no spaces. */
function toTag(tag: Json): Json {
  const text = typeof tag === 'object' ? '' : String(tag)
  return TAG.test(text) ? text : text.replaceAll(/[\s!()*|&]+/g, '-')
}

/** Names that may be missing are exported like the others: one that is not captured is a warning anyway. */
function adaptExports(suite: Part): void {
  const optional = take(suite, 'exports_optional')
  if (!optional || !Array.isArray(optional.value)) return
  const written = suite.get('exports')
  const all = [...(written ? listItems(written) : []), ...listItems(optional)]
  suite.set('exports', joinItems(all, (written ?? optional).node))
}

function adaptDependency(placed: Placed, context: LoadContext): Placed | undefined {
  const part = listPlaced(placed)
  const reference = resolveReference(part, ['node_id', 'path'], context)
  if (take(part, 'required')?.value === false) {
    warnIgnored('depends', placed, { reason: 'this suite is not required', context })
    return undefined
  }
  ignore(part, [...part.keys()], {
    reason: 'a suite runs once, as it is, for all that depend on it',
    context,
  })
  return reference
}
