import type { Json, JsonObject } from '../../json.ts'

const START = /\$js(?<=\{\{\s*\$js)[.:](?:\s*return\s)?/g

/** Writes `{{$js.code}}`, `{{$js:code}}` and `{{$js.return code}}` as `{{js: code}}`, as long as before: all that follows stays at its place. */
export function writeTemplates(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll(START, (start) => 'js:'.padEnd(start.length))
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(writeTemplates)
  const copy = Object.create(null) as JsonObject
  for (const [key, part] of Object.entries(value)) copy[key] = writeTemplates(part)
  return copy
}
