import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { FormatName } from 'ajv-formats'

// On shorter texts, none of these patterns can take long enough to need a time limit.
const SHORT = 250

/** Texts that `ajv-formats` accepts but no standard does: offsets without minutes, bad ports. */
function isLax(name: FormatName, text: string): boolean {
  if (name === 'uri') return !URL.canParse(text)
  return (name === 'date-time' || name === 'time') && /[+-]\d\d(?:\d\d)?$/.test(text)
}

/** True for a text that has a format of JSON Schema; `test` tests patterns with a time limit. */
export function hasFormat(
  name: FormatName,
  text: string,
  test: (pattern: RegExp, text: string) => boolean,
): boolean {
  if (isLax(name, text)) return false
  const format = fullFormats[name]
  const known = typeof format === 'object' && 'compare' in format ? format.validate : format
  if (known instanceof RegExp) return text.length > SHORT ? test(known, text) : known.test(text)
  return (known as (text: string) => boolean)(text)
}
