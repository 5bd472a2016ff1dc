import { dirname, join, relative } from 'node:path/posix'
import * as v from 'valibot'
import { operators } from '../../assertion/operators/operators.ts'
import { isJsonObject, makeMap, mapLeaves, type Json, type JsonObject, type ValuePath } from '../../json.ts'
import { placeInside, type ContextPlace, type LoadContext } from '../load-context.ts'
import { isStatus } from '../schema/patterns.ts'
import { stepSchema } from '../schema/schema.ts'
import type { SourceNode } from '../source-tree.ts'
import { defaultNodeId } from '../suite-index.ts'

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

/** Rewrites a step. Variables that its `input` sets become variables of the suite. */
function adaptStep(step: JsonObject, suite: JsonObject, place: ContextPlace): void {
  step['name'] ??= step['step_id'] ?? 'Step'
  adaptMetadata(step, place)
  if (typeof step['delay'] === 'number') move(step, 'delay', { as: 'delay_ms' })
  const { iterate, call, scenarios } = step
  if (isJsonObject(iterate)) {
    iterate['as'] ??= 'item'
    const { over } = iterate
    if (typeof over === 'string' && !over.includes('{{')) iterate['over'] = `{{${over.trim()}}}`
  }
  if (isJsonObject(call)) adaptCall(call, step, place.context)
  if (typeof step['skip'] === 'string') step['skip'] = adaptSkip(step['skip'])
  adaptJudgement(step, place)
  for (const [index, scenario] of Array.isArray(scenarios) ? scenarios.entries() : [])
    for (const [key, branch] of isJsonObject(scenario) ? Object.entries(scenario) : [])
      if (isJsonObject(branch)) adaptJudgement(branch, placeInside(place, 'scenarios', index, key))
  adaptInputs(step, suite, place)
  if (!['request', 'call', 'websocket'].some((key) => step[key]))
    step['skip'] ??= { when: true, reason: 'it sends nothing' }
}

function warnIgnored({ context, path }: ContextPlace, message: string, ...below: ValuePath): void {
  context.reportKey([...path, ...below], { code: 'ignored', message })
}

/** Rewrites `retry`, `tags` and `timeout` of a step; the wait is fixed unless `backoff` is `exponential`. */
function adaptMetadata(step: JsonObject, place: ContextPlace): void {
  const { metadata, request } = step
  delete step['metadata']
  if (!isJsonObject(metadata)) return
  move(metadata, 'retry', { to: step })
  if (v.is(stepSchema.entries.tags, metadata['tags'])) move(metadata, 'tags', { to: step })
  if (isJsonObject(request) && typeof metadata['timeout'] === 'number')
    move(metadata, 'timeout', { to: request })
  for (const key of Object.keys(metadata))
    warnIgnored(place, `\`${key}\` is ignored: steps have no such setting here.`, 'metadata', key)
  const { retry } = step
  if (!isJsonObject(retry)) return
  move(retry, 'delay_ms', { as: 'base_delay_ms' })
  if (retry['backoff'] !== 'exponential') retry['backoff'] = 'fixed'
  const { retry_on: written } = retry
  delete retry['retry_on']
  if (written === undefined) return
  const entries = [written].flat().map((entry) => (isJsonObject(entry) ? entry['status_code'] : entry))
  const on = entries.filter(isStatus)
  if (on.length > 0) retry['on'] ??= on
  if (on.length < entries.length)
    warnIgnored(place, '`retry_on` is ignored, except statuses.', 'metadata', 'retry', 'retry_on')
}

function adaptCall(call: JsonObject, step: JsonObject, context: LoadContext): void {
  const suite = readReference(call, ['suite', 'test'], context)
  if (suite !== undefined) call['suite'] = suite
  const { on_error: onError } = call
  delete call['on_error']
  if (onError === 'continue' || onError === 'warn') step['continue_on_failure'] ??= true
  if (call['isolate_context'] === true) delete call['isolate_context']
}

/** Rewrites the checks and captures of a step or branch: `@body.id` becomes `body.id`; `@` alone is the whole response. */
function adaptJudgement({ assert, capture }: JsonObject, place: ContextPlace): void {
  for (const [key, tree] of isJsonObject(assert) ? Object.entries(assert) : [])
    if (/^body\b/.test(key)) dropFields(tree, placeInside(place, 'assert', key))
  if (!isJsonObject(capture)) return
  for (const [name, path] of Object.entries(capture))
    if (typeof path === 'string') capture[name] = path.replace(/^@\.?(?=\w)/, '')
}

/** True for an operator, possibly followed by another one: `length.greater_than`. */
function isCheck(key: string): boolean {
  return operators[key.split(/[.[]/)[0] as string] !== undefined
}

/** Removes the fields of a map that also has checks: flow-test-engine reads such a map as checks only. */
function dropFields(tree: Json, place: ContextPlace): void {
  if (!isJsonObject(tree)) return
  const hasChecks = Object.keys(tree).some(isCheck)
  for (const [key, child] of Object.entries(tree))
    if (isCheck(key) ? operators[key]?.nested : !hasChecks) dropFields(child, placeInside(place, key))
    else if (!isCheck(key)) {
      warnIgnored(place, `Unknown check \`${key}\`. It is ignored.`, key)
      delete tree[key]
    }
}

/** Converts a condition to JavaScript: `{{env}} === 'x'` and `` env == `true` `` lose their signs. Any truthy value skips. */
function adaptSkip(written: string): string {
  const bare = written
    .replaceAll(/\{\{\s*(?:js:)?\s*(.*?)\s*\}\}/gs, '($1)')
    .replaceAll(/`(true|false|null|-?\d+(?:\.\d+)?|"[^"`]*")`/g, '$1')
  return `!!(${bare})`
}

/** Makes `input` a variable with its `ci_default`, else `default`. Captures of a step without a request become variables too. */
function adaptInputs(step: JsonObject, suite: JsonObject, place: ContextPlace): void {
  const { input, capture } = step
  const variables = (suite['variables'] ??= makeMap([]))
  if (input === undefined || !isJsonObject(variables)) return
  delete step['input']
  warnIgnored(place, '`input` asks for nothing here: its variables get their defaults.', 'input')
  for (const item of [input].flat()) {
    const { variable, ci_default: first, default: second = null } = isJsonObject(item) ? item : {}
    if (typeof variable === 'string') variables[variable] = first ?? second
  }
  if (step['request'] || step['call'] || !isJsonObject(capture)) return
  delete step['capture']
  for (const [name, path] of Object.entries(capture)) {
    const isValue = typeof path !== 'string' || path.includes('{{')
    if (isValue || /^[\w.[\]-]+$/.test(path)) variables[name] = isValue ? path : `{{${path}}}`
    else warnIgnored(place, `\`${name}\` is ignored: only plain paths are captured here.`, 'capture', name)
  }
}

/** Moves an entry to another map or name, unless the author has written that one too. */
function move(from: JsonObject, key: string, { to = from, as: name = key }): void {
  const value = from[key]
  delete from[key]
  if (value !== undefined) to[name] ??= value
}

/** Takes the name of another suite out of a map: a node id, or a path, relative to the project with `path_type: absolute`. */
function readReference(map: JsonObject, keys: readonly string[], { source }: LoadContext): Json | undefined {
  const reference = keys.map((key) => map[key]).find((value) => value !== undefined)
  const isAbsolute = map['path_type'] === 'absolute'
  for (const key of [...keys, 'path_type']) delete map[key]
  if (!isAbsolute || typeof reference !== 'string') return reference
  return relative(dirname(source.path), join('.', reference))
}
