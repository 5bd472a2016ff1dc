import { dirname, join, relative } from 'node:path/posix'
import { isJsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import type { Placed } from '../shared/placed.ts'
import { ignore, isMap, listItems, pickMap, put, take, type Part } from './part.ts'

/** Rewrites a step. */
export function adaptStep(step: Part, context: LoadContext): void {
  const { value, node } = step
  put(step, 'name', { value: value['step_id'] ?? 'Step', node })
  adaptMetadata(step, context)
  if (typeof value['delay'] === 'number') put(step, 'delay_ms', take(step, 'delay'))
  const iterate = pickMap(step, 'iterate')
  if (iterate) {
    put(iterate, 'as', { value: 'item', node })
    const { over } = iterate.value
    if (typeof over === 'string' && !over.includes('{{')) iterate.value['over'] = `{{${over.trim()}}}`
  }
  const call = pickMap(step, 'call')
  if (call) adaptCall(call, step, context)
  if (typeof value['skip'] === 'string') value['skip'] = adaptSkip(value['skip'])
  const branches = listItems(step, 'scenarios').flatMap((scenario) =>
    ['then', 'else'].map((key) => (isMap(scenario) ? pickMap(scenario, key) : undefined)),
  )
  for (const part of [step, ...branches]) if (part) adaptCaptures(part)
  if (!['request', 'call', 'websocket'].some((key) => value[key])) put(step, 'skip', { value: true, node })
}

/** Rewrites `retry` and `timeout` of a step; the wait is fixed unless `backoff` is `exponential`. */
function adaptMetadata(step: Part, context: LoadContext): void {
  const metadata = pickMap(step, 'metadata')
  take(step, 'metadata')
  if (!metadata) return
  put(step, 'retry', take(metadata, 'retry'))
  const request = pickMap(step, 'request')
  if (request && typeof metadata.value['timeout'] === 'number')
    put(request, 'timeout', take(metadata, 'timeout'))
  for (const key of Object.keys(metadata.value))
    ignore(metadata, key, { reason: 'steps have no such setting here', context })
  const retry = pickMap(step, 'retry')
  if (!retry) return
  put(retry, 'base_delay_ms', take(retry, 'delay_ms'))
  if (retry.value['backoff'] !== 'exponential') retry.value['backoff'] = 'fixed'
  const entries = [take(retry, 'retry_on')?.value ?? []].flat()
  const statuses = entries.map((entry) => (isJsonObject(entry) ? entry['status_code'] : entry))
  const on = statuses.filter((status) => typeof status === 'number')
  if (on.length > 0) put(retry, 'on', { value: on, node: retry.node })
}

function adaptCall(call: Part, step: Part, context: LoadContext): void {
  put(call, 'suite', resolveReference(call, ['suite', 'test'], context))
  const onError = take(call, 'on_error')?.value
  if (onError === 'continue' || onError === 'warn')
    put(step, 'continue_on_failure', { value: true, node: call.node })
  // A called suite sees the `variables` of the call only: without isolation, the schema reports the key as ignored.
  if (call.value['isolate_context'] !== false) take(call, 'isolate_context')
}

/** Takes the name of another suite out of a map: a node id, or a path, relative to the project with `path_type: absolute`. */
export function resolveReference(
  part: Part,
  keys: readonly string[],
  { source }: LoadContext,
): Placed | undefined {
  const [first, second] = keys.map((key) => take(part, key))
  const type = take(part, 'path_type')
  const reference = first ?? second
  if (type?.value !== 'absolute' || typeof reference?.value !== 'string') return reference
  return { ...reference, value: relative(dirname(source.path), join('.', reference.value)) }
}

/** Rewrites the captures of a step or branch: `@body.id` becomes `body.id`; `@` alone is the whole response. */
function adaptCaptures(owner: Part): void {
  const captures = pickMap(owner, 'capture')?.value ?? {}
  for (const [name, path] of Object.entries(captures))
    if (typeof path === 'string') captures[name] = path.replace(/^@\.?(?=\w)/, '')
}

/**
 * Converts a condition of flow-test-engine to JavaScript: names in braces (`{{env}} === 'x'`) become names, JMESPath literals
 * (`` `true` ``) become values. Any truthy value skips.
 */
function adaptSkip(written: string): string {
  const bare = written
    .replaceAll(/\{\{\s*(?:js:)?\s*(.*?)\s*\}\}/gs, '($1)')
    .replaceAll(/`(true|false|null|-?\d+(?:\.\d+)?|"[^"`]*")`/g, '$1')
  return `!!(${bare})`
}
