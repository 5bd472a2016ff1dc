import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { defaultNodeId } from '../suite-index.ts'
import { tagPattern } from '../schema/schema-tags.ts'
import { adaptStep } from './adapt-step.ts'
import { resolveReference } from './resolve-reference.ts'
import { writeTemplates } from './write-templates.ts'
import {
  closePart,
  ignore,
  openChild,
  openPart,
  put,
  take,
  update,
  warnIgnored,
  type Part,
  type Placed,
} from './part.ts'

const PRIORITIES = new Set<Json | undefined>([undefined, 'critical', 'high', 'medium', 'low'])

/**
 * Rewrites a suite of flow-test-engine to our own format, places included, so that everything after it knows one format.
 * What has no counterpart is taken out with a warning.
 */
export function adaptSuite(value: JsonObject, context: LoadContext): JsonObject {
  const suite = openPart({ value: writeTemplates(value), node: context.tree }, context)
  put(suite, 'suite_name', { value: defaultNodeId(context.source.path), node: suite.node })
  adaptMetadata(suite)
  adaptExports(suite)
  adaptDependencies(suite)
  for (const list of ['setup', 'steps', 'teardown']) adaptList(suite, list)
  const adapted = closePart(suite)
  context.tree = adapted.node
  return adapted.value as JsonObject
}

function adaptMetadata(suite: Part): void {
  const [priority, tags] = [take(suite, 'priority'), take(suite, 'tags')]
  put(suite, 'metadata', { value: Object.create(null), node: suite.node })
  const metadata = openChild(suite, 'metadata')
  if (!metadata) return
  if (priority) put(metadata, 'priority', priority)
  if (tags) put(metadata, 'tags', tags)
  const timeout = take(metadata, 'timeout')
  if (timeout) put(suite, 'timeout', timeout)
  if (!PRIORITIES.has(metadata.value['priority']))
    ignore(metadata, ['priority'], 'it is none of critical, high, medium and low')
  const list = metadata.value['tags']
  if (Array.isArray(list)) metadata.value['tags'] = list.map(toTag)
  if (typeof metadata.value['estimated_duration_ms'] !== 'number') take(metadata, 'estimated_duration_ms')
  update(suite, 'metadata', metadata)
}

/** Vitest's tags have no spaces. */
function toTag(tag: Json): Json {
  const text = typeof tag === 'object' ? '' : String(tag)
  return tagPattern.test(text) ? text : text.replaceAll(/[\s!()*|&]+/g, '-')
}

/** Names that may be missing are exported like the others: one that is not captured is a warning anyway. */
function adaptExports(suite: Part): void {
  const optional = take(suite, 'exports_optional')
  if (!optional || !Array.isArray(optional.value)) return
  const written = suite.value['exports']
  suite.value['exports'] = [...(Array.isArray(written) ? written : []), ...optional.value]
}

function adaptDependencies(suite: Part): void {
  const { value, context } = suite
  const list = value['depends']
  if (!Array.isArray(list)) return
  const node = suite.children.get('depends') ?? suite.node
  const kept: Placed[] = list.flatMap((item, index): Placed[] => {
    const child = node.children?.get(index) ?? node
    return isJsonObject(item)
      ? adaptDependency({ value: item, node: child }, context)
      : [{ value: item, node: child }]
  })
  value['depends'] = kept.map((each) => each.value)
  suite.children.set('depends', { ...node, children: new Map(kept.map((each, index) => [index, each.node])) })
}

function adaptDependency(placed: Placed, context: LoadContext): Placed[] {
  const part = openPart(placed, context)
  const reference = resolveReference(part, ['node_id', 'path'], 'path_type')
  const required = take(part, 'required')
  if (required?.value === false) {
    warnIgnored(context, { key: 'depends', node: placed.node, reason: 'this suite is not required' })
    return []
  }
  ignore(part, Object.keys(part.value), 'a suite runs once, as it is, for all that depend on it')
  return reference ? [reference] : []
}

function adaptList(suite: Part, key: string): void {
  const list = suite.value[key]
  if (!Array.isArray(list)) return
  const node = suite.children.get(key) ?? suite.node
  const steps = list.map((step, index): Placed => {
    const placed = { value: step, node: node.children?.get(index) ?? node }
    return isJsonObject(step) ? adaptStep(placed, `/${key}/${index}`, suite.context) : placed
  })
  suite.value[key] = steps.map((step) => step.value)
  suite.children.set(key, { ...node, children: new Map(steps.map((step, index) => [index, step.node])) })
}
