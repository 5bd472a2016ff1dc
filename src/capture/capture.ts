import { unwrapExpression } from '../interpolation/explain-bad-condition.ts'
import { isJsonObject, toText, type Json, type JsonObject, type ValuePath } from '../json.ts'
import { explainBadPath } from '../path/compile-path.ts'
import { allFields, explainLack } from '../path/exchange-fields.ts'
import { inside, openPath, type ParsePlace } from '../path/parse-place.ts'
import type { Language } from '../request/markup/languages.ts'
import { readData } from '../safe-json.ts'
import type { Position } from '../source.ts'
import { suggestName } from '../text/suggest.ts'

/** One capture of a step: a name and the source of its value. */
export type Capture = {
  name: string
  at: Position
  path?: string
  /** An XPath expression or CSS selector, for a response in XML or HTML. */
  select?: { language: Language; expression: string }
  literal?: Json
  default?: Json
  optional: boolean
}

/** Keys of a capture with settings, of which the first name its source. A map without any is a literal. */
export const captureSources: readonly ('path' | Language)[] = ['path', 'xpath', 'css']
export const captureKeys: readonly string[] = [...captureSources, 'default', 'optional']

/**
 * Parses the value of `capture`, except for what the schema has refused. A string is JMESPath, unless it is
 * one `{{…}}` or a quoted text (`'"text"'`). A map with `path`, `xpath` or `css` may have `default` and
 * `optional`. All else is literal.
 */
export function parseCaptures(captures: JsonObject, place: ParsePlace): Capture[] {
  return Object.entries(captures).flatMap(([name, value]): Capture[] => {
    const own = inside(place, [name])
    if (!/^[^\s.{}[\]"'`|]+$/u.test(name))
      own.report([], {
        message: `\`${name}\` cannot be the name of a variable.`,
        hint: 'Use only letters, digits, `_` and `-`, so that `{{…}}` can read it.',
      })
    const source = readSource(value, { name, place: own })
    return source ? [{ name, at: own.locate([]), optional: false, ...source }] : []
  })
}

type Reading = { name: string; place: ParsePlace }

function readSource(value: Json, reading: Reading): Partial<Capture> | undefined {
  if (isJsonObject(value) && captureKeys.some((key) => Object.hasOwn(value, key)))
    return readMap(value, reading)
  if (typeof value !== 'string' && value !== null) {
    checkLiteral(value, reading)
    return { literal: value }
  }
  const text = (value ?? '').trim()
  if (isTemplate(text)) return { literal: value }
  const data = /^"(?:[^"\\]|\\.)*"$/s.test(text) ? readData(text) : undefined
  // It may be in quotes without being JSON.
  if (data !== undefined) return { literal: data === text ? text.slice(1, -1) : data }
  const path = openPath(text, reading.place)
  return checkPath(path, reading) ? { path } : undefined
}

/** True for one `{{…}}` and nothing else. */
function isTemplate(text: string): boolean {
  return text.startsWith('{{') && text.endsWith('}}') && unwrapExpression(text) !== text
}

function readMap(map: JsonObject, { name, place }: Reading): Partial<Capture> | undefined {
  const given = captureSources.filter((key) => Object.hasOwn(map, key))
  const [key = 'path', other] = given
  const written = map[key]
  const source = key === 'path' && typeof written === 'string' ? openPath(written, place) : written
  if (other !== undefined) {
    place.report([other], {
      message: `The capture \`${name}\` has both ${given.map((one) => `\`${one}\``).join(' and ')}.`,
      hint: 'Keep one of them.',
    })
    return undefined
  }
  if (typeof source !== 'string' || (key !== 'path' && source.trim() === '')) return undefined
  const lack = key !== 'path' && explainLack(key, 'paths', place.kind)
  if (lack) place.report([key], { message: lack.message, hint: lack.hint })
  if (lack || (key === 'path' && !checkPath(source, { name, place: inside(place, [key]) }))) return undefined
  return {
    at: place.locate([key]),
    ...(key === 'path' ? { path: source } : { select: { language: key, expression: source } }),
    ...(Object.hasOwn(map, 'default') && { default: map['default'] as Json }),
    optional: map['optional'] === true,
  }
}

/** Reports a path that does not parse or reads an unknown field. True if it can still be evaluated. */
function checkPath(path: string, { name, place }: Reading): boolean {
  if (path.trim() === '') {
    place.report([], {
      message: `The capture \`${name}\` has no path.`,
      hint: 'Write a path such as `body.json.token`, or `{{js: null}}` in quotes for a literal null.',
    })
    return false
  }
  const problem = explainBadPath(path, 'expression', place.kind)
  const hint = `Write \`${name}: "{{js: … ?? 'none'}}"\`, where \`?? 'none'\` is the default.`
  if (problem) place.report([], { ...problem, ...(isTemplate(path.trim()) && { hint }) })
  return problem === undefined || problem.severity === 'doubt'
}

const PATH_LIKE = new RegExp(`^(?:\\$|${allFields.join('|')})[.[]`)

/** The only key of a map in which other tools name what is captured. */
const OTHER_SOURCE =
  /^(?:json_?path|jmespath|json|jq|body|headers?|cookies?|status|field|regexp?|js|expression)$/i

/** An entry of such a map, whatever else it has: a key that tells by itself, or one with a field of the response. */
const OTHER_ENTRY =
  /^(?:regexp?|json_?path|jmespath|selector):|^(?:from|in|source): (?:response\.)?(?:body|cookies?|headers?|status)\b/i

/** Reports a literal that was probably meant as a path: with a misspelt setting, or with texts like paths. */
function checkLiteral(value: Json, reading: Reading, at: ValuePath = []): void {
  const { name, place } = reading
  if (typeof value === 'string' && PATH_LIKE.test(value))
    place.report(at, {
      severity: 'doubt',
      message: `\`${value}\` would be captured as these characters: a map or list is taken literally, and paths in it are not evaluated.`,
      hint: 'To capture several values, write one path: `body.{id: user.id, name: user.name}` or `[body.id, body.name]`, in quotes.',
    })
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const isMap = at.length === 0 && isJsonObject(value)
  for (const [key, part] of entries) {
    const isOnly = entries.length === 1 && OTHER_SOURCE.test(key)
    if (isMap && (isOnly || OTHER_ENTRY.test(`${key}: ${toText(part)}`) || suggestName(key, captureKeys)))
      return place.report([key], {
        code: 'unknown-field',
        severity: 'doubt',
        message: `Unknown field \`${key}\` in capture \`${name}\`.`,
        hint: `Write a path without a map, such as \`body.id\` or \`headers.etag\`, or one of ${captureKeys.join(', ')}. For an attribute: \`css: 'input[name=csrf]::attr(value)'\`. For a part of a text: \`'{{js: body.match(/id=(\\d+)/)[1]}}'\`.`,
      })
    checkLiteral(part, reading, [...at, Array.isArray(value) ? Number(key) : key])
  }
}
