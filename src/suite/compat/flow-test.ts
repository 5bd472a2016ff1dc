import { isJsonObject, makeMap, mapLeaves, type Json, type JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import type { SourceNode } from '../source-tree.ts'
import { defaultNodeId } from '../suite-index.ts'
import { adaptStep, move, readReference } from './adapt-step.ts'

/** Rewrites a suite of flow-test-engine to our own format, the only one known elsewhere. Warns of what has no counterpart and leaves it out. */
export function rewriteSuite(written: JsonObject, context: LoadContext): JsonObject {
  const suite = writeTemplates(written) as JsonObject
  suite['suite_name'] ??= defaultNodeId(context.source.path)
  const metadata = (suite['metadata'] ??= makeMap([]))
  if (isJsonObject(metadata)) {
    move(suite, 'priority', { to: metadata })
    move(suite, 'tags', { to: metadata })
    move(metadata, 'timeout', { to: suite })
    if (metadata['estimated_duration_ms'] === null) delete metadata['estimated_duration_ms']
  }
  // In a lenient suite, an export that is not captured is only a warning anyway.
  const { exports, exports_optional: optional, depends } = suite
  if (Array.isArray(optional)) suite['exports'] = [exports ?? [], optional].flat()
  delete suite['exports_optional']
  if (Array.isArray(depends)) suite['depends'] = adaptDepends(depends, context)
  for (const list of ['setup', 'steps', 'teardown'])
    for (const [index, step] of Array.isArray(suite[list]) ? suite[list].entries() : [])
      if (isJsonObject(step)) adaptStep(step, suite, { context, path: [list, index] })
  return suite
}

const START = /\$js(?<=\{\{\s*\$js)[.:](?:\s*return\s)?/g

/** Rewrites `{{$js.code}}`, `{{$js:code}}` and `{{$js.return code}}` to `{{js: code}}` of the same length, so that offsets stay valid. */
export function writeTemplates(value: Json): Json {
  return mapLeaves(value, (leaf) =>
    typeof leaf === 'string' ? leaf.replaceAll(START, (start) => 'js:'.padEnd(start.length)) : leaf,
  )
}

/** Rewrites `depends`, which may have maps in flow-test-engine. Drops suites that are not required. */
function adaptDepends(list: readonly Json[], context: LoadContext): Json[] {
  const places = context.tree.children?.get('depends')?.children
  const kept: Json[] = []
  for (const [index, item] of list.entries()) {
    const { required, ...others } = isJsonObject(item) ? item : {}
    const reference = isJsonObject(item) ? readReference(others, ['node_id', 'path'], context) : item
    const path = ['depends', index]
    for (const key of required === false ? [] : Object.keys(others))
      context.reportKey([...path, key], {
        code: 'ignored',
        message: `\`${key}\` is ignored: a suite runs only once, unchanged, for all suites that depend on it.`,
      })
    if (required === false) {
      const message = '`depends` is ignored: this suite is not required.'
      context.report(path, { code: 'ignored', message })
    } else if (reference !== undefined) {
      places?.set(kept.length, places.get(index) as SourceNode)
      kept.push(reference)
    }
  }
  return kept
}
