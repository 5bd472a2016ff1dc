import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { take, warnIgnored, type Part, type Placed } from './part.ts'

// What only matters to someone who is asked.
const DIALOGUE = new Set([
  'prompt',
  'variable',
  'type',
  'description',
  'default',
  'placeholder',
  'required',
  'style',
  'timeout_seconds',
  'ci_default',
  'options',
])

/**
 * An `input` is never asked for: its variable gets `ci_default`, else `default`. In a step without a request the captures
 * read variables, so they are set in the same way.
 */
export function adaptInputs(step: Part, pointer: string): void {
  const input = take(step, 'input')
  if (!input) return
  const { context } = step
  const sets = Object.create(null) as JsonObject
  for (const { value, node } of listInputs(input)) {
    if (!isJsonObject(value) || typeof value['variable'] !== 'string') {
      warnIgnored(context, { key: 'input', node, reason: 'it names no variable' })
      continue
    }
    sets[value['variable']] = value['ci_default'] ?? value['default'] ?? null
    for (const key of Object.keys(value).filter((name) => !DIALOGUE.has(name)))
      warnIgnored(context, { key, node: node.children?.get(key) ?? node, reason: 'nobody is asked here' })
  }
  if (!step.value['request'] && !step.value['call']) moveCaptures(step, sets)
  context.inputs.set(pointer, sets)
}

function listInputs({ value, node }: Placed): Placed[] {
  if (!Array.isArray(value)) return [{ value, node }]
  return value.map((item, index) => ({ value: item, node: node.children?.get(index) ?? node }))
}

function moveCaptures(step: Part, sets: JsonObject): void {
  const capture = take(step, 'capture')
  if (!capture || !isJsonObject(capture.value)) return
  for (const [name, path] of Object.entries(capture.value)) {
    const value = toTemplate(path)
    if (value === undefined)
      warnIgnored(step.context, {
        key: name,
        node: capture.node.children?.get(name) ?? capture.node,
        reason: 'without a response only plain paths to variables are captured',
      })
    sets[name] = value ?? null
  }
}

function toTemplate(path: Json): Json | undefined {
  if (typeof path !== 'string' || path.includes('{{')) return path
  return /^[\w.[\]-]+$/.test(path) ? `{{${path}}}` : undefined
}
