import { dirname, join, relative } from 'node:path/posix'
import { operators } from '../../assertion/operators/operators.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { isStatus } from '../schema/patterns.ts'
import { pick, type Placed } from '../shared/placed.ts'
import { ignore, isMap, listItems, pickMap, put, take, warnIgnored, type Part } from './part.ts'

/** Rewrites a step; variables set by its `input` go to the suite's variables. */
export function adaptStep(step: Part, suite: Part, context: LoadContext): void {
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
  for (const part of [step, ...branches]) if (part) adaptJudgement(part, context)
  adaptInputs(step, suite, context)
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
  const written = take(retry, 'retry_on')
  if (!written) return
  const entries = [written.value].flat().map((entry) => (isJsonObject(entry) ? entry['status_code'] : entry))
  const on = entries.filter(isStatus)
  if (on.length > 0) put(retry, 'on', { value: on, node: retry.node })
  if (on.length < entries.length)
    warnIgnored(written, 'What `retry_on` has besides statuses is ignored.', context)
}

function adaptCall(call: Part, step: Part, context: LoadContext): void {
  put(call, 'suite', resolveReference(call, ['suite', 'test'], context))
  const onError = take(call, 'on_error')?.value
  if (onError === 'continue' || onError === 'warn')
    put(step, 'continue_on_failure', { value: true, node: call.node })
  if (call.value['isolate_context'] === false)
    ignore(call, 'isolate_context', {
      reason: 'a called suite sees the `variables` of the call only',
      context,
    })
  take(call, 'isolate_context')
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

/** Rewrites the checks and captures of a step or branch: `@body.id` becomes `body.id`; `@` alone is the whole response. */
function adaptJudgement(owner: Part, context: LoadContext): void {
  const assert = pickMap(owner, 'assert')
  for (const key of Object.keys(assert?.value ?? {}))
    if (assert && /^body\b/.test(key)) dropFields(pick(assert, key) as Placed, key, context)
  const captures = pickMap(owner, 'capture')?.value ?? {}
  for (const [name, path] of Object.entries(captures))
    if (typeof path === 'string') captures[name] = path.replace(/^@\.?(?=\w)/, '')
}

/** True for an operator, possibly followed by another one: `length.greater_than`. */
function isCheck(key: string): boolean {
  return operators[key.split(/[.[]/)[0] as string] !== undefined
}

/** Removes the fields of a map that also has checks: flow-test-engine reads such a map as checks only. */
function dropFields(tree: Placed, field: string, context: LoadContext): void {
  if (!isMap(tree)) return
  const keys = Object.keys(tree.value)
  const hasChecks = keys.some(isCheck)
  for (const key of keys) {
    const child = pick(tree, key) as Placed
    if (isCheck(key) ? operators[key]?.nested : !hasChecks)
      dropFields(child, isCheck(key) ? field : `${field}.${key}`, context)
    else if (!isCheck(key)) {
      warnIgnored(child, `Unknown check \`${key}\` of \`${field}\`. It is ignored.`, context)
      take(tree, key)
    }
  }
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

/**
 * Replaces `input`, which nobody is asked for: its variable has `ci_default`, else `default`, from the start. In a step without
 * a request, captures read variables, so they become variables too.
 */
function adaptInputs(step: Part, suite: Part, context: LoadContext): void {
  const variables = pickMap(suite, 'variables')
  const single = pickMap(step, 'input')
  const inputs = single ? [single] : listItems(step, 'input')
  take(step, 'input')
  if (!variables || inputs.length === 0) return
  for (const item of inputs) {
    const { variable, ci_default: first, default: second } = isMap(item) ? item.value : {}
    const name = typeof variable === 'string' ? variable : ''
    warnIgnored(item, `\`input\` is ignored: nobody is asked here, \`${name}\` gets its default.`, context)
    if (name) setVariable(variables, name, { value: first ?? second ?? null, node: item.node })
  }
  if (step.value['request'] || step.value['call']) return
  const captures = pickMap(step, 'capture')
  take(step, 'capture')
  for (const name of Object.keys(captures?.value ?? {})) {
    const path = pick(captures as Part, name) as Placed
    const value = toTemplate(path.value)
    if (value === null)
      warnIgnored(
        path,
        `\`${name}\` is ignored: without a response only plain paths to variables are captured.`,
        context,
      )
    setVariable(variables, name, { value, node: path.node })
  }
}

function setVariable(variables: Part, name: string, placed: Placed): void {
  take(variables, name)
  put(variables, name, placed)
}

function toTemplate(path: Json): Json {
  if (typeof path !== 'string' || path.includes('{{')) return path
  return /^[\w.[\]-]+$/.test(path) ? `{{${path}}}` : null
}
