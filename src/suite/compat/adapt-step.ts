import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { adaptInputs } from './adapt-inputs.ts'
import { adaptRetry } from './adapt-retry.ts'
import { adaptSkip } from './adapt-skip.ts'
import { resolveReference } from './resolve-reference.ts'
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

const SENDS = ['request', 'call', 'websocket']

/** Rewrites one step; what its `input` sets is noted in the context under the step's pointer. */
export function adaptStep(placed: Placed, pointer: string, context: LoadContext): Placed {
  const step = openPart(placed, context)
  put(step, 'name', { value: step.value['step_id'] ?? 'Step', node: step.node })
  adaptMetadata(step)
  ignoreUnsupported(step)
  adaptDelay(step)
  adaptIterate(step)
  adaptCall(step)
  const skip = step.value['skip']
  if (typeof skip === 'string') step.value['skip'] = adaptSkip(skip)
  for (const key of ['capture', 'scenarios']) adaptCaptures(step, key)
  adaptInputs(step, pointer)
  if (!SENDS.some((key) => step.value[key]) && !context.inputs.has(pointer))
    put(step, 'skip', { value: true, node: step.node })
  return closePart(step)
}

function adaptMetadata(step: Part): void {
  const metadata = openChild(step, 'metadata')
  take(step, 'metadata')
  if (!metadata) return
  const retry = take(metadata, 'retry')
  if (retry) put(step, 'retry', retry)
  const timeout = take(metadata, 'timeout')
  const request = openChild(step, 'request')
  if (timeout && request && typeof timeout.value === 'number') {
    put(request, 'timeout', timeout)
    update(step, 'request', request)
  }
  ignore(metadata, Object.keys(metadata.value), 'steps have no such setting here')
  const settings = openChild(step, 'retry')
  if (settings) update(step, 'retry', adaptRetry(settings))
}

/** What that engine does around a step and this one does not, each with what to do instead. */
function ignoreUnsupported(step: Part): void {
  const written = Object.keys(step.value)
  const hooks = written.filter((key) => /hook|^(?:pre|post)_|^scripts?$/.test(key))
  ignore(step, hooks, 'there are no hooks and scripts; use `{{js: …}}`, or a step of its own')
  ignore(step, ['steps'], 'steps are not nested; write them one after the other, or `call` a suite')
  ignore(step, ['certificate'], 'client certificates are not supported')
}

function adaptDelay(step: Part): void {
  const delay = take(step, 'delay')
  if (!delay) return
  if (typeof delay.value === 'number') put(step, 'delay_ms', delay)
  else {
    put(step, 'delay', delay)
    ignore(step, ['delay'], 'only a number of milliseconds can be waited')
  }
}

/** A list may be named without braces, or written as JSON text. */
function adaptIterate(step: Part): void {
  const iterate = openChild(step, 'iterate')
  if (!iterate) return
  put(iterate, 'as', { value: 'item', node: iterate.node })
  const { over } = iterate.value
  if (typeof over === 'string' && !over.includes('{{')) iterate.value['over'] = readList(over)
  update(step, 'iterate', iterate)
}

function readList(text: string): Json {
  if (!text.trim().startsWith('[')) return `{{${text.trim()}}}`
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return `{{js: ${text}}}`
    throw error
  }
}

function adaptCall(step: Part): void {
  const call = openChild(step, 'call')
  if (!call) return
  const suite = resolveReference(call, ['suite', 'test'], 'path_type')
  if (suite) put(call, 'suite', suite)
  const onError = take(call, 'on_error')
  if (onError?.value === 'continue' || onError?.value === 'warn')
    put(step, 'continue_on_failure', { value: true, node: onError.node })
  const isolated = take(call, 'isolate_context')
  if (isolated?.value === false)
    warnIgnored(step.context, {
      key: 'isolate_context',
      node: isolated.node,
      reason: 'a called suite sees the `variables` of the call only',
    })
  ignore(call, ['timeout', 'retry'], 'the called step has its own')
  ignore(call, ['alias'], 'what the called suite captures is read by its own node id')
  update(step, 'call', call)
}

/** `@body.id` is `body.id`; `@` alone is the whole response. */
function adaptCaptures(step: Part, key: string): void {
  const value = step.value[key]
  if (key === 'capture' && isJsonObject(value)) step.value[key] = cleanPaths(value)
  if (!Array.isArray(value)) return
  step.value[key] = value.map((scenario) => {
    if (!isJsonObject(scenario)) return scenario
    const copy = Object.assign(Object.create(null) as JsonObject, scenario)
    for (const branch of ['then', 'else']) {
      const part = copy[branch]
      if (!isJsonObject(part) || !isJsonObject(part['capture'])) continue
      copy[branch] = Object.assign(Object.create(null) as JsonObject, part, {
        capture: cleanPaths(part['capture']),
      })
    }
    return copy
  })
}

function cleanPaths(captures: JsonObject): JsonObject {
  const copy = Object.create(null) as JsonObject
  for (const [name, path] of Object.entries(captures))
    copy[name] = typeof path === 'string' ? path.replace(/^@\.?(?=\w)/, '') : path
  return copy
}
