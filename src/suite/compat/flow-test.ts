import { mapLeaves, type Json, type JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { defaultNodeId } from '../suite-index.ts'
import { adaptStep, resolveReference } from './adapt-step.ts'
import { ignore, isMap, listItems, pickMap, put, take, warnIgnored, type Part } from './part.ts'

/**
 * Rewrites a suite of flow-test-engine to our own format, including positions, so that the rest of the code knows one format.
 * Removes what has no counterpart, with a warning.
 */
export function rewriteSuite(written: JsonObject, context: LoadContext): JsonObject {
  const { tree, source } = context
  const suite: Part = { value: writeTemplates(written) as JsonObject, node: tree }
  put(suite, 'suite_name', { value: defaultNodeId(source.path), node: tree })
  for (const key of ['metadata', 'variables']) put(suite, key, { value: Object.create(null), node: tree })
  const metadata = pickMap(suite, 'metadata')
  if (metadata) {
    put(metadata, 'priority', take(suite, 'priority'))
    put(metadata, 'tags', take(suite, 'tags'))
    put(suite, 'timeout', take(metadata, 'timeout'))
    if (metadata.value['estimated_duration_ms'] === null) take(metadata, 'estimated_duration_ms')
  }
  // In a lenient suite, an export that is not captured is only a warning anyway.
  const optional = take(suite, 'exports_optional')?.value
  if (Array.isArray(optional)) suite.value['exports'] = [suite.value['exports'] ?? [], optional].flat()
  adaptDepends(suite, context)
  for (const list of ['setup', 'steps', 'teardown'])
    for (const step of listItems(suite, list)) if (isMap(step)) adaptStep(step, suite, context)
  return suite.value
}

const START = /\$js(?<=\{\{\s*\$js)[.:](?:\s*return\s)?/g

/** Rewrites `{{$js.code}}`, `{{$js:code}}` and `{{$js.return code}}` to `{{js: code}}` of the same length, so that offsets stay valid. */
export function writeTemplates(value: Json): Json {
  return mapLeaves(value, (leaf) =>
    typeof leaf === 'string' ? leaf.replaceAll(START, (start) => 'js:'.padEnd(start.length)) : leaf,
  )
}

/** Rewrites `depends`, which has maps in flow-test-engine; drops suites that are not required. */
function adaptDepends(suite: Part, context: LoadContext): void {
  const list = listItems(suite, 'depends')
  if (list.length === 0) return
  const kept = list.flatMap((item) => {
    if (!isMap(item)) return [item]
    const reference = resolveReference(item, ['node_id', 'path'], context)
    if (take(item, 'required')?.value === false) {
      warnIgnored(item, '`depends` is ignored: this suite is not required.', context)
      return []
    }
    for (const key of Object.keys(item.value))
      ignore(item, key, { reason: 'a suite runs once, as it is, for all that depend on it', context })
    return reference ? [reference] : []
  })
  suite.value['depends'] = kept.map(({ value }) => value)
  const children = new Map(kept.map(({ node }, index) => [index, node]))
  suite.node.children?.set('depends', { range: suite.node.range, children })
}
