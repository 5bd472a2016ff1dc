import { dirname, join, relative } from 'node:path/posix'
import { isJsonObject, type Json } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { change, changeBranches, joinPlaced, listPlaced, listItems, type Placed } from '../shared/placed.ts'
import { adaptAssert } from './adapt-assert.ts'
import { ignore, put, take, warnIgnored, type Part } from './part.ts'

const SENDS = ['request', 'call', 'websocket']

/** Rewrites one step; what its `input` sets goes to the variables of the suite. */
export function adaptStep(placed: Placed, variables: Part, context: LoadContext): Placed {
  const { node } = placed
  const step = listPlaced(placed)
  put(step, 'name', { value: step.get('step_id')?.value ?? 'Step', node })
  change(step, 'metadata', (metadata) => {
    put(step, 'retry', take(metadata, 'retry'))
    change(step, 'retry', (retry) => adaptRetry(retry, placed, context))
    const timeout = take(metadata, 'timeout')
    if (typeof timeout?.value === 'number')
      change(step, 'request', (request) => put(request, 'timeout', timeout))
    ignore(metadata, [...metadata.keys()], { reason: 'steps have no such setting here', context })
  })
  take(step, 'metadata')
  if (typeof step.get('delay')?.value === 'number') put(step, 'delay_ms', take(step, 'delay'))
  change(step, 'iterate', (iterate) => adaptIterate(iterate, placed))
  change(step, 'call', (call) => adaptCall(call, step, context))
  const skip = step.get('skip')
  if (typeof skip?.value === 'string') step.set('skip', { ...skip, value: adaptSkip(skip.value) })
  adaptJudgement(step, context)
  changeBranches(step, (branch) => adaptJudgement(branch, context))
  adaptInputs(step, variables, context)
  if (!SENDS.some((key) => step.get(key)?.value)) put(step, 'skip', { value: true, node })
  return joinPlaced(step, node)
}

/** `delay_ms` is the base delay, `retry_on` a list of statuses; the wait is fixed unless it says otherwise. */
function adaptRetry(retry: Part, { node }: Placed, context: LoadContext): void {
  put(retry, 'base_delay_ms', take(retry, 'delay_ms'))
  const backoff = retry.get('backoff')?.value
  if (backoff !== 'fixed' && backoff !== 'exponential')
    ignore(retry, ['backoff'], { reason: 'the wait is fixed or exponential', context })
  put(retry, 'backoff', { value: 'fixed', node })
  const on = take(retry, 'retry_on')
  const entries = Array.isArray(on?.value) ? on.value : []
  const statuses = entries
    .map((entry) => (isJsonObject(entry) ? entry['status_code'] : entry))
    .filter((status) => typeof status === 'number')
  if (on && statuses.length > 0) put(retry, 'on', { value: statuses, node: on.node })
}

/** A list may be named without braces, or written as JSON text. */
function adaptIterate(iterate: Part, { node }: Placed): void {
  put(iterate, 'as', { value: 'item', node })
  const over = iterate.get('over')
  if (typeof over?.value !== 'string' || over.value.includes('{{')) return
  const text = over.value.trim()
  iterate.set('over', { ...over, value: text.startsWith('[') ? `{{js: ${text}}}` : `{{${text}}}` })
}

function adaptCall(call: Part, step: Part, context: LoadContext): void {
  put(call, 'suite', resolveReference(call, ['suite', 'test'], context))
  const onError = take(call, 'on_error')
  if (onError?.value === 'continue' || onError?.value === 'warn')
    put(step, 'continue_on_failure', { value: true, node: onError.node })
  const isolated = take(call, 'isolate_context')
  if (isolated?.value === false)
    warnIgnored('isolate_context', isolated, {
      reason: 'a called suite sees the `variables` of the call only',
      context,
    })
}

/** Takes the name of another suite out of a map: a node id, or a path which `path_type: absolute` makes relative to the project. */
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

/** Rewrites the checks and captures of a step or branch: `@body.id` is `body.id`; `@` alone is the whole response. */
function adaptJudgement(owner: Part, context: LoadContext): void {
  change(owner, 'assert', (assert) => adaptAssert(assert, context))
  change(owner, 'capture', (captures) => {
    for (const [name, path] of captures)
      if (typeof path.value === 'string')
        captures.set(name, { ...path, value: path.value.replace(/^@\.?(?=\w)/, '') })
  })
}

/**
 * Turns a condition of flow-test-engine into JavaScript: names in braces (`{{env}} === 'x'`) become names, and literals of
 * JMESPath (`` `true` ``) values. Anything that is true in JavaScript's sense skips.
 */
function adaptSkip(written: string): string {
  const bare = written
    .replaceAll(/\{\{\s*(?:js:)?\s*(.*?)\s*\}\}/gs, '($1)')
    .replaceAll(/`(true|false|null|-?\d+(?:\.\d+)?|"[^"`]*")`/g, '$1')
  return `!!(${bare})`
}

/**
 * An `input` is never asked for: its variable gets `ci_default`, else `default`, from the start. In a step without a request
 * the captures read variables, so they are variables too.
 */
function adaptInputs(step: Part, variables: Part, context: LoadContext): void {
  const input = take(step, 'input')
  if (!input) return
  for (const item of Array.isArray(input.value) ? listItems(input) : [input]) {
    const { variable, ci_default: first, default: second } = isJsonObject(item.value) ? item.value : {}
    const isNamed = typeof variable === 'string'
    const reason = isNamed ? `nobody is asked here, \`${variable}\` gets its default` : 'it names no variable'
    warnIgnored('input', item, { reason, context })
    if (isNamed) variables.set(variable, { value: first ?? second ?? null, node: item.node })
  }
  const captures = step.has('request') || step.has('call') ? undefined : take(step, 'capture')
  for (const [name, path] of captures ? listPlaced(captures) : []) {
    const value = toTemplate(path.value)
    if (value === undefined)
      warnIgnored(name, path, {
        reason: 'without a response only plain paths to variables are captured',
        context,
      })
    variables.set(name, { value: value ?? null, node: path.node })
  }
}

function toTemplate(path: Json): Json | undefined {
  if (typeof path !== 'string' || path.includes('{{')) return path
  return /^[\w.[\]-]+$/.test(path) ? `{{${path}}}` : undefined
}
