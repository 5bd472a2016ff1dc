import type { Json, JsonObject } from '../../json.ts'
import { BuildProblem, describeValue, readText } from '../build-problem.ts'

/** Flattens `params` or `form` to name and text: a list repeats the name, `null` leaves the field out, nested values are refused. */
export function listFields(fields: JsonObject, label: string): [name: string, text: string][] {
  const list: [string, string][] = []
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null) list.push([name, readScalar(item, `${label}.${name}`)])
    }
  }
  return list
}

function readScalar(value: Json, label: string): string {
  if (typeof value !== 'object') return readText(value, label)
  throw new BuildProblem(
    'INVALID_REQUEST',
    `Expected \`${label}\` to be a text, number, boolean, null or a list of these, got ${describeValue(value)}. ` +
      'Nested values have no standard form here: name the fields one by one, or send the value as JSON text',
  )
}
