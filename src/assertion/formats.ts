import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { FormatName } from 'ajv-formats'

/** Texts that formats of `ajv-formats` take, but no standard: an offset without minutes or colon, a URN, a port that is no number. */
const LAX: Readonly<Record<string, RegExp>> = {
  'date-time': /[+-]\d\d(?:\d\d)?$/,
  time: /[+-]\d\d(?:\d\d)?$/,
  uuid: /^urn:/i,
  uri: /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@|(?![^/?#]*@))(?:\[[^\]]*\]|[^:/?#@[]*):(?!\d*(?:[/?#]|$))/i,
}

// On a text no longer than this, no pattern of a format takes as long as a limit of its time.
const SHORT = 250

/** True for a text that has a format of JSON Schema; `test` tests patterns with a time limit. */
export function hasFormat(
  name: FormatName,
  text: string,
  test: (pattern: RegExp, text: string) => boolean,
): boolean {
  if (LAX[name]?.test(text)) return false
  const format = fullFormats[name]
  const known = typeof format === 'object' && 'compare' in format ? format.validate : format
  if (known instanceof RegExp) return text.length > SHORT ? test(known, text) : known.test(text)
  return (known as (text: string) => boolean)(text)
}
