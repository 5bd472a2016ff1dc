import { isJsonObject, type Json } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { change, changeBranches, joinPlaced, listPlaced, listItems, type Placed } from '../shared/placed.ts'
import type { SourceNode } from '../source-tree.ts'
import { adaptAssert } from './adapt-assert.ts'
import { ignore, put, take, warnIgnored, resolveReference, type Part } from './part.ts'

const SENDS = ['request', 'call', 'websocket']

/** Rewrites one step; what its `input` sets goes to the variables of the suite. */
export function adaptStep(placed: Placed, variables: Part, context: LoadContext): Placed {
  const { node } = placed
  const step = listPlaced(placed)
  put(step, 'name', { value: step.get('step_id')?.value ?? 'Step', node })
  adaptMetadata(step, context)
  ignoreUnsupported(step, context)
  adaptDelay(step, context)
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

function adaptMetadata(step: Part, context: LoadContext): void {
  change(step, 'metadata', (metadata) => {
    const [retry, timeout] = [take(metadata, 'retry'), take(metadata, 'timeout')]
    if (retry) put(step, 'retry', retry)
    if (typeof timeout?.value === 'number')
      change(step, 'request', (request) => put(request, 'timeout', timeout))
    ignore(metadata, [...metadata.keys()], { context, reason: 'steps have no such setting here' })
  })
  const metadata = take(step, 'metadata')
  const retry = step.get('retry')
  if (metadata && retry) change(step, 'retry', (settings) => adaptRetry(settings, retry.node, context))
}

/** What that engine does around a step and this one does not, each with what to do instead. */
function ignoreUnsupported(step: Part, context: LoadContext): void {
  const hooks = [...step.keys()].filter((key) => /hook|^(?:pre|post)_|^scripts?$/.test(key))
  const other = 'there are no hooks and scripts; use `{{js: …}}`, or a step of its own'
  ignore(step, hooks, { context, reason: other })
  const nested = 'steps are not nested; write them one after the other, or `call` a suite'
  ignore(step, ['steps'], { context, reason: nested })
  ignore(step, ['certificate'], { context, reason: 'client certificates are not supported' })
}

function adaptDelay(step: Part, context: LoadContext): void {
  const delay = take(step, 'delay')
  if (typeof delay?.value === 'number') put(step, 'delay_ms', delay)
  else if (delay)
    warnIgnored('delay', delay, { context, reason: 'only a number of milliseconds can be waited' })
}

/** A list may be named without braces, or written as JSON text. */
function adaptIterate(iterate: Part, { node }: Placed): void {
  put(iterate, 'as', { value: 'item', node })
  const over = iterate.get('over')
  if (typeof over?.value === 'string' && !over.value.includes('{{'))
    iterate.set('over', { ...over, value: readList(over.value) })
}

function readList(text: string): Json {
  if (!text.trim().startsWith('[')) return `{{${text.trim()}}}`
  try {
    return JSON.parse(text) as Json
  } catch {
    return `{{js: ${text}}}`
  }
}

function adaptCall(call: Part, step: Part, context: LoadContext): void {
  const suite = resolveReference(call, ['suite', 'test'], context)
  if (suite) put(call, 'suite', suite)
  const onError = take(call, 'on_error')
  if (onError?.value === 'continue' || onError?.value === 'warn')
    put(step, 'continue_on_failure', { value: true, node: onError.node })
  const isolated = take(call, 'isolate_context')
  const reason = 'a called suite sees the `variables` of the call only'
  if (isolated?.value === false) warnIgnored('isolate_context', isolated, { context, reason })
  ignore(call, ['timeout', 'retry'], { context, reason: 'the called step has its own' })
  ignore(call, ['alias'], { context, reason: 'what the called suite captures is read by its own node id' })
}

/** Rewrites the checks and captures of a step or branch: `@body.id` is `body.id`; `@` alone is the whole response. */
function adaptJudgement(owner: Part, context: LoadContext): void {
  adaptAssert(owner, context)
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
    .replaceAll(/`([^`]*)`/g, readLiteral)
  return `!!(${bare})`
}

function readLiteral(whole: string, literal: string): string {
  try {
    return JSON.stringify(JSON.parse(literal))
  } catch (error) {
    if (error instanceof SyntaxError) return whole
    throw error
  }
}

/** `delay_ms` is the base delay, `retry_on` a list of statuses; the wait is fixed unless it says otherwise. */
function adaptRetry(retry: Part, node: SourceNode, context: LoadContext): void {
  const delay = take(retry, 'delay_ms')
  if (delay) put(retry, 'base_delay_ms', delay)
  const backoff = retry.get('backoff')?.value
  if (backoff !== 'fixed' && backoff !== 'exponential')
    ignore(retry, ['backoff'], { context, reason: 'the wait is fixed or exponential' })
  put(retry, 'backoff', { value: 'fixed', node })
  const on = take(retry, 'retry_on')
  const statuses = Array.isArray(on?.value) ? on.value.map(readStatus).filter(Number.isInteger) : []
  if (on && statuses.length > 0) put(retry, 'on', { value: statuses, node: on.node })
}

function readStatus(entry: Json): number {
  const status = isJsonObject(entry) ? entry['status_code'] : entry
  return typeof status === 'number' ? status : Number.NaN
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
    warnIgnored('input', item, { context, reason })
    if (isNamed) variables.set(variable, { value: first ?? second ?? null, node: item.node })
  }
  const captures = step.has('request') || step.has('call') ? undefined : take(step, 'capture')
  for (const [name, path] of captures ? listPlaced(captures) : []) {
    const value = toTemplate(path.value)
    const reason = 'without a response only plain paths to variables are captured'
    if (value === undefined) warnIgnored(name, path, { context, reason })
    variables.set(name, { value: value ?? null, node: path.node })
  }
}

function toTemplate(path: Json): Json | undefined {
  if (typeof path !== 'string' || path.includes('{{')) return path
  return /^[\w.[\]-]+$/.test(path) ? `{{${path}}}` : undefined
}
