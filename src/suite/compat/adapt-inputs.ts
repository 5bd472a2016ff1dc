import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { listItems, listPlaced, type Placed } from '../shared/placed.ts'
import { ignore, take, warnIgnored, type Part } from './part.ts'

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
export function adaptInputs(step: Part, context: LoadContext): JsonObject | undefined {
  const input = take(step, 'input')
  if (!input) return undefined
  const sets = Object.create(null) as JsonObject
  for (const item of Array.isArray(input.value) ? listItems(input) : [input]) {
    const { value } = item
    if (!isJsonObject(value) || typeof value['variable'] !== 'string') {
      warnIgnored('input', item, { context, reason: 'it names no variable' })
      continue
    }
    sets[value['variable']] = value['ci_default'] ?? value['default'] ?? null
    const other = Object.keys(value).filter((name) => !DIALOGUE.has(name))
    ignore(listPlaced(item), other, { context, reason: 'nobody is asked here' })
  }
  const captures = step.has('request') || step.has('call') ? undefined : take(step, 'capture')
  if (captures) moveCaptures(captures, sets, context)
  return sets
}

function moveCaptures(captures: Placed, sets: JsonObject, context: LoadContext): void {
  for (const [name, path] of listPlaced(captures)) {
    const value = toTemplate(path.value)
    if (value === undefined)
      warnIgnored(name, path, {
        context,
        reason: 'without a response only plain paths to variables are captured',
      })
    sets[name] = value ?? null
  }
}

function toTemplate(path: Json): Json | undefined {
  if (typeof path !== 'string' || path.includes('{{')) return path
  return /^[\w.[\]-]+$/.test(path) ? `{{${path}}}` : undefined
}
