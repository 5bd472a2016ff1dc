import { HttpProblem } from '../http-problem.ts'
import { decodeFormPart } from './percent.ts'

/** Names with their values in the order sent. A Map, so that `__proto__` is a name like any other. */
export type Fields = Map<string, string[]>

/** Adds one value. */
export function addField(fields: Fields, name: string, value: string): void {
  const values = fields.get(name)
  if (values) values.push(value)
  else fields.set(name, [value])
}

/**
 * Parses a query or a form body (latin-1 text as received): pairs between `&`, empty ones skipped, `+` a space,
 * a name without `=` has an empty value.
 * @throws HttpProblem 413 when there are more than `maxFields`
 */
export function parseFields(text: string, maxFields = Number.POSITIVE_INFINITY): Fields {
  const fields: Fields = new Map()
  if (text === '') return fields
  let count = 0
  for (let start = 0; start <= text.length;) {
    const ampersand = text.indexOf('&', start)
    const end = ampersand < 0 ? text.length : ampersand
    const pair = text.slice(start, end)
    start = end + 1
    if (pair === '') continue
    if (++count > maxFields) throw new HttpProblem(413, `the form has more than ${maxFields} fields`)
    const equals = pair.indexOf('=')
    if (equals < 0) addField(fields, decodeFormPart(pair), '')
    else addField(fields, decodeFormPart(pair.slice(0, equals)), decodeFormPart(pair.slice(equals + 1)))
  }
  return fields
}

/** The first value of a name. */
export function firstField(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.[0]
}
