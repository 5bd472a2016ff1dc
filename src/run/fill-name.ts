import { hasTemplate } from '../interpolation/template.ts'
import { readOwn, type Json, type JsonObject } from '../json.ts'

/** Longest text of a variable that a name shows. */
const MAX_SHOWN = 40

/** A name with each `{{name}}` and `{{a.b}}` filled in that is known; the others, and expressions, stay as written. */
export function fillName(name: string, known: JsonObject): string {
  if (!hasTemplate(name)) return name
  return name.replaceAll(/\{\{\s*([\w-]+(?:\.[\w-]+)*)\s*\}\}/g, (written, path: string) => {
    const value = readOwn(known, path) ?? readPath(known, path.split('.'))
    return value === undefined || hasTemplate(JSON.stringify(value) ?? '') ? written : showValue(value)
  })
}

function readPath(known: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = known
  for (const key of path)
    value = typeof value === 'object' && value !== null ? readOwn(value, key) : undefined
  return value
}

/** A value as names show it: a text as it is, anything else as JSON, cut after 40 characters. */
export function showValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text
}
