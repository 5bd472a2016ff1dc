import type { Json, JsonObject } from '../../json.ts'

const START = /\$js(?<=\{\{\s*\$js)[.:](?:\s*return\s)?/g

/** Writes `{{$js.code}}`, `{{$js:code}}` and `{{$js.return code}}` as `{{js: code}}`, as long as before: all that follows stays at its place. What holds none is given back as it is. */
export function writeTemplates(root: Json): Json {
  // What aliases share is written once.
  const done = new Map<object, Json>()
  function write(value: Json): Json {
    if (typeof value === 'string') return value.replaceAll(START, (start) => 'js:'.padEnd(start.length))
    if (typeof value !== 'object' || value === null) return value
    const known = done.get(value)
    if (known !== undefined) return known
    const written = Array.isArray(value) ? value.map(write) : writeMembers(value)
    const kept = Object.entries(written).every(([key, part]) => part === (value as JsonObject)[key])
      ? value
      : written
    done.set(value, kept)
    return kept
  }
  function writeMembers(members: JsonObject): JsonObject {
    const copy = Object.create(null) as JsonObject
    for (const [key, part] of Object.entries(members)) copy[key] = write(part)
    return copy
  }
  return write(root)
}
